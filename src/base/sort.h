/*
 * sort.h - 64-bit numbers in order, in place.
 *
 * A radix sort from the top bits down: each level swaps every number straight
 * into the bucket of its next few bits, then sorts the buckets one by one. As
 * many bits are taken at once as leave a few numbers a bucket, at most eight,
 * so numbers that are spread evenly are touched log256(count) times. Worst
 * case, numbers that share all their top bits: once more for each byte.
 */
#ifndef SS_BASE_SORT_H
#define SS_BASE_SORT_H

#include <stdint.h>

/* Takes no memory but some 40 KiB of stack. count may be 0. */
void ss_sort_numbers(uint64_t *numbers, uint64_t count);

/* The same by their upper `bits` bits only, 1 to 64: those that are alike in
 * them are beside each other, in any order. */
void ss_sort_roughly(uint64_t *numbers, uint64_t count, unsigned bits);

/*
 * Moves one of each to the front, in order, and returns how many those are;
 * the numbers are sorted. What is left after them is unspecified.
 */
uint64_t ss_sort_drop_equal(uint64_t *numbers, uint64_t count);

#endif
