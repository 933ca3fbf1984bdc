/*
 * turns.h - whose turn is it? Hosts, none of which is asked too often.
 *
 * A crawl has many hosts with items. Each host has a time before which it is
 * not to be asked: its delay after it was asked last. Of the hosts whose time
 * has come, the one whose turn is oldest is next.
 *
 *     waits   by time   [a 10:00.2] [b 10:00.7] [c 10:01.0] ...
 *                            | its time comes
 *     ready   by turn   [d 5.0] [e 5.0] [a 5.3] ...  -> handed out
 *                            | its turn is one delay later
 *     idle    by time   nothing is pending, and its delay runs: it is forgotten
 *                       when that is over
 *
 * Turns. A host's turn is a number on a clock that only hand-outs move: handing
 * out sets the clock to the host's turn, and moves the host's turn on by its
 * delay, in 1/128 of the usual one. A host that comes, or comes back, has the
 * clock's turn, so a late host does not wait for another's backlog, and one
 * with ten million items gets no more than its share. In whole turns, a host of
 * 1.5 s among hosts of 1 s would be asked every 2 s. The clock has 32 bits and
 * may wrap: turns in `ready` are never before it, and at most
 * SS_TURNS_MOST_STEP after it.
 *
 * Ranks. A host may have a rank: that of the best of its items. Of hosts whose
 * time has come the highest rank is next, and of these the one whose turn is
 * oldest. Each rank has its clock of turns. A host that changes its rank is as
 * far after the new clock as it was after the old one.
 *
 * Time is the caller's: no clock is read here. What is done with the same times
 * in the same order leads to the same state, wherever it is done: asking whose
 * turn it is, however often, changes none of it. Hosts whose time has come move
 * from one heap to another then, and which heap has a host is not remembered.
 * A host that never had to wait, of time 0, is ready at once.
 *
 * Memory: 28 bytes for each host and the caller's load, 4 for the heaps and 2
 * for the table, and a hundredth of that; and less than 10 KB for a start. It
 * grows by pieces of 128 hosts, and is not given back when hosts leave: their
 * rows are used again. A call that adds a host takes all of it; no other call
 * can fail. A host that has no items, no leases and no delay that runs is
 * forgotten, with its turn, unless the caller keeps it.
 *
 * Mercator (Heydon, Najork 1999) has a heap of times over queues of hosts;
 * the turns are those of fair queueing (Demers, Keshav, Shenker 1989).
 */
#ifndef SS_FRONTIER_TURNS_TURNS_H
#define SS_FRONTIER_TURNS_TURNS_H

#include "frontier/turns/host_queue.h"

enum {
    SS_TURNS_A_DELAY = 128,
    SS_TURNS_MOST_STEP = 1 << 24
};

typedef struct ss_turns {
    ss_host_table all;
    ss_host_queue waits, ready, idle;
    ss_host_order order;
    uint32_t most_leased; /* of a host at a time: 1 to SS_HOST_MOST_LEASED */
    uint64_t delay_ms;    /* the usual one */
    bool is_from_start;   /* it counts from the hand-out, not from the end */
} ss_turns;

void ss_turns_init(ss_turns *it, const seenset_allocator *memory);
void ss_turns_free(ss_turns *it);

/* The bytes that it takes. */
uint64_t ss_turns_bytes(const ss_turns *it);

/* The row of a host. */
static inline ss_host_row *ss_turns_host(const ss_turns *it, uint32_t number)
{
    return ss_hosts_row(&it->all, number);
}

/* Adds a host, which is not there, with no items: it is forgotten by the next
 * ss_turns_forget_idle. Returns 0 or SEENSET_ENOMEM. */
int ss_turns_add(ss_turns *it, uint64_t hash, uint32_t *number);

/* Forgets a host at once. */
void ss_turns_remove(ss_turns *it, uint32_t number);

/* Whether it has items; whether it is kept when it has none. */
void ss_turns_set_items(ss_turns *it, uint32_t number, bool has_items);
void ss_turns_set_kept(ss_turns *it, uint32_t number, bool is_kept);

/* Its rank, 0 to SS_HOST_RANKS - 1; a new host has 0. */
void ss_turns_set_rank(ss_turns *it, uint32_t number, unsigned rank);

/* It may be asked from then on, whatever it was before. */
void ss_turns_set_ready(ss_turns *it, uint32_t number, uint64_t ready_ms);

/* Forgets the idle hosts whose time has come, each after a call of `forget`.
 * Returns how many there were. */
typedef void ss_turns_forget(void *context, ss_host_row *row);
uint64_t ss_turns_forget_idle(ss_turns *it, uint64_t now_ms,
                              ss_turns_forget *forget, void *context);

/* The host whose turn it is now, or SS_HOSTS_NONE. */
uint32_t ss_turns_first(ss_turns *it, uint64_t now_ms);

/* An item of it is handed out; delay_ms is the host's own, or the usual one. */
void ss_turns_hand_out(ss_turns *it, uint32_t number, uint64_t now_ms,
                       uint64_t delay_ms);

/* One of its leases ended at that time. An item that was not tried starts no
 * delay. */
void ss_turns_end(ss_turns *it, uint32_t number, uint64_t end_ms,
                  uint64_t delay_ms, bool is_tried);

/* One more of its items is out, which was before, and is again. */
void ss_turns_lease_again(ss_turns *it, uint32_t number);

/* When the next host may be asked; UINT64_MAX: none has items to hand out. */
uint64_t ss_turns_next_ms(const ss_turns *it);

/* How far a host's turn is after the clock, and setting that. */
uint32_t ss_turns_lead(const ss_turns *it, uint32_t number);
void ss_turns_set_lead(ss_turns *it, uint32_t number, uint32_t lead);

#endif
