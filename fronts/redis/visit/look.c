/*
 * look.c - VISIT.PEEK, VISIT.LEN and VISIT.INFO: what there is,
 * unchanged.
 *
 *     VISIT.PEEK key [COUNT n]    the next URLs that VISIT.POP would hand out
 *     VISIT.LEN key               how many are not acknowledged
 */
#include <stdlib.h>

#include "commands.h"
#include "key/reply.h"
#include "visit/by_host/by_host.h"
#include "visit/words.h"

typedef struct peek {
    RedisModuleCtx *ctx;
    uint64_t wanted, done;
} peek;

static void reply_one(peek *to, const sr_item *item)
{
    sr_redis.reply_array(to->ctx, 2);
    sr_reply_item(to->ctx, item);
    to->done++;
}

static int peek_raw(void *context, const uint8_t *raw, size_t len)
{
    peek *to = context;
    sr_item item;
    for (size_t at = 0; at < len && to->done < to->wanted;) {
        at += sr_item_read(raw + at, len - at, &item);
        reply_one(to, &item);
    }
    return to->done == to->wanted;
}

/* By time, and of equal times by number, as in the heap. */
static int compare(const void *a, const void *b)
{
    const sr_lease *first = *(sr_lease *const *)a;
    const sr_lease *second = *(sr_lease *const *)b;
    if (first->due_ms != second->due_ms)
        return first->due_ms < second->due_ms ? -1 : 1;
    return first->number < second->number ? -1 : 1;
}

/* The leases that have ended, in their order. */
static void peek_due(peek *to, const sr_leases *leases)
{
    uint64_t now = sr_visit_time(0), count = 0;
    sr_lease **due = sr_redis.pool_alloc(to->ctx, (size_t)(leases->count + 1) *
                                                      sizeof(sr_lease *));
    for (uint64_t i = 0; i < leases->heap_count; i++) {
        if (leases->heap[i]->due_ms <= now)
            due[count++] = leases->heap[i];
    }
    if (count > 0)
        qsort(due, (size_t)count, sizeof(sr_lease *), compare);
    for (uint64_t i = 0; i < count && to->done < to->wanted; i++) {
        sr_item item = sr_lease_item(due[i]);
        reply_one(to, &item);
    }
}

int visit_peek(RedisModuleCtx *ctx, RedisModuleString **argv, int argc)
{
    peek to = {.ctx = ctx, .wanted = 1};
    const sr_visit_word word = {"COUNT", 1, SR_VISIT_MOST_COUNT, &to.wanted};
    if (argc < 2)
        return sr_redis.wrong_arity(ctx);
    const char *wrong = sr_visit_words(argv + 2, argc - 2, &word, 1);
    if (wrong != NULL)
        return sr_redis.reply_error(ctx, wrong);
    sr_visit_target target = sr_visit_find(ctx, argv[1], SR_READ);
    if (target.state == SR_MISSING)
        return sr_redis.reply_array(ctx, 0);
    if (target.state != SR_SET)
        return sr_visit_reply_state(ctx, target.state);
    if (target.visit->sites != NULL)
        return sr_peek_by_host(&target, to.wanted);
    sr_redis.reply_array(ctx, SR_POSTPONED);
    peek_due(&to, &target.visit->leases);
    if (to.done < to.wanted)
        sr_items_each(&target.visit->items, peek_raw, &to);
    sr_redis.set_array_len(ctx, (long)to.done);
    return SR_OK;
}

int visit_len(RedisModuleCtx *ctx, RedisModuleString **argv, int argc)
{
    if (argc != 2)
        return sr_redis.wrong_arity(ctx);
    sr_visit_target target = sr_visit_find(ctx, argv[1], SR_READ);
    if (target.state == SR_MISSING)
        return sr_redis.reply_number(ctx, 0);
    if (target.state != SR_SET)
        return sr_visit_reply_state(ctx, target.state);
    return sr_redis.reply_number(ctx, (long long)sr_visit_count(target.visit));
}

enum {
    FIELDS = 15,
    FIELDS_BY_HOST = 10 /* more, with rules for hosts */
};

static void reply_set(RedisModuleCtx *ctx, const seenset_info *info)
{
    sr_field_number(ctx, "seen", info->added_items);
    sr_field_number(ctx, "capacity", info->capacity_items);
    sr_field_double(ctx, "rate", info->fp_rate);
    sr_field_number(ctx, "set-bytes", info->memory_bytes);
}

static void reply_items(RedisModuleCtx *ctx, const sr_visit *visit)
{
    const sr_sites *sites = visit->sites;
    uint64_t count = sr_visit_pending(visit);
    uint64_t bytes =
        sites == NULL ? sr_items_bytes(&visit->items) : sites->line_bytes;
    sr_field_number(ctx, "pending", count);
    sr_field_number(ctx, "pending-bytes", bytes);
    sr_field_double(ctx, "bytes-a-pending-url",
                    count == 0 ? 0 : (double)bytes / (double)count);
    sr_field_number(ctx, "packed-blocks",
                    sites == NULL ? visit->items.block_count
                                  : sites->block_count);
}

/* The first time at which a lease ends, or a host may be asked that has URLs;
 * 0: there is none. Of hosts it may be past: it is now. */
static uint64_t next_due_ms(const sr_visit *visit)
{
    const sr_leases *leases = &visit->leases;
    uint64_t due =
        leases->heap_count == 0 ? UINT64_MAX : leases->heap[0]->due_ms;
    uint64_t host = visit->sites == NULL
                        ? UINT64_MAX
                        : ss_turns_next_ms(&visit->sites->turns);
    host += host == 0;
    due = due < host ? due : host;
    return due == UINT64_MAX ? 0 : due;
}

static void reply_leases(RedisModuleCtx *ctx, const sr_visit *visit)
{
    const sr_leases *leases = &visit->leases;
    uint64_t dead = visit->sites == NULL ? 0 : visit->sites->dead_count;
    sr_field_number(ctx, "leased", leases->out_count);
    sr_field_number(ctx, "given-back",
                    leases->count - leases->out_count - dead);
    sr_field_number(ctx, "lease-bytes", sr_leases_bytes(leases));
    sr_field_number(ctx, "next-lease", leases->next_number);
    sr_field_number(ctx, "next-due-ms", next_due_ms(visit));
}

/* As sr_rules has them: those of VISIT.NEW. */
static void reply_rules(RedisModuleCtx *ctx, const sr_rules *rules)
{
    static const char *const by[] = {"host", "hostport", "domain"};
    sr_field_number(ctx, "delay-ms", rules->delay_ms);
    sr_field_number(ctx, "per-host", rules->per_host);
    sr_field_text(ctx, "by", by[rules->by]);
    sr_field_text(ctx, "from", rules->is_from_start ? "start" : "end");
    sr_field_number(ctx, "budget", rules->budget);
    sr_field_number(ctx, "give-up", rules->give_up);
}

static void reply_hosts(RedisModuleCtx *ctx, const sr_sites *sites)
{
    reply_rules(ctx, &sites->rules);
    sr_field_number(ctx, "hosts", sites->turns.all.count);
    sr_field_number(ctx, "host-bytes", ss_turns_bytes(&sites->turns));
    sr_field_number(ctx, "refused", sites->refused);
    sr_field_number(ctx, "dead", sites->dead_count);
}

int visit_info(RedisModuleCtx *ctx, RedisModuleString **argv, int argc)
{
    if (argc != 2)
        return sr_redis.wrong_arity(ctx);
    sr_visit_target target = sr_visit_find(ctx, argv[1], SR_READ);
    if (target.state != SR_SET)
        return sr_visit_reply_state(ctx, target.state);
    seenset_info info;
    int error = seenset_get_info(target.visit->set, &info, sizeof info);
    if (error != 0)
        return sr_reply_error(ctx, error);
    const sr_sites *sites = target.visit->sites;
    sr_redis.reply_map(ctx, FIELDS + (sites == NULL ? 0 : FIELDS_BY_HOST));
    reply_items(ctx, target.visit);
    reply_leases(ctx, target.visit);
    reply_set(ctx, &info);
    sr_field_number(ctx, "bytes", sr_visit_bytes(target.visit));
    sr_field_number(ctx, "limit", target.visit->limit_bytes);
    if (sites != NULL)
        reply_hosts(ctx, sites);
    return SR_OK;
}
