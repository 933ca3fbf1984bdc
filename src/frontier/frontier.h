/*
 * frontier.h - the pending items of a polite queue, by host.
 *
 * The log has the items in the order in which they were pushed, and is the
 * truth. A polite queue takes them in another order: whose turn is it? So each
 * host has a chain of its items for each priority, in the order of their
 * numbers:
 *
 *     turns (turns/turns.h)        host 3
 *       whose turn is it?   ->     lane 9:  first 41 -> 47 -> 90  last
 *                                  lane 0:  first 12 -> 13 -> 55  last
 *                                             |
 *     links (links.h)                         v
 *       where is item 12?   ->     position 73,112 of the log
 *
 *     pending (pending.h)          which items are not acked
 *
 * Pushing adds a link, and the number to the host's last item. Taking reads the
 * record of the host's first item at its position, and goes on to the next. So
 * each costs the same, however many items are pending, and nothing is moved.
 *
 * An item that is pushed has its host in its link, until the record can be
 * read: then it gets into the chain (ss_frontier_link). So a group of records
 * that is rolled back was never in one.
 *
 * An item that was handed out has no link: its lease has its host and its
 * position. When it may be handed out again it waits before those that never
 * were, after those that came back earlier: that chain is linked in the leases
 * (queue/again.c), and only its ends are here, in a table of their own, since
 * few hosts have such items. One that is delayed may go to a file until then:
 * it has a link again, since the log may move it, and is in no chain.
 *
 * Links are on pages, of which a bounded part is in memory (scratch.h). So what
 * follows a link may fail as the disk may.
 *
 * Nothing here reads a clock, the log or a lease: queue/polite.h does. All of
 * it follows from the log, but for what a state has of hosts (hosts_bytes.h).
 *
 * Memory: 64 MiB of links at most, or 16 bytes for each item that waits; 1.4
 * bits for each item from the oldest pending one on; and for each host
 *
 *     28 + 12    in turns, and its load (load.h)
 *      4 +  2    in a heap of turns, and in their table
 *      4         more if all hosts have a budget
 *
 * so 46 bytes, and half a byte for what they are kept in. A host with settings,
 * items in several lanes or 16,384 of them has 210 bytes more; and each item
 * that was handed out 46, for that it may come back.
 */
#ifndef SS_FRONTIER_FRONTIER_H
#define SS_FRONTIER_FRONTIER_H

#include "frontier/links.h"
#include "frontier/live.h"
#include "frontier/load.h"
#include "frontier/pending.h"
#include "frontier/turns/turns.h"
#include "seenset/url.h"

/* No delay of its own, no limit. */
#define SS_FRONTIER_USUAL UINT64_MAX
#define SS_FRONTIER_ANY UINT64_MAX

#define SS_FRONTIER_MOST_DELAY_MS UINT64_C(31622400000) /* 366 days */

/* What holds for all hosts. */
typedef struct ss_frontier_rules {
    uint64_t delay_ms, budget; /* SS_FRONTIER_ANY: any number */
    uint32_t host_leases;
    seenset_url_site_kind by;
    bool is_from_start;
} ss_frontier_rules;

/* Which item of a host comes next. */
typedef struct ss_front {
    uint64_t item;
    unsigned lane;
    bool is_again; /* it was handed out before */
} ss_front;

typedef struct ss_frontier {
    ss_memory memory;
    seenset_allocator allocator; /* the same, for turns */
    ss_frontier_rules rules;
    bool has_taken; /* loads have it: all hosts have a budget */
    ss_turns turns;
    ss_pending pending;
    ss_links links;
    ss_host_table again;  /* ends of chains of items that were handed out */
    ss_live live;         /* where the pending items are in the log */
    uint64_t next_link;   /* no item before it waits to be linked */
    uint32_t reserved;    /* the host of the last ss_frontier_reserve */
    uint64_t rest_bytes;  /* of what loads have no room for */
    uint64_t over_budget; /* URLs that were refused */
} ss_frontier;

/* `file`: where links go that are not in memory. NULL: no memory. */
ss_frontier *ss_frontier_new(const ss_memory *memory,
                             const ss_frontier_rules *rules,
                             const ss_scratch_file *file);
void ss_frontier_free(ss_frontier *frontier);
uint64_t ss_frontier_bytes(const ss_frontier *frontier);

/* ---- hosts ---- */

/* The site of a URL: a part of it. */
void ss_frontier_site(const ss_frontier *frontier, const void *url, size_t len,
                      size_t *start, size_t *site_len);

/* A host is the hash of its name in lower case. */
uint64_t ss_frontier_hash(const ss_frontier *frontier, const void *url,
                          size_t len);
uint64_t ss_frontier_hash_name(const void *name, size_t len);

/* The number of a host, or SS_HOSTS_NONE; and one that is added if it is not
 * there: 0 or SEENSET_ENOMEM. */
uint32_t ss_frontier_find(const ss_frontier *frontier, uint64_t hash);
int ss_frontier_need(ss_frontier *frontier, uint64_t hash, uint32_t *number);

static inline ss_host_load *ss_frontier_load(const ss_frontier *frontier,
                                             uint32_t number)
{
    return ss_host_load_of(ss_turns_host(&frontier->turns, number));
}

/* Makes room for whatever is set for a host: 0 or SEENSET_ENOMEM. It stays
 * until ss_frontier_keep finds that nothing needs it. */
int ss_frontier_need_rest(ss_frontier *frontier, uint32_t number);

/* One call more, or less, will change the host, which has such room. */
void ss_frontier_pin(ss_frontier *frontier, uint32_t number);
void ss_frontier_unpin(ss_frontier *frontier, uint32_t number);

/* How many of its items are not acked, and were taken for its budget; and its
 * settings, or NULL. */
uint64_t ss_frontier_items(const ss_frontier *frontier, uint32_t number);
uint64_t ss_frontier_taken(const ss_frontier *frontier, uint32_t number);
ss_host_own *ss_frontier_own(const ss_frontier *frontier, uint32_t number);

/* Sets how many were taken: 0 or SEENSET_ENOMEM. */
int ss_frontier_set_taken(ss_frontier *frontier, uint32_t number,
                          uint64_t taken);

/* What holds for a host. */
uint64_t ss_frontier_delay_ms(const ss_frontier *frontier, uint32_t number);
uint64_t ss_frontier_budget(const ss_frontier *frontier, uint32_t number);

/* Has it all the URLs that its budget allows? */
bool ss_frontier_is_spent(const ss_frontier *frontier, uint32_t number);

/* Gives a host, which has room for it (above), a delay, a budget and a name.
 * It takes `own`, which ss_frontier_make_own returned, or NULL: no memory. */
ss_host_own *ss_frontier_make_own(const ss_frontier *frontier, const void *name,
                                  size_t name_len);
void ss_frontier_free_own(const ss_frontier *frontier, ss_host_own *own);
void ss_frontier_set_own(ss_frontier *frontier, uint32_t number,
                         ss_host_own *own);

/* The name in it. */
static inline char *ss_host_own_name(ss_host_own *own)
{
    return (char *)(own + 1);
}

/* After what keeps a host was changed: items, settings, what was taken. */
void ss_frontier_keep(ss_frontier *frontier, uint32_t number);

/* It is not asked before this time, or than it is anyway. */
void ss_frontier_not_before(ss_frontier *frontier, uint32_t number,
                            uint64_t ready_ms);

/* Forgets the hosts of which nothing is left to be remembered. */
void ss_frontier_forget(ss_frontier *frontier, uint64_t now_ms);

/* ---- items: errors are those of scratch, and nothing changed ---- */

/* Room for an item of a host, which is not there yet. Returns 0 or an error. */
int ss_frontier_reserve(ss_frontier *frontier, uint32_t number, uint64_t item);

/* Where the record of an item is in the log. */
typedef struct ss_span {
    uint64_t at;
    uint32_t bytes;
} ss_span;

/* Adds an item to the host for which there is room. It counts for the budget
 * unless it did before. */
void ss_frontier_push(ss_frontier *frontier, unsigned lane, uint64_t item,
                      ss_span record, bool is_taken);

/* An item that is not handed out was written again, to another place. Returns
 * 0 or an error. */
int ss_frontier_move(ss_frontier *frontier, uint64_t item, ss_span to);

/* The items from `first` to end - 1 are gone, as if not pushed: they are in no
 * chain. Returns 0, or an error: then some of them may be left. */
int ss_frontier_roll_back(ss_frontier *frontier, uint64_t first, uint64_t end);

/* Items before `end` whose records begin before `limit` get into the chains of
 * their hosts, unless they were handed out. Returns 0, or an error: the others
 * get there by the next call. */
int ss_frontier_link(ss_frontier *frontier, uint64_t end, uint64_t limit);

/* The lane, host and record of an item outside a chain. */
unsigned ss_frontier_lane_of(const ss_link *link);
uint32_t ss_frontier_host_of(const ss_link *link);
ss_span ss_frontier_span_of(const ss_link *link);

/* An item that waits to be linked was handed out before: it has no link any
 * more. Returns 0 or an error. */
int ss_frontier_set_out(ss_frontier *frontier, uint64_t item);

/* An item that was handed out goes to a file until it is due: it is in no
 * chain, and has a link again. Returns 0 or an error. */
int ss_frontier_put_away(ss_frontier *frontier, uint32_t number, unsigned lane,
                         uint64_t item, ss_span record);

/* The same of one that waits to be linked, by its link. */
int ss_frontier_set_away(ss_frontier *frontier, uint64_t item, ss_link link);
bool ss_frontier_is_away(const ss_link *link);

/* It comes back, and has no link any more. */
void ss_frontier_bring(ss_frontier *frontier, uint64_t item);

/* What is handed out next of a host; false: it has no items that wait. */
bool ss_frontier_best(const ss_frontier *frontier, uint32_t number,
                      ss_front *out);

/* Of a host's items in a lane that were handed out and wait again, the first
 * and the last. */
ss_ends ss_frontier_again(const ss_frontier *frontier, uint32_t number,
                          unsigned lane);
void ss_frontier_set_again(ss_frontier *frontier, uint32_t number,
                           unsigned lane, ss_ends ends);

/* Before an item gets a lease: room for the ends that so many items, with it,
 * can have. Returns 0 or SEENSET_ENOMEM. */
int ss_frontier_reserve_again(ss_frontier *frontier, uint64_t items);

/* Takes the first item out of the chain of a lane, whose link was read: it is
 * handed out. */
void ss_frontier_take(ss_frontier *frontier, uint32_t number, unsigned lane,
                      const ss_link *link);

/* A host's item outside a chain is done, and its record is free. */
void ss_frontier_done(ss_frontier *frontier, uint32_t number, uint64_t item,
                      ss_span record);

#endif
