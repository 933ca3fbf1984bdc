/*
 * shape.h - what the formulas (rate.c), the solver (solve.c) and the layers
 * above share about the shapes of tables.
 *
 * A layout's shape is a size m and a count k. A size comes in units: one bit
 * for the classic, one line in each region for the blocked layout.
 */
#ifndef SS_PLAN_H
#define SS_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bits.h"
#include "seenset/plan.h"

/* Do m and k mean what they mean in the classic filter? */
static inline bool ss_plan_is_classic(seenset_layout layout)
{
    return layout == SEENSET_LAYOUT_BLOOM || layout == SEENSET_LAYOUT_COUNTING;
}

/* Is k one that the layout can have? */
static inline bool ss_plan_is_hash_count(seenset_layout layout, uint32_t k)
{
    if (ss_plan_is_classic(layout))
        return k >= 1 && k <= SEENSET_MAX_HASH_COUNT;
    return layout == SEENSET_LAYOUT_BLOCKED && k >= SS_LINE_WORDS &&
           k <= SEENSET_MAX_LINE_COUNT * SS_LINE_WORDS &&
           k % SS_LINE_WORDS == 0;
}

/* The bits by which a size can grow. */
static inline uint64_t ss_plan_unit_bits(seenset_layout layout, uint32_t k)
{
    return ss_plan_is_classic(layout) ? 1 : (uint64_t)k * SS_WORD_BITS;
}

/* Can a table of the layout have m bits, k of them set by a key? */
static inline bool ss_plan_is_shape(seenset_layout layout, uint64_t m,
                                    uint32_t k)
{
    return ss_plan_is_hash_count(layout, k) && m >= 1 &&
           m <= SEENSET_MAX_SIZE_BITS && m % ss_plan_unit_bits(layout, k) == 0;
}

/* The fewest fingerprint bits of a sealed table that keep p for n keys, or miss
 * it by a millionth of it at most: 8, 16 or 32; 0 if none do. */
uint32_t ss_plan_fingerprint_bits(uint64_t n, double p);

/* seenset_plan_fp_rate for a shape that was checked */
double ss_plan_rate(seenset_layout layout, uint64_t n, uint64_t m, uint32_t k);

/* the same for n that is not whole, such as a mean */
double ss_plan_rate_at(seenset_layout layout, double n, uint64_t m, uint32_t k);

/* seenset_plan_wrong_items for a shape that was checked, by Simpson's rule over
 * an even number of intervals */
double ss_plan_wrong_items(seenset_layout layout, uint64_t item_count,
                           uint64_t size_bits, uint32_t hash_count,
                           int intervals);

#endif
