/*
 * ranges.h - which items are done, as sorted ranges of numbers.
 *
 * Items are handed out in order and acked nearly in order. So those that are
 * done are a few long ranges: at most one more than there are items among them
 * that are not done.
 */
#ifndef SS_ITEMS_RANGES_H
#define SS_ITEMS_RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"

typedef struct ss_range {
    uint64_t first, end; /* first..end-1 */
} ss_range;

/* Ascending; no two overlap or follow each other without a gap. */
typedef struct ss_ranges {
    ss_range *at;
    size_t count, room;
} ss_ranges;

void ss_ranges_free(ss_ranges *ranges, const ss_memory *memory);

/* Adds first..end-1. Returns false if there is no memory. */
bool ss_ranges_add(ss_ranges *ranges, const ss_memory *memory, uint64_t first,
                   uint64_t end);

/* The same; *added: how many of them were not there. */
bool ss_ranges_add_new(ss_ranges *ranges, const ss_memory *memory,
                       uint64_t first, uint64_t end, uint64_t *added);

/* If the item is in a range, the end of that range; else the item. */
uint64_t ss_ranges_skip(const ss_ranges *ranges, uint64_t item);

/* Removes everything below item. */
void ss_ranges_trim(ss_ranges *ranges, uint64_t item);

/* How many numbers are in the ranges. */
uint64_t ss_ranges_total(const ss_ranges *ranges);

#endif
