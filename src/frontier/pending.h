/*
 * pending.h - which items of a polite queue are not acked: a bit each.
 *
 * The log has to be kept from the oldest of them on, and what is in it must be
 * found by number when it is acked. Both need no more than a bit: 1.02 for each
 * item from the oldest block on that has one that is pending.
 */
#ifndef SS_FRONTIER_PENDING_H
#define SS_FRONTIER_PENDING_H

#include "frontier/blocks.h"

typedef struct ss_pending {
    ss_blocks blocks;
    uint64_t oldest; /* no item before it */
} ss_pending;

void ss_pending_init(ss_pending *pending);
void ss_pending_free(ss_pending *pending, const ss_memory *memory);

/* Makes room for an item. Mostly it is newer than all. False: no memory. */
bool ss_pending_reserve(ss_pending *pending, const ss_memory *memory,
                        uint64_t item);

/* Adds it. */
void ss_pending_add(ss_pending *pending, uint64_t item);

bool ss_pending_has(const ss_pending *pending, uint64_t item);

/* Removes an item, which is there. */
void ss_pending_remove(ss_pending *pending, const ss_memory *memory,
                       uint64_t item);

/* The first item that is there and not before `from`; `end` if there is none
 * before that. */
uint64_t ss_pending_next(const ss_pending *pending, uint64_t from,
                         uint64_t end);

/* The first of all. It remembers it, and goes on from there. */
uint64_t ss_pending_oldest(ss_pending *pending, uint64_t end);

uint64_t ss_pending_bytes(const ss_pending *pending);

#endif
