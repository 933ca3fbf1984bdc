/*
 * pop.c - handing out items of a crawl.
 *
 * First each partition is asked how many URLs it has that are not done, which
 * costs a server a microsecond. Then those that have some are popped, from a
 * place that is another one each time, a share each, until there are enough.
 * All replies of a round are checked before an item of one is handed out.
 */
#include <hiredis/hiredis.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "crawl/answer.h"
#include "stream/clock.h"

enum {
    AT_ONCE = 64,              /* partitions that are popped */
    MOST_EACH = 1000,          /* items of a partition at once */
    MOST_TEXT_BYTES = 1 << 20, /* a URL, or its data */
    MOST_ITEM_BYTES = 2 * MOST_TEXT_BYTES + 128
};

typedef struct popping {
    crawl *it;
    size_t wanted, had;
    uint64_t lease_ms;
    crawl_take *take;
    void *context;
    bool is_over; /* take refused one */
    uint32_t *with_urls;
    uint64_t *refused; /* leases that are given back */
    size_t with_count, refused_count, refused_room;
    crawl_list list;
} popping;

/* Which partitions have URLs that are not done? */
static int find(popping *now)
{
    crawl *it = now->it;
    int status = 0;
    for (uint32_t i = 0; status == 0 && i < it->options.partitions; i++)
        status = crawl_list_ask(it, &now->list, i, "VISIT.LEN", NULL, 0);
    if (status == 0)
        status = crawl_list_run(it, &now->list);
    for (size_t i = 0; status == 0 && i < now->list.count; i++) {
        const redisReply *reply = now->list.commands[i].reply;
        if (!answer_is_number(reply, 0, LLONG_MAX))
            status = crawl_complain_reply(it, &now->list.commands[i],
                                          "no number of URLs");
        else if (reply->integer > 0)
            now->with_urls[now->with_count++] = (uint32_t)i;
    }
    crawl_list_clear(&now->list);
    return status;
}

/* VISIT.POP key COUNT count LEASE ms */
static int add_pop(popping *now, uint32_t partition, size_t count)
{
    char number[24], ms[24];
    crawl_key key = crawl_key_of(now->it, partition);
    crawl_words words = {0};
    snprintf(number, sizeof number, "%zu", count);
    snprintf(ms, sizeof ms, "%llu", (unsigned long long)now->lease_ms);
    crawl_words_add(&words, "VISIT.POP", 9);
    crawl_words_add(&words, key.text, key.length);
    crawl_words_add(&words, "COUNT", 5);
    crawl_words_add(&words, number, strlen(number));
    crawl_words_add(&words, "LEASE", 5);
    crawl_words_add(&words, ms, strlen(ms));
    int status = crawl_list_add(now->it, &now->list, partition, &words, count);
    if (status == 0)
        now->list.commands[now->list.count - 1].most_bytes +=
            count * MOST_ITEM_BYTES;
    crawl_words_free(&words);
    return status;
}

/* Remembers a lease that nobody takes. */
static int refuse(popping *now, uint64_t lease)
{
    if (now->refused_count == now->refused_room) {
        size_t room = now->refused_room == 0 ? 64 : now->refused_room * 2;
        uint64_t *refused = realloc(now->refused, room * sizeof *now->refused);
        if (refused == NULL)
            return crawl_no_memory(now->it);
        now->refused = refused;
        now->refused_room = room;
    }
    now->refused[now->refused_count++] = lease;
    return 0;
}

/* The number of a lease, the URL, its data or none, how often it was handed
 * out. The lease of the crawl has to be a number, too. */
static bool is_item(const popping *now, const redisReply *row)
{
    long long most = LLONG_MAX / now->it->options.partitions - 1;
    return row->type == REDIS_REPLY_ARRAY && row->elements == 4 &&
           answer_is_number(row->element[0], 1, most) &&
           answer_is_text(row->element[1], MOST_TEXT_BYTES) &&
           (answer_is_text(row->element[2], MOST_TEXT_BYTES) ||
            row->element[2]->type == REDIS_REPLY_NIL) &&
           answer_is_number(row->element[3], 1, UINT32_MAX);
}

static int check_replies(const popping *now)
{
    for (size_t i = 0; i < now->list.count; i++) {
        const crawl_command *command = &now->list.commands[i];
        const redisReply *reply = command->reply;
        if (reply->type != REDIS_REPLY_ARRAY)
            return crawl_complain_reply(now->it, command, "no list of items");
        if (reply->elements > command->rows)
            return crawl_complain_reply(now->it, command,
                                        "more items than were asked for");
        for (size_t row = 0; row < reply->elements; row++)
            if (!is_item(now, reply->element[row]))
                return crawl_complain_reply(
                    now->it, command, "a row that is not an item of a crawl");
    }
    return 0;
}

static int take_item(popping *now, uint32_t partition, const redisReply *row)
{
    const redisReply *url = row->element[1], *data = row->element[2];
    uint64_t number = (uint64_t)row->element[0]->integer;
    crawl_item item = {.lease =
                           number * now->it->options.partitions + partition,
                       .deliveries = (uint32_t)row->element[3]->integer,
                       .url = url->str,
                       .url_len = (size_t)url->len};
    if (data->type == REDIS_REPLY_STRING) {
        item.data = data->str;
        item.data_len = (size_t)data->len;
    }
    if (!now->is_over && now->take(now->context, &item) == 0)
        now->had++;
    else
        now->is_over = true;
    return now->is_over ? refuse(now, item.lease) : 0;
}

static int take_replies(popping *now)
{
    int status = check_replies(now);
    for (size_t i = 0; status == 0 && i < now->list.count; i++) {
        const redisReply *reply = now->list.commands[i].reply;
        for (size_t row = 0; status == 0 && row < reply->elements; row++)
            status =
                take_item(now, now->list.partitions[i], reply->element[row]);
    }
    return status;
}

/* Pops from some partitions after `first`, which is in a ring. *done becomes
 * how many there were. No more are asked for than are wanted. */
static int pop_some(popping *now, size_t first, size_t left, size_t *done)
{
    size_t wanted = now->wanted - now->had;
    size_t some = left < AT_ONCE ? left : AT_ONCE;
    int status = 0;
    some = some < wanted ? some : wanted;
    size_t each = wanted / some, more = wanted % some;
    for (size_t i = 0; status == 0 && i < some; i++) {
        size_t count = each + (i < more);
        status = add_pop(now, now->with_urls[(first + i) % now->with_count],
                         count < MOST_EACH ? count : MOST_EACH);
    }
    if (status == 0)
        status = crawl_list_run(now->it, &now->list);
    if (status == 0)
        status = take_replies(now);
    crawl_list_clear(&now->list);
    *done = some;
    return status;
}

/* Around the ring again and again, as long as a round brings something. */
static int pop_around(popping *now)
{
    uint64_t start = (uint64_t)(clock_steady_seconds() * 1e9);
    size_t before, done;
    int status = 0;
    do {
        before = now->had;
        for (size_t i = 0; status == 0 && !now->is_over &&
                           now->had < now->wanted && i < now->with_count;
             i += done)
            status = pop_some(now, (start * 40503 + i) % now->with_count,
                              now->with_count - i, &done);
    } while (status == 0 && !now->is_over && now->had > before &&
             now->had < now->wanted);
    return status;
}

int crawl_pop(crawl *it, size_t wanted, uint64_t lease_ms, crawl_take *take,
              void *context)
{
    popping now = {.it = it,
                   .wanted = wanted,
                   .lease_ms = lease_ms,
                   .take = take,
                   .context = context};
    size_t missing;
    now.with_urls = calloc(it->options.partitions, sizeof *now.with_urls);
    int status = now.with_urls == NULL ? crawl_no_memory(it) : find(&now);
    if (status == 0 && now.with_count > 0)
        status = pop_around(&now);
    if (now.refused_count > 0 && crawl_nack(it, now.refused, now.refused_count,
                                            &(crawl_back){0}, &missing) != 0)
        status = COMMAND_ERROR;
    free(now.with_urls);
    free(now.refused);
    crawl_list_free(&now.list);
    return status;
}
