/*
 * push.c - pushing URLs into the partitions of their hosts, a command for each
 * partition, all at once.
 */
#include <hiredis/hiredis.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "command.h"
#include "crawl/answer.h"
#include "seenset/url.h"

#define NO_PARTITION UINT32_MAX

/* A URL as it is sent, and what becomes of it. */
typedef struct row {
    const char *url;
    size_t length;
    char *own; /* its normal form, unless that is the URL */
    uint32_t partition;
    size_t next; /* of the same partition; the number of rows: none */
} row;

typedef struct pushing {
    crawl *it;
    const seenset_queue_entry *entries;
    uint8_t *answers;
    size_t count;
    row *rows;
    size_t *first, *last; /* rows of each partition */
    size_t *sent;         /* rows as they are in the commands */
    size_t sent_count;
    crawl_list list;
    size_t *list_first; /* of each command, in `sent` */
} pushing;

static int normalise(pushing *now, size_t i)
{
    row *to = &now->rows[i];
    size_t room = to->length > (SIZE_MAX - 256) / 3 ? 0 : 3 * to->length + 256;
    char *form = malloc(room == 0 ? 1 : room);
    if (form == NULL)
        return SEENSET_ENOMEM;
    int error = seenset_url_normalise(to->url, to->length, form, &room, NULL);
    if (error != SEENSET_OK) {
        free(form);
        return error;
    }
    to->url = to->own = form;
    to->length = room;
    return SEENSET_OK;
}

/* Finds the partition of a URL, and puts it at the end of that one's. */
static int place(pushing *now, size_t i)
{
    row *to = &now->rows[i];
    *to = (row){.url = now->entries[i].url,
                .length = now->entries[i].url_len,
                .partition = NO_PARTITION,
                .next = now->count};
    int error = now->it->options.normalises ? normalise(now, i) : SEENSET_OK;
    if (error == SEENSET_EURL) {
        now->answers[i] = SEENSET_ANSWER_NOT_A_URL;
        return 0;
    }
    if (error != SEENSET_OK)
        return crawl_no_memory(now->it);
    to->partition = crawl_partition_of(now->it, to->url, to->length);
    if (now->first[to->partition] == now->count)
        now->first[to->partition] = i;
    else
        now->rows[now->last[to->partition]].next = i;
    now->last[to->partition] = i;
    return 0;
}

/* ---- partitions with a size, a rate or rules of their own ---- */

/* A word, and a number that lasts as long as `digits`. */
static void add_pair(crawl_words *words, const char *word, uint64_t number,
                     char digits[24])
{
    int length = snprintf(digits, 24, "%llu", (unsigned long long)number);
    crawl_words_add(words, word, strlen(word));
    crawl_words_add(words, digits, (size_t)length);
}

typedef struct rule_texts {
    char delay[24], per_host[24], budget[24];
} rule_texts;

static void add_rules(crawl_words *words, const crawl_rules *rules,
                      rule_texts *texts)
{
    const char *kind = crawl_rules_kind(rules);
    if (!rules->is_polite)
        return;
    add_pair(words, "DELAY", rules->delay_ms, texts->delay);
    add_pair(words, "PERHOST", rules->per_host, texts->per_host);
    crawl_words_add(words, "BY", 2);
    crawl_words_add(words, kind, strlen(kind));
    if (rules->is_from_start) {
        crawl_words_add(words, "FROM", 4);
        crawl_words_add(words, "start", 5);
    }
    if (rules->budget > 0)
        add_pair(words, "BUDGET", rules->budget, texts->budget);
}

static int add_new(pushing *now, uint32_t partition)
{
    const crawl_options *options = &now->it->options;
    crawl_key key = crawl_key_of(now->it, partition);
    char capacity[24], rate[32];
    rule_texts texts;
    crawl_words words = {0};
    snprintf(rate, sizeof rate, "%.17g", options->fp_rate);
    crawl_words_add(&words, "VISIT.NEW", 9);
    crawl_words_add(&words, key.text, key.length);
    if (options->capacity_items > 0)
        add_pair(&words, "CAPACITY", options->capacity_items, capacity);
    if (options->fp_rate > 0) {
        crawl_words_add(&words, "RATE", 4);
        crawl_words_add(&words, rate, strlen(rate));
    }
    add_rules(&words, &options->rules, &texts);
    int status = crawl_list_add(now->it, &now->list, partition, &words, 0);
    crawl_words_free(&words);
    return status;
}

/* Where there is one already, it replies an error, and is as it was. */
static int check_new(pushing *now)
{
    for (size_t i = 0; i < now->list.count; i++) {
        const crawl_command *command = &now->list.commands[i];
        const redisReply *reply = command->reply;
        bool is_new = reply->type == REDIS_REPLY_STATUS;
        if (!is_new && (reply->type != REDIS_REPLY_ERROR ||
                        strstr(reply->str, "exists") == NULL))
            return crawl_complain_reply(now->it, command, "not OK");
        now->it->is_made[now->list.partitions[i]] = true;
    }
    return 0;
}

static int make_partitions(pushing *now)
{
    const crawl_options *options = &now->it->options;
    int status = 0;
    if (options->capacity_items == 0 && !(options->fp_rate > 0) &&
        !options->rules.is_polite)
        return 0;
    for (uint32_t i = 0; status == 0 && i < options->partitions; i++)
        if (now->first[i] != now->count && !now->it->is_made[i])
            status = add_new(now, i);
    if (status == 0)
        status = crawl_list_run(now->it, &now->list);
    if (status == 0)
        status = check_new(now);
    crawl_list_clear(&now->list);
    return status;
}

/* ---- the pushes ---- */

static bool is_word_data(const row *at)
{
    return at->length == 4 && strncasecmp(at->url, "DATA", 4) == 0;
}

/* The next command: URLs of a partition from row i on. A URL that is the word
 * DATA can only be the first of a command. Returns the row after. */
static size_t fill(pushing *now, size_t i, crawl_words *words)
{
    for (size_t begin = i; i != now->count; i = now->rows[i].next) {
        const row *at = &now->rows[i];
        if (i != begin && is_word_data(at))
            return i;
        crawl_words_add(words, at->url, at->length);
        now->sent[now->sent_count++] = i;
        if (now->entries[i].data == NULL)
            continue;
        crawl_words_add(words, "DATA", 4);
        crawl_words_add(words, now->entries[i].data, now->entries[i].data_len);
    }
    return i;
}

static int add_pushes(pushing *now, uint32_t partition)
{
    crawl_key key = crawl_key_of(now->it, partition);
    crawl_words words = {0};
    int status = 0;
    for (size_t i = now->first[partition]; status == 0 && i != now->count;) {
        words.count = 0;
        crawl_words_add(&words, "VISIT.PUSH", 10);
        crawl_words_add(&words, key.text, key.length);
        now->list_first[now->list.count] = now->sent_count;
        i = fill(now, i, &words);
        status =
            crawl_list_add(now->it, &now->list, partition, &words,
                           now->sent_count - now->list_first[now->list.count]);
    }
    crawl_words_free(&words);
    return status;
}

static bool is_full(const redisReply *reply)
{
    return reply->type == REDIS_REPLY_ERROR &&
           strncmp(reply->str, "FULL", 4) == 0;
}

static int check_answers(pushing *now)
{
    for (size_t i = 0; i < now->list.count; i++) {
        const crawl_command *command = &now->list.commands[i];
        if (!is_full(command->reply) && !answer_is_bits(command, true))
            return crawl_complain_reply(now->it, command,
                                        "not 0 or 1 for each URL");
    }
    return 0;
}

static uint8_t answer_of(const redisReply *one)
{
    if (one->type == REDIS_REPLY_INTEGER)
        return one->integer != 0 ? SEENSET_ANSWER_NEW : SEENSET_ANSWER_SEEN;
    return strncmp(one->str, "BUDGET", 6) == 0 ? CRAWL_ANSWER_SPENT
                                               : SEENSET_ANSWER_REFUSED;
}

static void take_answers(pushing *now, size_t command)
{
    const redisReply *reply = now->list.commands[command].reply;
    size_t first = now->list_first[command];
    for (size_t i = 0; i < now->list.commands[command].rows; i++) {
        const redisReply *one = is_full(reply) ? reply : reply->element[i];
        now->answers[now->sent[first + i]] = answer_of(one);
    }
}

static int push(pushing *now)
{
    int status = 0;
    for (size_t i = 0; status == 0 && i < now->count; i++)
        status = place(now, i);
    if (status == 0)
        status = make_partitions(now);
    for (uint32_t i = 0; status == 0 && i < now->it->options.partitions; i++)
        status = add_pushes(now, i);
    if (status == 0)
        status = crawl_list_run(now->it, &now->list);
    if (status == 0)
        status = check_answers(now);
    for (size_t i = 0; status == 0 && i < now->list.count; i++)
        take_answers(now, i);
    return status;
}

static bool take_memory(pushing *now)
{
    size_t partitions = now->it->options.partitions;
    now->rows = calloc(now->count, sizeof *now->rows);
    now->sent = calloc(now->count, sizeof *now->sent);
    now->list_first = calloc(now->count, sizeof *now->list_first);
    now->first = calloc(partitions, sizeof *now->first);
    now->last = calloc(partitions, sizeof *now->last);
    if (now->rows == NULL || now->sent == NULL || now->list_first == NULL ||
        now->first == NULL || now->last == NULL)
        return false;
    for (size_t i = 0; i < partitions; i++)
        now->first[i] = now->count;
    return true;
}

static void free_memory(pushing *now)
{
    for (size_t i = 0; now->rows != NULL && i < now->count; i++)
        free(now->rows[i].own);
    free(now->rows);
    free(now->sent);
    free(now->list_first);
    free(now->first);
    free(now->last);
    crawl_list_free(&now->list);
}

int crawl_push(crawl *it, const seenset_queue_entry *entries, size_t count,
               uint8_t *answers)
{
    pushing now = {
        .it = it, .entries = entries, .answers = answers, .count = count};
    if (count == 0)
        return 0;
    int status = take_memory(&now) ? push(&now) : crawl_no_memory(it);
    free_memory(&now);
    return status;
}
