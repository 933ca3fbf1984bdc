/* look.c - the figures of a crawl: the sums of its partitions. */
#include <hiredis/hiredis.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "crawl/answer.h"

typedef struct looking {
    crawl *it;
    crawl_figures *out;
    uint64_t next_due_ms; /* UINT64_MAX: none */
    crawl_list list;
} looking;

/* The value of a name in VISIT.INFO; NULL: it has none. */
static const redisReply *find(const redisReply *info, const char *name)
{
    for (size_t i = 0; i + 1 < info->elements; i += 2)
        if (info->element[i]->str != NULL &&
            strcmp(info->element[i]->str, name) == 0)
            return info->element[i + 1];
    return NULL;
}

/* Adds the value of a name to a sum. Returns whether it is one. */
static bool add_number(const redisReply *info, const char *name, uint64_t *sum)
{
    const redisReply *value = find(info, name);
    if (value == NULL ||
        !answer_is_number(value, 0, (long long)ANSWER_MOST_FIGURE))
        return false;
    *sum += (uint64_t)value->integer;
    return true;
}

static bool read_rate(const redisReply *info, double *fp_rate)
{
    const redisReply *value = find(info, "rate");
    char *end;
    if (value == NULL || value->str == NULL)
        return false;
    *fp_rate = strtod(value->str, &end);
    return end != value->str && *end == '\0' && *fp_rate > 0 && *fp_rate < 1;
}

static bool add(looking *now, const redisReply *info)
{
    crawl_figures *out = now->out;
    uint64_t due = 0;
    double fp_rate;
    if (info->type != REDIS_REPLY_ARRAY || !read_rate(info, &fp_rate) ||
        !add_number(info, "next-due-ms", &due) ||
        !add_number(info, "pending", &out->pending) ||
        !add_number(info, "leased", &out->leased) ||
        !add_number(info, "given-back", &out->delayed) ||
        !add_number(info, "seen", &out->seen) ||
        !add_number(info, "pending-bytes", &out->pending_bytes) ||
        !add_number(info, "set-bytes", &out->set_bytes) ||
        !add_number(info, "bytes", &out->bytes))
        return false;
    out->made_partitions++;
    out->fp_rate = fp_rate > out->fp_rate ? fp_rate : out->fp_rate;
    if (due > 0 && due < now->next_due_ms)
        now->next_due_ms = due;
    return true;
}

/* A partition that was never pushed into is not there. */
static int take_replies(looking *now)
{
    for (size_t i = 0; i < now->list.count; i++) {
        const crawl_command *command = &now->list.commands[i];
        const redisReply *reply = command->reply;
        bool is_missing = reply->type == REDIS_REPLY_ERROR &&
                          strstr(reply->str, "not found") != NULL;
        if (!is_missing && !add(now, reply))
            return crawl_complain_reply(now->it, command,
                                        "no figures of a partition");
    }
    return 0;
}

/* A number of digits alone, of a text. Returns whether it is one. */
static bool read_digits(const redisReply *reply, double *number)
{
    if (!answer_is_text(reply, 15) || reply->len == 0 ||
        strspn(reply->str, "0123456789") != (size_t)reply->len)
        return false;
    *number = strtod(reply->str, NULL);
    return true;
}

/* By the clock of a server. */
static int find_due(looking *now)
{
    crawl_words words = {0};
    now->out->seconds_to_due = INFINITY;
    if (now->next_due_ms == UINT64_MAX)
        return 0;
    crawl_list_clear(&now->list);
    crawl_words_add(&words, "TIME", 4);
    int status = crawl_list_add(now->it, &now->list, 0, &words, 0);
    crawl_words_free(&words);
    if (status == 0)
        status = crawl_list_run(now->it, &now->list);
    if (status != 0)
        return status;
    const redisReply *reply = now->list.commands[0].reply;
    double seconds, micros;
    if (reply->type != REDIS_REPLY_ARRAY || reply->elements != 2 ||
        !read_digits(reply->element[0], &seconds) ||
        !read_digits(reply->element[1], &micros))
        return crawl_complain_reply(now->it, &now->list.commands[0], "no time");
    double time = seconds + micros / 1e6;
    double left = (double)now->next_due_ms / 1e3 - time;
    now->out->seconds_to_due = left > 0 ? left : 0;
    return 0;
}

static int look(looking *now)
{
    crawl *it = now->it;
    crawl_figures *out = now->out;
    int status = 0;
    for (uint32_t i = 0; status == 0 && i < it->options.partitions; i++)
        status = crawl_list_ask(it, &now->list, i, "VISIT.INFO", NULL, 0);
    if (status == 0)
        status = crawl_list_run(it, &now->list);
    if (status == 0)
        status = take_replies(now);
    if (status == 0)
        status = find_due(now);
    uint64_t left = out->pending + out->leased + out->delayed;
    out->acked = out->seen > left ? out->seen - left : 0;
    return status;
}

int crawl_look(crawl *it, crawl_figures *out)
{
    looking now = {.it = it, .out = out, .next_due_ms = UINT64_MAX};
    *out = (crawl_figures){.partitions = it->options.partitions,
                           .normalises = it->options.normalises};
    int status = look(&now);
    crawl_list_free(&now.list);
    return status;
}
