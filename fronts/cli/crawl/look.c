/* look.c - the figures of a crawl: the sums of its partitions. */
#include <hiredis/hiredis.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "crawl/parts.h"

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

static uint64_t number(const redisReply *info, const char *name)
{
    const redisReply *value = find(info, name);
    return value != NULL && value->type == REDIS_REPLY_INTEGER &&
                   value->integer > 0
               ? (uint64_t)value->integer
               : 0;
}

static void add(looking *now, const redisReply *info)
{
    crawl_figures *out = now->out;
    uint64_t due = number(info, "next-due-ms");
    const redisReply *rate = find(info, "rate");
    double fp_rate = rate == NULL || rate->str == NULL ? 0 : atof(rate->str);
    out->made_partitions++;
    out->pending += number(info, "pending");
    out->leased += number(info, "leased");
    out->delayed += number(info, "given-back");
    out->seen += number(info, "seen");
    out->pending_bytes += number(info, "pending-bytes");
    out->set_bytes += number(info, "set-bytes");
    out->bytes += number(info, "bytes");
    out->fp_rate = fp_rate > out->fp_rate ? fp_rate : out->fp_rate;
    if (due > 0 && due < now->next_due_ms)
        now->next_due_ms = due;
}

/* A partition that was never pushed into is not there. */
static int take_replies(looking *now)
{
    for (size_t i = 0; i < now->list.count; i++) {
        const redisReply *reply = now->list.commands[i].reply;
        if (reply->type == REDIS_REPLY_ARRAY)
            add(now, reply);
        else if (reply->type != REDIS_REPLY_ERROR ||
                 strstr(reply->str, "not found") == NULL)
            return crawl_complain_reply(now->it, reply);
    }
    return 0;
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
    int status = crawl_list_add(now->it, &now->list, 0, &words);
    crawl_words_free(&words);
    if (status == 0)
        status = crawl_list_run(now->it, &now->list);
    if (status != 0)
        return status;
    const redisReply *reply = now->list.commands[0].reply;
    if (reply->type != REDIS_REPLY_ARRAY || reply->elements != 2 ||
        reply->element[0]->str == NULL || reply->element[1]->str == NULL)
        return crawl_complain_reply(now->it, reply);
    double time =
        atof(reply->element[0]->str) + atof(reply->element[1]->str) / 1e6;
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
