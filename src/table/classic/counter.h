/*
 * counter.h - one place of a table as a small number: a bit, or a counter of 2
 * to 16 bits, which counts up to its largest value and then stays.
 *
 *     word:    |............ c9 ............|
 *     bits:   ... 45 ... 49 | 50 ... 54 | 55 ... 59 | 60 ..|.. 64 |
 *                  c9            c10         c11          c12
 *
 * Counter i is the bits from i times its width on, here of 5 bits. A width that
 * does not divide 64 makes some counters cross from one word into the next. The
 * next word is touched only for those, so the last counter of a table never
 * reads past its end. A line of 512 bits is crossed by one counter in 100 of 5
 * bits, so a cache miss more is rare.
 */
#ifndef SS_TABLE_CLASSIC_COUNTER_H
#define SS_TABLE_CLASSIC_COUNTER_H

#include "table/table.h"

typedef struct ss_counter {
    uint64_t *word; /* where it begins */
    unsigned shift; /* at this bit */
    unsigned bits;
    bool can_cross; /* the width does not divide 64 */
} ss_counter;

/* Does any counter of a table cross into the next word? Of all widths up to 16,
 * the powers of two divide 64. */
static inline bool ss_counter_can_cross(const ss_table *table)
{
    return (table->cell_bits & (table->cell_bits - 1)) != 0;
}

/* can_cross: that of the table; a loop that knows it passes a constant. */
static SS_ALWAYS_INLINE ss_counter ss_counter_with(const ss_table *table,
                                                   uint64_t place,
                                                   bool can_cross)
{
    uint64_t bit = place * table->cell_bits;
    return (ss_counter){.word = table->words + bit / SS_WORD_BITS,
                        .shift = (unsigned)(bit % SS_WORD_BITS),
                        .bits = table->cell_bits,
                        .can_cross = can_cross};
}

static inline ss_counter ss_counter_at(const ss_table *table, uint64_t place)
{
    return ss_counter_with(table, place, ss_counter_can_cross(table));
}

/* The largest value, and the mask of the lowest counter. */
static inline uint64_t ss_counter_full(ss_counter at)
{
    return (UINT64_C(1) << at.bits) - 1;
}

/* Does it go on in the next word? Then its shift is not 0. */
static inline bool ss_counter_is_crossing(ss_counter at)
{
    return at.can_cross && at.shift + at.bits > SS_WORD_BITS;
}

/* Of a bit, other threads may be setting others in its word. */
static inline uint64_t ss_counter_value(ss_counter at)
{
    uint64_t value = ss_bits_read(at.word) >> at.shift;
    if (ss_counter_is_crossing(at))
        value |= ss_bits_read(at.word + 1) << (SS_WORD_BITS - at.shift);
    return value & ss_counter_full(at);
}

/* Of another value: replaces it. */
static inline void ss_counter_store(ss_counter at, uint64_t value)
{
    uint64_t full = ss_counter_full(at);
    *at.word = (*at.word & ~(full << at.shift)) | value << at.shift;
    if (ss_counter_is_crossing(at)) {
        unsigned low_bits = SS_WORD_BITS - at.shift;
        at.word[1] = (at.word[1] & ~(full >> low_bits)) | value >> low_bits;
    }
}

/* It is not full, so it carries into the next word only if it crosses. */
static inline void ss_counter_increment(ss_counter at)
{
    uint64_t one = UINT64_C(1) << at.shift;
    if (ss_counter_value(at) >= ss_counter_full(at))
        return;
    *at.word += one;
    if (at.can_cross && *at.word < one)
        at.word[1]++;
}

/* A full counter no longer knows how often it was incremented: it stays. */
static inline void ss_counter_decrement(ss_counter at)
{
    uint64_t one = UINT64_C(1) << at.shift;
    uint64_t value = ss_counter_value(at);
    if (value == 0 || value >= ss_counter_full(at))
        return;
    if (at.can_cross && *at.word < one)
        at.word[1]--;
    *at.word -= one;
}

#endif
