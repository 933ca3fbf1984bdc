/*
 * read_sites.c - the hosts of a partition from bytes; see bytes.h and reader.h.
 *
 * How many leases of a host are out, or wait, is not in the bytes: it follows
 * from the leases, each of which has to have its host.
 */
#include <string.h>

#include "server/memory.h"
#include "visit/bytes/bytes.h"
#include "visit/bytes/reader.h"

static int read_rules(sr_reader *from, sr_rules *rules)
{
    rules->delay_ms = sr_take_number(from, 8);
    rules->budget = sr_take_number(from, 8);
    rules->per_host = (uint32_t)sr_take_number(from, 4);
    rules->give_up = (uint32_t)sr_take_number(from, 4);
    rules->by = (uint32_t)sr_take_number(from, 4);
    uint64_t flags = sr_take_number(from, 4);
    rules->is_from_start = flags == 1;
    return from->reason == NULL && rules->delay_ms <= SR_DELAY_MOST_MS &&
                   rules->budget <= SR_BUDGET_MOST && rules->per_host >= 1 &&
                   rules->per_host <= SS_HOST_MOST_LEASED &&
                   rules->by <= SEENSET_URL_SITE_DOMAIN && flags <= 1
               ? 0
               : sr_damaged(from, "its rules are damaged");
}

static bool is_own(uint64_t number, uint64_t most)
{
    return number <= most || number == SR_USUAL;
}

static int read_own(sr_reader *from, sr_own **out)
{
    sr_own own = {.block_until_ms = sr_take_number(from, 8)};
    own.unblocked_ms = sr_take_number(from, 8);
    own.delay_ms = sr_take_number(from, 8);
    own.budget = sr_take_number(from, 8);
    own.name_len = (uint32_t)sr_take_number(from, 4);
    const uint8_t *name = sr_take(from, own.name_len);
    if (name == NULL || own.block_until_ms > INT64_MAX ||
        own.unblocked_ms > INT64_MAX || own.name_len > SR_ITEM_MOST_BYTES ||
        !is_own(own.delay_ms, SR_DELAY_MOST_MS) ||
        !is_own(own.budget, SR_BUDGET_MOST))
        return sr_damaged(from, "the settings of a host are damaged");
    *out = sr_redis.try_alloc(sizeof own + own.name_len);
    if (*out == NULL)
        return SEENSET_ENOMEM;
    **out = own;
    if (own.name_len > 0)
        memcpy((*out)->name, name, own.name_len);
    return 0;
}

/* The items of a host that has few: one block. */
static int read_short(sr_reader *from, sr_line **line)
{
    sr_raw raw = {0};
    int error = sr_read_raw(from, &raw);
    if (error == 0 && raw.len > SR_BLOCK_MOST_BYTES)
        error = sr_damaged(from, "a host's items are too many for a block");
    sr_line *longer =
        error != 0 ? NULL : sr_redis.try_alloc(sizeof *longer + raw.len);
    if (longer != NULL) {
        *longer = **line;
        longer->len = longer->room = (uint32_t)raw.len;
        longer->items = (uint32_t)raw.items;
        if (raw.len > 0)
            memcpy(longer->bytes, raw.bytes, raw.len);
        sr_redis.free(*line);
        *line = longer;
    }
    if (raw.bytes != NULL)
        sr_redis.free(raw.bytes);
    return error == 0 && longer == NULL ? SEENSET_ENOMEM : error;
}

static int read_packed(sr_reader *from, sr_line *line)
{
    line->packed = sr_redis.try_alloc(sizeof *line->packed);
    if (line->packed == NULL)
        return SEENSET_ENOMEM;
    *line->packed = (sr_items){0};
    int error = sr_read_items(from, line->packed);
    if (error == 0 && sr_items_count(line->packed) == 0)
        return sr_damaged(from, "a host's packed items are none");
    return error;
}

static int read_line(sr_reader *from, sr_line **line, uint64_t flags)
{
    int error = 0;
    if ((flags & SR_HOST_HAS_OWN) != 0)
        error = read_own(from, &(*line)->own);
    if (error != 0)
        return error;
    return (flags & SR_HOST_IS_PACKED) != 0 ? read_packed(from, *line)
                                            : read_short(from, line);
}

typedef struct host_head {
    uint64_t hash, ready_ms, lead;
} host_head;

static int read_head(sr_reader *from, host_head *head)
{
    head->hash = sr_take_number(from, 8);
    head->ready_ms = sr_take_number(from, 8);
    head->lead = sr_take_number(from, 4);
    return from->reason == NULL && head->ready_ms <= SS_HOST_MOST_MS &&
                   head->lead <= SS_TURNS_MOST_STEP
               ? 0
               : sr_damaged(from, "a host is damaged");
}

/* What is known of a host beside its times. */
static int read_rest(sr_reader *from, sr_line **line)
{
    sr_line *to = *line;
    to->taken = (uint32_t)sr_take_number(from, 4);
    to->done = (uint32_t)sr_take_number(from, 4);
    to->failed = (uint32_t)sr_take_number(from, 4);
    to->refused = (uint32_t)sr_take_number(from, 4);
    uint64_t flags = sr_take_number(from, 4);
    if (from->reason != NULL || flags > (SR_HOST_HAS_OWN | SR_HOST_IS_PACKED))
        return sr_damaged(from, "a host is damaged");
    return read_line(from, line, flags);
}

static int read_host(sr_reader *from, sr_sites *sites)
{
    host_head head;
    uint32_t number;
    if (read_head(from, &head) != 0)
        return SEENSET_ECORRUPT;
    if (ss_hosts_find(&sites->turns.all, head.hash) != SS_HOSTS_NONE)
        return sr_damaged(from, "a host is there twice");
    if (sr_sites_need(sites, head.hash, &number) != 0)
        return SEENSET_ENOMEM;
    sr_line *line = sr_sites_line(sites, number);
    sr_sites_lift(sites, number);
    int error = read_rest(from, &line);
    sr_sites_set_line(sites, number, line);
    sr_sites_lower(sites, number);
    ss_turns_set_lead(&sites->turns, number, (uint32_t)head.lead);
    ss_turns_set_ready(&sites->turns, number, head.ready_ms);
    sr_sites_place(sites, number);
    return error;
}

int sr_read_sites(sr_reader *from, sr_sites **out)
{
    sr_rules rules;
    if (read_rules(from, &rules) != 0)
        return SEENSET_ECORRUPT;
    *out = sr_sites_new(&rules);
    if (*out == NULL)
        return SEENSET_ENOMEM;
    (*out)->refused = sr_take_number(from, 8);
    uint64_t count = sr_take_number(from, 8);
    int error = from->reason == NULL ? 0 : SEENSET_ECORRUPT;
    for (uint64_t i = 0; error == 0 && i < count; i++)
        error = read_host(from, *out);
    return error;
}

/* One that is out, or waits. */
static int place_timed(sr_reader *from, sr_sites *sites, uint32_t number,
                       const sr_lease *lease)
{
    if (!lease->is_out) {
        sr_sites_line(sites, number)->waiting++;
        return 0;
    }
    if (ss_turns_host(&sites->turns, number)->leased >= sites->rules.per_host)
        return sr_damaged(from, "a host has too many leases");
    ss_turns_lease_again(&sites->turns, number);
    return 0;
}

int sr_place_lease(sr_reader *from, sr_sites *sites, sr_lease *lease)
{
    if (lease->place == SR_LEASE_DEAD) {
        sites->dead_count++;
        return 0;
    }
    uint32_t number = ss_hosts_find(&sites->turns.all, sr_lease_host(lease));
    if (number == SS_HOSTS_NONE)
        return sr_damaged(from, "the host of a lease is missing");
    int error = 0;
    if (lease->place == SR_LEASE_DUE) {
        sr_line_add_due(sr_sites_line(sites, number), lease);
        sites->due_count++;
    } else {
        error = place_timed(from, sites, number, lease);
    }
    sr_sites_place(sites, number);
    return error;
}
