/*
 * end.c - what becomes of leases in a partition with rules: VISIT.ACK,
 * VISIT.NACK and VISIT.EXTEND, and the dead ones that are put back.
 */
#include "key/reply.h"
#include "visit/by_host/by_host.h"

bool sr_ending_may_be(const sr_visit *visit, const sr_lease *lease,
                      sr_ending ending)
{
    switch (ending) {
    case SR_END_ACK:
        return sr_sites_may_ack(lease);
    case SR_END_NACK:
    case SR_END_UNTRIED:
    case SR_END_AGAIN:
        return sr_sites_may_nack(lease);
    case SR_END_EXTEND:
        return sr_sites_may_extend(visit->sites, lease);
    case SR_END_REVIVE:
        break;
    }
    return lease->place == SR_LEASE_DEAD;
}

int sr_ending_do(sr_visit *visit, sr_lease *lease, sr_ending ending,
                 uint64_t now_ms, uint64_t due_ms)
{
    sr_sites *sites = visit->sites;
    sr_leases *leases = &visit->leases;
    switch (ending) {
    case SR_END_ACK:
        sr_sites_ack(sites, leases, lease, now_ms);
        break;
    case SR_END_NACK:
    case SR_END_UNTRIED:
        sr_sites_nack(sites, leases, lease, now_ms, due_ms,
                      ending == SR_END_UNTRIED);
        break;
    case SR_END_AGAIN:
        sr_sites_ack_again(sites, leases, lease, now_ms, due_ms);
        break;
    case SR_END_EXTEND:
        sr_sites_extend(sites, leases, lease, due_ms);
        break;
    case SR_END_REVIVE:
        return sr_sites_revive(sites, lease);
    }
    return 0;
}

static const struct {
    const char *effect, *event;
} names[] = {[SR_END_ACK] = {"HOSTACK", "visit.ack"},
             [SR_END_NACK] = {"HOSTNACK", "visit.nack"},
             [SR_END_UNTRIED] = {"HOSTUNTRIED", "visit.nack"},
             [SR_END_AGAIN] = {"HOSTAGAIN", "visit.ack"},
             [SR_END_EXTEND] = {"HOSTEXTEND", "visit.extend"},
             [SR_END_REVIVE] = {"REVIVE", "visit.dead"}};

typedef struct ending_now {
    const sr_visit_target *target;
    sr_ending ending;
    uint64_t now_ms, due_ms;
    sr_numbers found;
} ending_now;

/* Replies for each number whether it is a lease that may end so. */
static void reply_each(ending_now *now, const sr_numbers *numbers)
{
    RedisModuleCtx *ctx = now->target->ctx;
    sr_visit *visit = now->target->visit;
    sr_redis.reply_array(ctx, (long)numbers->count);
    for (size_t i = 0; i < numbers->count; i++) {
        uint64_t number = sr_numbers_get(numbers, i);
        sr_lease *lease = sr_leases_find(&visit->leases, number);
        bool is_done =
            lease != NULL && sr_ending_may_be(visit, lease, now->ending) &&
            sr_ending_do(visit, lease, now->ending, now->now_ms, now->due_ms) ==
                0;
        sr_redis.reply_bool(ctx, is_done);
        if (is_done)
            sr_numbers_add(&now->found, number);
    }
}

int sr_end_by_host(const sr_visit_target *target, const sr_numbers *numbers,
                   sr_ending ending, uint64_t ms)
{
    RedisModuleCtx *ctx = target->ctx;
    sr_visit *visit = target->visit;
    ending_now now = {.target = target,
                      .ending = ending,
                      .now_ms = sr_visit_time(0),
                      .found = sr_numbers_new(ctx, numbers->count)};
    int error = sr_leases_reserve(&visit->leases, numbers->count);
    if (error != 0)
        return sr_reply_error(ctx, error);
    uint64_t first = visit->leases.next_number;
    now.due_ms = now.now_ms + ms;
    bool is_settled = sr_sites_settle(visit->sites, &visit->leases, now.now_ms);
    reply_each(&now, numbers);
    if (now.found.count == 0 && !is_settled)
        return SR_OK;
    sr_redis.replicate(ctx, "VISIT.EFFECT", "sclllb", target->name,
                       names[ending].effect, (long long)now.now_ms,
                       (long long)now.due_ms, (long long)first, now.found.bytes,
                       now.found.count * sizeof(uint64_t));
    sr_visit_signal(target, names[ending].event);
    return SR_OK;
}
