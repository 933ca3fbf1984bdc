/*
 * pop.c - VISIT.POP and VISIT.PEEK in a partition with rules: items of hosts
 * that may be asked now, as their turns come.
 */
#include <stdlib.h>

#include "key/reply.h"
#include "visit/by_host/by_host.h"
#include "visit/words.h"

typedef struct popping {
    sr_visit *visit;
    uint64_t now_ms, due_ms, wanted;
    sr_lease **leases;
    sr_numbers hosts;
} popping;

/* Hands out the first item of the host whose turn it is. Returns 1, 0 (no host
 * may be asked now) or SEENSET_ENOMEM. */
static int take_one(popping *now)
{
    sr_sites *sites = now->visit->sites;
    uint32_t number = ss_turns_first(&sites->turns, now->now_ms);
    if (number == SS_HOSTS_NONE)
        return 0;
    uint64_t hash = ss_turns_host(&sites->turns, number)->hash;
    int found = sr_sites_take(sites, &now->visit->leases, number, now->now_ms,
                              now->due_ms, &now->leases[now->hosts.count]);
    if (found == 1)
        sr_numbers_add(&now->hosts, hash);
    return found;
}

/* As many as there are, up to what is wanted; fewer if memory ends. */
static int take(popping *now)
{
    int found = sr_leases_reserve(&now->visit->leases, now->wanted);
    if (found != 0)
        return found;
    do {
        found = now->hosts.count < now->wanted ? take_one(now) : 0;
    } while (found == 1);
    return now->hosts.count == 0 ? found : 0;
}

static void reply(RedisModuleCtx *ctx, const popping *now)
{
    sr_redis.reply_array(ctx, (long)now->hosts.count);
    for (size_t i = 0; i < now->hosts.count; i++)
        sr_reply_lease(ctx, now->leases[i]);
}

int sr_pop_by_host(const sr_visit_target *target, uint64_t count,
                   uint64_t lease_ms)
{
    RedisModuleCtx *ctx = target->ctx;
    sr_visit *visit = target->visit;
    uint64_t all = sr_visit_count(visit), first = visit->leases.next_number;
    popping now = {.visit = visit,
                   .now_ms = sr_visit_time(0),
                   .wanted = count < all ? count : all};
    now.due_ms = now.now_ms + lease_ms;
    now.leases =
        sr_redis.pool_alloc(ctx, (now.wanted + 1) * sizeof *now.leases);
    now.hosts = sr_numbers_new(ctx, now.wanted);
    bool is_settled = sr_sites_settle(visit->sites, &visit->leases, now.now_ms);
    int error = take(&now);
    if (error != 0)
        sr_reply_error(ctx, error);
    else
        reply(ctx, &now);
    if (now.hosts.count == 0 && !is_settled)
        return SR_OK;
    sr_redis.replicate(ctx, "VISIT.EFFECT", "sclllb", target->name, "HOSTPOP",
                       (long long)now.now_ms, (long long)now.due_ms,
                       (long long)first, now.hosts.bytes,
                       now.hosts.count * sizeof(uint64_t));
    sr_visit_signal(target, "visit.pop");
    return SR_OK;
}

/* ---- VISIT.PEEK: the first item of each host that is ready ---- */

typedef struct ready_host {
    uint64_t hash;
    uint32_t lead;
    const sr_line *line;
} ready_host;

/* As turns take them. */
static int compare(const void *a, const void *b)
{
    const ready_host *first = a, *second = b;
    if (first->lead != second->lead)
        return first->lead < second->lead ? -1 : 1;
    return first->hash < second->hash ? -1 : first->hash > second->hash;
}

static size_t find_ready(const sr_sites *sites, uint64_t now_ms,
                         ready_host *out)
{
    size_t count = 0;
    for (uint32_t i = 0; i < sites->turns.all.used; i++) {
        const ss_host_row *row = ss_turns_host(&sites->turns, i);
        if ((row->place == SS_HOST_WAITS || row->place == SS_HOST_READY) &&
            row->ready_ms <= now_ms)
            out[count++] = (ready_host){.hash = row->hash,
                                        .lead = ss_turns_lead(&sites->turns, i),
                                        .line = sr_sites_line(sites, i)};
    }
    return count;
}

static int reply_first(void *context, const uint8_t *raw, size_t len)
{
    sr_item item;
    (void)sr_item_read(raw, len, &item);
    sr_redis.reply_array(context, 2);
    sr_reply_item(context, &item);
    return 1;
}

/* Returns whether there was memory for it. */
static bool peek_one(RedisModuleCtx *ctx, const sr_line *line)
{
    const sr_lease *due = sr_line_first_due(line);
    if (due == NULL)
        return sr_line_each(line, reply_first, ctx) == 1;
    sr_item item = sr_lease_item(due);
    sr_redis.reply_array(ctx, 2);
    sr_reply_item(ctx, &item);
    return true;
}

int sr_peek_by_host(const sr_visit_target *target, uint64_t count)
{
    RedisModuleCtx *ctx = target->ctx;
    const sr_sites *sites = target->visit->sites;
    ready_host *ready = sr_redis.pool_alloc(
        ctx, ((size_t)sites->turns.all.count + 1) * sizeof *ready);
    size_t found = find_ready(sites, sr_visit_time(0), ready);
    uint64_t done = 0;
    if (found > 0)
        qsort(ready, found, sizeof *ready, compare);
    sr_redis.reply_array(ctx, SR_POSTPONED);
    while (done < count && done < found && peek_one(ctx, ready[done].line))
        done++;
    sr_redis.set_array_len(ctx, (long)done);
    return SR_OK;
}
