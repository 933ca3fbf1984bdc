/*
 * counter.h - one place of a table as a small number: a bit, or a counter of
 * 4, 8 or 16 bits, which counts up to its largest value and then stays.
 */
#ifndef SS_TABLE_COUNTER_H
#define SS_TABLE_COUNTER_H

#include "table/table.h"

typedef struct ss_counter {
    uint64_t *word;
    unsigned shift;
    uint64_t full; /* the largest value, and the mask of the lowest counter */
} ss_counter;

static inline ss_counter ss_counter_at(const ss_table *table, uint64_t place)
{
    uint64_t bit = place * table->cell_bits;
    return (ss_counter){.word = table->words + bit / SS_WORD_BITS,
                        .shift = (unsigned)(bit % SS_WORD_BITS),
                        .full = (UINT64_C(1) << table->cell_bits) - 1};
}

static inline uint64_t ss_counter_value(ss_counter at)
{
    return *at.word >> at.shift & at.full;
}

static inline void ss_counter_increment(ss_counter at)
{
    if (ss_counter_value(at) < at.full)
        *at.word += UINT64_C(1) << at.shift;
}

/* A full counter no longer knows how often it was incremented: it stays. */
static inline void ss_counter_decrement(ss_counter at)
{
    uint64_t value = ss_counter_value(at);
    if (value > 0 && value < at.full)
        *at.word -= UINT64_C(1) << at.shift;
}

#endif
