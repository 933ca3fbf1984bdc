/*
 * heap.h - leases as a binary heap: the one with the smallest time, and
 * of equal times the smallest number, is the first. Each knows where it is.
 */
#ifndef SEENSET_REDIS_VISIT_PARTITION_HEAP_H
#define SEENSET_REDIS_VISIT_PARTITION_HEAP_H

#include "visit/partition/lease.h"

/* Adds a lease to `count` others; there is room for it. */
void sr_heap_add(sr_lease **heap, uint64_t count, sr_lease *lease);

/* After its time or number changed. */
void sr_heap_moved(sr_lease **heap, uint64_t count, sr_lease *lease);

/* Takes it out of count leases. */
void sr_heap_remove(sr_lease **heap, uint64_t count, sr_lease *lease);

#endif
