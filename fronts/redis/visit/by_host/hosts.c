/*
 * hosts.c - VISIT.HOSTS: the hosts that have the most URLs, with their figures.
 *
 *     VISIT.HOSTS key [TOP n]
 *
 * A host's name is not stored: it is cut from one of its URLs, or is the one
 * under which it got settings. A host with neither, of which only a delay runs
 * or a budget is counted, is not listed.
 */
#include <stdlib.h>

#include "commands.h"
#include "key/reply.h"
#include "visit/by_host/by_host.h"
#include "visit/by_host/figures.h"
#include "visit/words.h"

enum {
    FIELDS = 11,
    DEFAULT_TOP = 10
};

/* A host, and a lease that has its name if nothing else has. */
typedef struct entry {
    uint64_t hash, pending;
    uint32_t number;
    const sr_lease *lease;
} entry;

static void reply_name(RedisModuleCtx *ctx, const char *name, size_t len)
{
    sr_redis.reply_simple(ctx, "host");
    sr_redis.reply_bytes(ctx, name, len);
}

static uint64_t due_count(const sr_line *line)
{
    uint64_t count = 0;
    for (const sr_lease *due = sr_line_first_due(line); due != NULL;
         due = due == line->last_due ? NULL : due->next)
        count++;
    return count;
}

/* All but the name. number: SS_HOSTS_NONE, it is not known. */
static void reply_figures(RedisModuleCtx *ctx, const sr_sites *sites,
                          uint32_t number)
{
    static const sr_line nothing;
    static const ss_host_row nobody;
    bool is_known = number != SS_HOSTS_NONE;
    const ss_host_row *row =
        is_known ? ss_turns_host(&sites->turns, number) : &nobody;
    const sr_line *line = is_known ? sr_sites_line(sites, number) : &nothing;
    sr_field_number(ctx, "pending", sr_line_count(line));
    sr_field_number(ctx, "leased", row->leased);
    sr_field_number(ctx, "given-back", line->waiting + due_count(line));
    sr_field_number(ctx, "taken", line->taken);
    sr_field_number(ctx, "done", line->done);
    sr_field_number(ctx, "failed", line->failed);
    sr_field_number(ctx, "refused", line->refused);
    sr_field_number(ctx, "delay-ms",
                    is_known ? sr_sites_delay(sites, number)
                             : sites->rules.delay_ms);
    sr_field_number(ctx, "budget",
                    is_known ? sr_sites_budget(sites, number)
                             : sites->rules.budget);
    sr_field_number(ctx, "next-ms", row->ready_ms);
}

int sr_reply_host(const sr_visit_target *target, const char *name, size_t len)
{
    const sr_sites *sites = target->visit->sites;
    uint32_t number =
        ss_hosts_find(&sites->turns.all, sr_sites_hash_name(name, len));
    sr_redis.reply_map(target->ctx, FIELDS);
    reply_name(target->ctx, name, len);
    reply_figures(target->ctx, sites, number);
    return SR_OK;
}

/* ---- the list ---- */

static void reply_site(RedisModuleCtx *ctx, const sr_sites *sites,
                       const uint8_t *url, size_t len)
{
    size_t start = 0, site_len = len;
    (void)seenset_url_site(url, len, (seenset_url_site_kind)sites->rules.by,
                           &start, &site_len);
    reply_name(ctx, (const char *)url + start, site_len);
}

typedef struct naming {
    RedisModuleCtx *ctx;
    const sr_sites *sites;
} naming;

static int name_of_first(void *context, const uint8_t *raw, size_t len)
{
    const naming *to = context;
    sr_item item;
    (void)sr_item_read(raw, len, &item);
    reply_site(to->ctx, to->sites, item.url, item.url_len);
    return 1;
}

static void reply_entry(RedisModuleCtx *ctx, const sr_sites *sites,
                        const entry *of)
{
    naming to = {ctx, sites};
    const sr_line *line = sr_sites_line(sites, of->number);
    sr_redis.reply_map(ctx, FIELDS);
    if (line->own != NULL)
        reply_name(ctx, line->own->name, line->own->name_len);
    else if (of->lease != NULL)
        reply_site(ctx, sites, of->lease->bytes, of->lease->url_len);
    else if (sr_line_each(line, name_of_first, &to) != 1)
        reply_name(ctx, "", 0); /* no memory to unpack it */
    reply_figures(ctx, sites, of->number);
}

/* One lease of each host that has any, by the host's number. */
static const sr_lease **find_leases(RedisModuleCtx *ctx, const sr_visit *visit)
{
    const ss_host_table *all = &visit->sites->turns.all;
    const sr_lease **found =
        sr_redis.pool_alloc(ctx, ((size_t)all->used + 1) * sizeof *found);
    for (uint32_t i = 0; i < all->used; i++)
        found[i] = NULL;
    for (uint64_t i = 0; i < visit->leases.row_count; i++) {
        const sr_lease *lease = visit->leases.rows[i].lease;
        uint32_t number = lease == NULL
                              ? SS_HOSTS_NONE
                              : ss_hosts_find(all, sr_lease_host(lease));
        if (number != SS_HOSTS_NONE)
            found[number] = lease;
    }
    return found;
}

static size_t find_entries(RedisModuleCtx *ctx, const sr_visit *visit,
                           entry *out)
{
    const sr_sites *sites = visit->sites;
    const sr_lease **leases = find_leases(ctx, visit);
    size_t count = 0;
    for (uint32_t i = 0; i < sites->turns.all.used; i++) {
        const ss_host_row *row = ss_turns_host(&sites->turns, i);
        if (row->place == SS_HOST_UNUSED)
            continue;
        const sr_line *line = sr_sites_line(sites, i);
        uint64_t pending = sr_line_count(line);
        if (pending > 0 || line->own != NULL || leases[i] != NULL)
            out[count++] = (entry){.hash = row->hash,
                                   .pending = pending,
                                   .number = i,
                                   .lease = leases[i]};
    }
    return count;
}

static int compare(const void *a, const void *b)
{
    const entry *first = a, *second = b;
    if (first->pending != second->pending)
        return first->pending > second->pending ? -1 : 1;
    return first->hash < second->hash ? -1 : first->hash > second->hash;
}

int visit_hosts(RedisModuleCtx *ctx, RedisModuleString **argv, int argc)
{
    uint64_t top = DEFAULT_TOP;
    const sr_visit_word word = {"TOP", 1, SR_VISIT_MOST_COUNT, &top};
    if (argc < 2)
        return sr_redis.wrong_arity(ctx);
    const char *wrong = sr_visit_words(argv + 2, argc - 2, &word, 1);
    if (wrong != NULL)
        return sr_redis.reply_error(ctx, wrong);
    sr_visit_target target = sr_visit_find(ctx, argv[1], SR_READ);
    if (target.state != SR_SET)
        return sr_visit_reply_state(ctx, target.state);
    const sr_sites *sites = target.visit->sites;
    if (sites == NULL)
        return sr_redis.reply_error(ctx, SR_NO_RULES);
    entry *entries = sr_redis.pool_alloc(
        ctx, ((size_t)sites->turns.all.count + 1) * sizeof *entries);
    size_t count = find_entries(ctx, target.visit, entries);
    if (count > 0)
        qsort(entries, count, sizeof *entries, compare);
    count = count < top ? count : (size_t)top;
    sr_redis.reply_array(ctx, (long)count);
    for (size_t i = 0; i < count; i++)
        reply_entry(ctx, sites, &entries[i]);
    return SR_OK;
}
