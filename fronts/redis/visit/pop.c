/*
 * pop.c - VISIT.POP: URLs are handed out, each until its lease ends.
 *
 *     VISIT.POP key [COUNT n] [LEASE ms]
 *
 * First those whose lease or delay has ended, the oldest first, and then those
 * that are pending. The reply has for each the number of its lease, the URL,
 * its data or null, and how many times it was handed out. In a partition with
 * rules for hosts, those of hosts that may be asked now: by_host/pop.c.
 */
#include "commands.h"
#include "key/reply.h"
#include "server/arguments.h"
#include "visit/by_host/by_host.h"
#include "visit/words.h"

typedef struct popped {
    sr_lease **leases;
    size_t count;
    uint64_t fresh, first_number;
    sr_numbers again; /* the numbers that were handed out before */
} popped;

/* Hands out what is due. */
static void take_due(sr_visit *visit, uint64_t wanted, uint64_t due_ms,
                     popped *out)
{
    uint64_t now = sr_visit_time(0);
    sr_lease *lease;
    while (out->count < wanted &&
           (lease = sr_leases_due(&visit->leases, now)) != NULL) {
        sr_numbers_add(&out->again, lease->number);
        sr_leases_renew(&visit->leases, lease, due_ms, true);
        out->leases[out->count++] = lease;
    }
}

/* Hands out so many; fewer if memory ends. Returns 0 or SEENSET_ENOMEM. */
static int take(sr_visit *visit, uint64_t wanted, uint64_t due_ms, popped *out)
{
    int error = sr_leases_reserve(&visit->leases, wanted);
    if (error != 0)
        return error;
    out->first_number = visit->leases.next_number;
    take_due(visit, wanted, due_ms, out);
    int found = 1;
    while (out->count < wanted && found == 1) {
        found = sr_visit_take(visit, due_ms, &out->leases[out->count]);
        if (found == 1) {
            out->count++;
            out->fresh++;
        }
    }
    return found < 0 && out->count == 0 ? found : 0;
}

static void reply(RedisModuleCtx *ctx, const popped *out)
{
    sr_redis.reply_array(ctx, (long)out->count);
    for (size_t i = 0; i < out->count; i++)
        sr_reply_lease(ctx, out->leases[i]);
}

static int pop(const sr_visit_target *target, uint64_t count, uint64_t lease_ms)
{
    RedisModuleCtx *ctx = target->ctx;
    uint64_t all = sr_visit_count(target->visit);
    uint64_t wanted = count < all ? count : all;
    uint64_t due_ms = sr_visit_time(lease_ms);
    popped out = {0};
    out.leases = sr_redis.pool_alloc(ctx, (wanted + 1) * sizeof *out.leases);
    out.again = sr_numbers_new(ctx, wanted);
    int error = take(target->visit, wanted, due_ms, &out);
    if (error != 0)
        return sr_reply_error(ctx, error);
    reply(ctx, &out);
    if (out.count == 0)
        return SR_OK;
    sr_redis.replicate(ctx, "VISIT.EFFECT", "sclllb", target->name, "POP",
                       (long long)due_ms, (long long)out.first_number,
                       (long long)out.fresh, out.again.bytes,
                       out.again.count * sizeof(uint64_t));
    sr_visit_signal(target, "visit.pop");
    return SR_OK;
}

int visit_pop(RedisModuleCtx *ctx, RedisModuleString **argv, int argc)
{
    uint64_t count = 1, lease_ms = SR_VISIT_DEFAULT_LEASE;
    const sr_visit_word words[] = {{"COUNT", 1, SR_VISIT_MOST_COUNT, &count},
                                   {"LEASE", 1, SR_LEASE_MOST_MS, &lease_ms}};
    if (argc < 2)
        return sr_redis.wrong_arity(ctx);
    const char *wrong = sr_visit_words(argv + 2, argc - 2, words, 2);
    if (wrong != NULL)
        return sr_redis.reply_error(ctx, wrong);
    sr_visit_target target = sr_visit_find(ctx, argv[1], SR_READ | SR_WRITE);
    if (target.state == SR_MISSING)
        return sr_redis.reply_array(ctx, 0);
    if (target.state != SR_SET)
        return sr_visit_reply_state(ctx, target.state);
    return target.visit->sites != NULL
               ? sr_pop_by_host(&target, count, lease_ms)
               : pop(&target, count, lease_ms);
}
