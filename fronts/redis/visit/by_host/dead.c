/*
 * dead.c - VISIT.DEAD: URLs that were handed out GIVEUP times, and failed.
 *
 *     VISIT.DEAD key [COUNT n]           the first of them, 10 by default
 *     VISIT.DEAD key BACK [lease ...]    these, or all, are tried again
 *
 * A dead URL is seen, and keeps the number of its last lease. VISIT.ACK of that
 * removes it.
 */
#include "commands.h"
#include "key/reply.h"
#include "server/arguments.h"
#include "visit/by_host/by_host.h"
#include "visit/by_host/figures.h"
#include "visit/words.h"

enum {
    DEFAULT_COUNT = 10
};

static bool is_dead(const sr_lease *lease)
{
    return lease != NULL && lease->place == SR_LEASE_DEAD;
}

static int list(const sr_visit_target *target, uint64_t count)
{
    const sr_leases *leases = &target->visit->leases;
    uint64_t done = 0;
    sr_redis.reply_array(target->ctx, SR_POSTPONED);
    for (uint64_t i = 0; done < count && i < leases->row_count; i++) {
        if (!is_dead(leases->rows[i].lease))
            continue;
        sr_reply_lease(target->ctx, leases->rows[i].lease);
        done++;
    }
    sr_redis.set_array_len(target->ctx, (long)done);
    return SR_OK;
}

static sr_numbers all_dead(const sr_visit_target *target)
{
    const sr_visit *visit = target->visit;
    sr_numbers all =
        sr_numbers_new(target->ctx, (size_t)visit->sites->dead_count);
    for (uint64_t i = 0; i < visit->leases.row_count; i++) {
        if (is_dead(visit->leases.rows[i].lease))
            sr_numbers_add(&all, visit->leases.rows[i].number);
    }
    return all;
}

static int put_back(const sr_visit_target *target, RedisModuleString **argv,
                    int argc)
{
    sr_numbers numbers;
    if (argc == 0)
        numbers = all_dead(target);
    else if (sr_numbers_read(&numbers, target->ctx, argv, (size_t)argc) != 0)
        return sr_redis.reply_error(target->ctx, "ERR a lease is a number that "
                                                 "VISIT.DEAD replied");
    return sr_end_by_host(target, &numbers, SR_END_REVIVE, 0);
}

int visit_dead(RedisModuleCtx *ctx, RedisModuleString **argv, int argc)
{
    uint64_t count = DEFAULT_COUNT;
    const sr_visit_word word = {"COUNT", 1, SR_VISIT_MOST_COUNT, &count};
    if (argc < 2)
        return sr_redis.wrong_arity(ctx);
    bool is_back = argc > 2 && sr_is_word(argv[2], "BACK");
    const char *wrong =
        is_back ? NULL : sr_visit_words(argv + 2, argc - 2, &word, 1);
    if (wrong != NULL)
        return sr_redis.reply_error(ctx, wrong);
    sr_visit_target target = sr_visit_find(ctx, argv[1], SR_READ | SR_WRITE);
    if (target.state != SR_SET)
        return sr_visit_reply_state(ctx, target.state);
    if (target.visit->sites == NULL)
        return sr_redis.reply_error(ctx, SR_NO_RULES);
    return is_back ? put_back(&target, argv + 3, argc - 3)
                   : list(&target, count);
}
