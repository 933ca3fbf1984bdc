/* table.h - what can be done with a table of any layout, and what rows of
 * different layouts have in common */
#ifndef SS_TABLE_TABLE_H
#define SS_TABLE_TABLE_H

#include "base/bits.h"
#include "table/layout.h"

/* The words of a table of size_bits places of cell_bits bits: whole lines. */
static inline uint64_t ss_table_words_for(uint64_t size_bits,
                                          uint32_t cell_bits)
{
    uint64_t bits = size_bits * cell_bits; /* at most 2^53 * 2^4 */
    return (bits + SS_LINE_BITS - 1) / SS_LINE_BITS * SS_LINE_WORDS;
}

static inline uint64_t ss_table_word_count(const ss_table *table)
{
    return ss_table_words_for(table->size_bits, table->cell_bits);
}

/* All memory of a table. */
uint64_t ss_table_bytes(const ss_table *table);

/* m; of a table that grows in place, all its bits. */
static inline uint64_t ss_table_size_bits(const ss_table *table)
{
    return table->expand != NULL ? ss_table_bytes(table) * 8 : table->size_bits;
}

/* A table of a checked shape over words that the caller owns. */
ss_table ss_table_make(const ss_layout *layout, uint64_t size_bits,
                       uint32_t hash_count, uint32_t cell_bits,
                       uint64_t *words);

/* The range of layouts whose places lie anywhere: all of the table. */
uint64_t ss_table_whole_range(uint64_t size_bits, uint32_t hash_count);

/* The unit of sizes that can be any number of cells. */
uint64_t ss_table_one_bit(uint32_t hash_count);

/* The bits of a hash whose places lie anywhere: bloom and counting. */
uint32_t ss_table_list_bits(const ss_table *table, uint64_t hash,
                            uint64_t bits[SEENSET_MAX_HASH_COUNT]);

/* Places that are not 0. */
uint64_t ss_table_count_cells(const ss_table *table);

/* Can words that came from outside be such a table's? Reads every word, where
 * not any can. */
bool ss_table_is_sound(const ss_table *table);

/* What all cells show. Reads every word. */
ss_sample ss_table_sample(const ss_table *table);

/* Which lines are all of a table; or, spread over it, `most_lines`. */
static inline ss_part ss_table_part(const ss_table *table, uint64_t most_lines)
{
    return (ss_part){.line_count = ss_table_word_count(table) / SS_LINE_WORDS,
                     .most_lines = most_lines / SS_CHUNKS};
}

/* Have both the same layout, in whatever way it is done? */
static inline bool ss_table_is_same_layout(const ss_table *a, const ss_table *b)
{
    return a->layout->traits == b->layout->traits;
}

/* Have both the same shape? */
bool ss_table_is_alike(const ss_table *a, const ss_table *b);

/* May `into` take the keys of `from`? */
bool ss_table_can_take(const ss_table *into, const ss_table *from);

/*
 * Makes `into` hold what both held; it can take it. Nobody else may use `into`
 * meanwhile; bits may be set in a `from` that is shared.
 */
void ss_table_merge(ss_table *into, const ss_table *from);

#endif
