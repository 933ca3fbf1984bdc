/*
 * items.h - the items that are not acked yet, by what became of them.
 *
 * Items of each priority are in a lane of their own, which knows nothing of the
 * others. Each lane has a reader, which goes through the log once and passes
 * what is of other lanes. `read_item` is the first item that it has not come
 * to, and its position is at or before the record of that item, of whatever
 * lane. So each item of the lane is in one of these places:
 *
 *     below read_item, in leases    handed out and not acked
 *     below read_item, in delays    given back, and in a file until it is due
 *     below read_item otherwise     acked
 *     read_item or above, in done   acked before the queue was opened
 *     read_item or above otherwise  never handed out in this handle: it waits
 *
 * A lane in which no item waits need not be read. In a queue with priorities
 * its reader is moved to the next item that is pushed to it (ss_items_pushed),
 * and to the log's end in what is written down (ss_items_pass_empty). So a lane
 * that is empty most of the time reads little, and needs none of the log.
 *
 * In a polite queue items are handed out in the order of the frontier. Then
 * lanes have no readers, `done` is empty, and an item is in leases, or waits in
 * the frontier, or is done.
 */
#ifndef SS_ITEMS_ITEMS_H
#define SS_ITEMS_ITEMS_H

#include "items/delayed/delays.h"
#include "items/leases.h"
#include "items/ranges.h"
#include "log/log_blocks.h"

typedef struct ss_lane {
    ss_leases leases;
    ss_delays delays;  /* of a folder's queue that is not polite */
    uint64_t spill_at; /* once more than so many items are delayed in leases,
                          they go there */
    ss_ranges done;
    uint64_t read_item;
    ss_log_reader reader; /* {0} but for its position until it is needed */
    uint64_t unacked_items;
    uint64_t group_items; /* of these, of the group that no sync is for yet */
} ss_lane;

typedef struct ss_items {
    ss_lane lanes[SS_LANES];
    ss_log_reader rereads; /* for items that are handed out again */
    ss_log_blocks blocks;  /* of a polite queue, which reads in any order */
    uint64_t lease_ns;     /* how long a lease lasts */
    ss_run_files run_files;
    uint64_t run_items; /* in the smallest runs: as many may wait in leases */
    bool has_lanes;     /* others than the first may have items */
    bool has_long_numbers; /* of items that were handed out: leases.h */
    bool is_polite;        /* lanes have no readers: frontier/frontier.h */
} ss_items;

/* From now on it is those of a polite queue. */
void ss_items_make_polite(ss_items *items);

void ss_items_free(ss_items *items, const ss_memory *memory);

/* How many items of the lane were never handed out in this handle. */
static inline uint64_t ss_lane_waiting(const ss_lane *lane)
{
    return lane->unacked_items - lane->leases.count - lane->delays.items;
}

/* Those of all lanes that are not acked. */
uint64_t ss_items_unacked(const ss_items *items);

/* Adds an item that is handed out for the first time in this handle; as
 * ss_leases_add. */
ss_leased_item *ss_items_add(ss_items *items, const ss_memory *memory,
                             unsigned lane, uint64_t number, uint64_t position);

/* The item that has this lease, or had it and was handed out since, or is being
 * acked; or NULL. */
ss_leased_item *ss_items_find(const ss_items *items, uint64_t lease);
ss_leased_item *ss_items_of(const ss_items *items, uint64_t lease);

/* The turn that comes after the item's. */
uint32_t ss_items_next_turn(const ss_items *items, const ss_leased_item *item);

/* The lane of an item that was handed out. */
static inline ss_lane *ss_items_lane_of(ss_items *items,
                                        const ss_leased_item *item)
{
    return &items->lanes[item->lane];
}

/* Gives an item that was handed out a state and a time when it is due. */
void ss_items_set(ss_items *items, ss_leased_item *item, ss_lease_state state,
                  uint64_t due_ns);

/* An item is appended to a lane: its number and position. */
void ss_items_pushed(ss_items *items, unsigned lane, uint64_t item,
                     uint64_t position);

/* A sync begins that covers all of them; or the group since then is gone, and
 * so are the acks that end after `from`. */
void ss_items_start_group(ss_items *items);
void ss_items_roll_back(ss_items *items, uint64_t from);

/* Readers of lanes in which nothing waits go to the log's end. Without
 * priorities: if the reader has come to the last item. */
void ss_items_pass_empty(ss_items *items, uint64_t next_item, uint64_t end);

#endif
