/*
 * leases.h - the items that were handed out, or wait to be again.
 *
 * Each has a number, which no other ever had or gets, and the time from which
 * it may be handed out (again): the end of its lease, or of its delay. An item
 * that is handed out again gets a new number, so who had it before can no
 * longer acknowledge it. Nothing happens at the time itself: it is looked at
 * when items are popped, so servers with other clocks still hold the same.
 *
 * Numbers only grow, so rows are sorted by number when new ones are added at
 * the end, and a number is found by halving. An item that left makes a hole. A
 * heap has the items by their time.
 */
#ifndef SEENSET_REDIS_VISIT_PARTITION_LEASES_H
#define SEENSET_REDIS_VISIT_PARTITION_LEASES_H

#include "visit/partition/lease.h"

/* Of a lease or a delay: 34 years. */
#define SR_LEASE_MOST_MS (INT64_C(1) << 40)
#define SR_LEASE_MOST_NUMBER (UINT64_C(1) << 62)

typedef struct sr_lease_row {
    uint64_t number;
    sr_lease *lease; /* NULL: a hole */
} sr_lease_row;

typedef struct sr_leases {
    sr_lease_row *rows;
    uint64_t row_count, room; /* rows with holes; room: of rows and heap */
    sr_lease **heap;          /* heap_count: those that are SR_LEASE_TIMED */
    uint64_t count, out_count, heap_count; /* out_count: of those is_out */
    uint64_t next_number;                  /* from 1 on */
    uint64_t item_bytes;
} sr_leases;

/* The memory that they take. */
uint64_t sr_leases_bytes(const sr_leases *leases);

/* Makes room for so many new numbers. Returns 0 or SEENSET_ENOMEM. */
int sr_leases_reserve(sr_leases *leases, uint64_t more);

/* Gives the lease the next number, for which there is room, and the time. */
void sr_leases_add(sr_leases *leases, sr_lease *lease, uint64_t due_ms);

/* Adds one that has its number, time and all: the number is larger than any
 * before. */
void sr_leases_put(sr_leases *leases, sr_lease *lease);

/* The lease of a number; NULL: there is none. */
sr_lease *sr_leases_find(const sr_leases *leases, uint64_t number);

/* The one with the smallest time, if that is now or before; or NULL. */
sr_lease *sr_leases_due(const sr_leases *leases, uint64_t now_ms);

/* Gives it a new number, for which there is room, and another time. */
void sr_leases_renew(sr_leases *leases, sr_lease *lease, uint64_t due_ms,
                     bool is_out);

/* Gives it another time; one that was not in the heap is from then on. */
void sr_leases_move(sr_leases *leases, sr_lease *lease, uint64_t due_ms);

/* Takes it from the heap to another place, where others look after it. */
void sr_leases_leave(sr_leases *leases, sr_lease *lease, sr_lease_place place);

/* Whether it is handed out, as the client that has it sees it. */
void sr_leases_set_out(sr_leases *leases, sr_lease *lease, bool is_out);

/* One that is in no heap is at another address. */
void sr_leases_moved(sr_leases *leases, sr_lease *lease);

/* Removes and frees it. */
void sr_leases_remove(sr_leases *leases, sr_lease *lease);

void sr_leases_free(sr_leases *leases);

#endif
