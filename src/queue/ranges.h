/*
 * queue_ranges.h - which items are finished, as sorted ranges of numbers.
 *
 * Items are handed out in order and acked nearly so, which makes the finished
 * ones a few long ranges however many they are: one more than there are
 * unfinished items among them, at most.
 */
#ifndef SS_QUEUE_RANGES_H
#define SS_QUEUE_RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"

typedef struct ss_range {
    uint64_t first, end; /* first..end-1 */
} ss_range;

/* Sorted; no two touch. */
typedef struct ss_ranges {
    ss_range *at;
    size_t count, room;
} ss_ranges;

void ss_ranges_free(ss_ranges *ranges, const ss_memory *memory);

/* Adds first..end-1. False: no memory. */
bool ss_ranges_add(ss_ranges *ranges, const ss_memory *memory, uint64_t first,
                   uint64_t end);

/* If item is in a range, the range's end, else item. */
uint64_t ss_ranges_skip(const ss_ranges *ranges, uint64_t item);

/* Forgets everything below item. */
void ss_ranges_trim(ss_ranges *ranges, uint64_t item);

/* How many numbers the ranges hold. */
uint64_t ss_ranges_total(const ss_ranges *ranges);

#endif
