/*
 * sites.h - the pending items of a partition by host, and the rules of when
 * each host may be asked.
 *
 *     VISIT.POP  ->  turns: whose turn is it?  ->  the line of that host:
 *                                                  first what is due again,
 * then the oldest pending item
 *
 * A lease that ends by the clock has two effects: its host may be asked a delay
 * after that, and its item is due again. Nothing happens at the time itself: a
 * command that has a time settles first what ended until then, in the order in
 * which it ended. Only the server that a client talks to reads a clock.
 * Replicas and the log get the time with what was done at it, and settle the
 * same, so they have the same hosts to the bit.
 *
 * A host is the hash of a site (seenset_url_site) in lower case. It is computed
 * once, when a URL is pushed, and kept with the item's lease, so servers whose
 * lists of public suffixes differ still agree.
 *
 * An item that was handed out give_up times and failed is dead: it is kept, and
 * handed out again only after sr_sites_revive.
 */
#ifndef SEENSET_REDIS_VISIT_PARTITION_SITES_H
#define SEENSET_REDIS_VISIT_PARTITION_SITES_H

#include "seenset/url.h"
#include "visit/partition/leases.h"
#include "visit/partition/line.h"
#include "frontier/turns/turns.h"

#define SR_DELAY_MOST_MS (UINT64_C(366) * 24 * 3600 * 1000)
#define SR_BUDGET_MOST UINT32_MAX

/* What VISIT.NEW says. */
typedef struct sr_rules {
    uint64_t delay_ms;  /* between two of a host: 0 to SR_DELAY_MOST_MS */
    uint64_t budget;    /* URLs of a host; 0: any number */
    uint32_t per_host;  /* out at a time: 1 to SS_HOST_MOST_LEASED */
    uint32_t give_up;   /* after so many hand-outs; 0: never */
    uint32_t by;        /* a seenset_url_site_kind */
    bool is_from_start; /* a delay begins with the hand-out */
} sr_rules;

typedef struct sr_sites {
    sr_rules rules;
    ss_turns turns;
    uint64_t items, line_bytes, block_count; /* of all lines */
    uint64_t due_count, dead_count;          /* leases in these places */
    uint64_t refused;                        /* URLs beyond a budget */
} sr_sites;

/* Without hosts; or NULL: no memory. */
sr_sites *sr_sites_new(const sr_rules *rules);
void sr_sites_free(sr_sites *sites);

/* The memory that they take. */
uint64_t sr_sites_bytes(const sr_sites *sites);

/* ---- hosts ---- */

/* The hash of a URL's site, and of a site by its name. */
uint64_t sr_sites_hash(const sr_sites *sites, const void *url, size_t len);
uint64_t sr_sites_hash_name(const void *name, size_t len);

/* A host, which is added if it is not there. Returns 0 or SEENSET_ENOMEM. */
int sr_sites_need(sr_sites *sites, uint64_t hash, uint32_t *number);

/* The line of a host, by its row or number; and setting it. */
sr_line *sr_row_line(ss_host_row *row);
sr_line *sr_sites_line(const sr_sites *sites, uint32_t number);
void sr_sites_set_line(sr_sites *sites, uint32_t number, sr_line *line);

/* What holds for a host. */
uint64_t sr_sites_delay(const sr_sites *sites, uint32_t number);
uint64_t sr_sites_budget(const sr_sites *sites, uint32_t number);

/* Adds a host that is left over, of which nothing is to be remembered? */
bool sr_sites_is_blank(const ss_host_row *row);

/* Before and after a line changes: what all take together. */
void sr_sites_lift(sr_sites *sites, uint32_t number);
void sr_sites_lower(sr_sites *sites, uint32_t number);

/* ---- items ---- */

/* Room for an item of a host. Returns 0 or SEENSET_ENOMEM. */
int sr_sites_reserve(sr_sites *sites, uint32_t number, size_t bytes);

/* Adds an item, for which there is room. */
void sr_sites_push(sr_sites *sites, uint32_t number, const sr_item *item);

/* Has the host all the URLs that its budget allows? */
bool sr_sites_is_spent(const sr_sites *sites, uint64_t hash);

/* One URL more was refused for that. */
void sr_sites_refuse(sr_sites *sites, uint64_t hash);

/* ---- leases ---- */

/* It is now: what ended until then. Returns whether there was anything. */
bool sr_sites_settle(sr_sites *sites, sr_leases *leases, uint64_t now_ms);

/*
 * Hands out the first item of a host until due_ms, with the next number, for
 * which there is room in the leases. Returns 1 and the lease, 0 (it has none)
 * or SEENSET_ENOMEM.
 */
int sr_sites_take(sr_sites *sites, sr_leases *leases, uint32_t number,
                  uint64_t now_ms, uint64_t due_ms, sr_lease **lease);

/* Whether a client that has the number of a lease may still do this with it. */
bool sr_sites_may_ack(const sr_lease *lease);
bool sr_sites_may_nack(const sr_lease *lease);
bool sr_sites_may_extend(const sr_sites *sites, const sr_lease *lease);

/* These are for leases that may be so treated, after sr_sites_settle. nack and
 * ack_again give it the next number, for which there is room; nack only unless
 * it is dead from then on. */
void sr_sites_ack(sr_sites *sites, sr_leases *leases, sr_lease *lease,
                  uint64_t now_ms);
void sr_sites_ack_again(sr_sites *sites, sr_leases *leases, sr_lease *lease,
                        uint64_t now_ms, uint64_t due_ms);
void sr_sites_nack(sr_sites *sites, sr_leases *leases, sr_lease *lease,
                   uint64_t now_ms, uint64_t due_ms, bool is_untried);
void sr_sites_extend(sr_sites *sites, sr_leases *leases, sr_lease *lease,
                     uint64_t due_ms);

/* A dead one is due, as if it had never been handed out. Returns 0 or
 * SEENSET_ENOMEM. */
int sr_sites_revive(sr_sites *sites, sr_lease *lease);

/* ---- settings of a host ---- */

/* SR_USUAL: as all; block_until_ms: 0, it is not blocked. */
typedef struct sr_setting {
    const char *name;
    size_t name_len;
    uint64_t delay_ms, budget, block_until_ms;
} sr_setting;

/* Returns 0 or SEENSET_ENOMEM. */
int sr_sites_set(sr_sites *sites, const sr_setting *setting);

/* After a line or its settings were read: where the host belongs. */
void sr_sites_place(sr_sites *sites, uint32_t number);

#endif
