/* table.c - what is the same for each layout: a table is an array of words */
#include "table/table.h"

#include "expand/expand.h"
#include "hash/xxh3.h"

ss_table ss_table_make(const ss_layout *layout, uint64_t size_bits,
                       uint32_t hash_count, uint32_t cell_bits, uint64_t *words)
{
    return (ss_table){.layout = layout,
                      .words = words,
                      .size_bits = size_bits,
                      .range = layout->range(size_bits, hash_count),
                      .hash_count = hash_count,
                      .cell_bits = cell_bits};
}

uint64_t ss_table_bytes(const ss_table *table)
{
    return table->expand != NULL
               ? ss_expand_bytes(table->expand)
               : ss_table_word_count(table) * sizeof *table->words;
}

uint64_t ss_table_whole_range(uint64_t size_bits, uint32_t hash_count)
{
    (void)hash_count;
    return size_bits;
}

uint64_t ss_table_one_bit(uint32_t hash_count)
{
    (void)hash_count;
    return 1;
}

uint32_t ss_table_list_bits(const ss_table *table, uint64_t hash,
                            uint64_t bits[SEENSET_MAX_HASH_COUNT])
{
    uint64_t x = hash;
    for (uint32_t i = 0; i < table->hash_count; i++) {
        bits[i] = ss_hash_range(x, table->range) * table->cell_bits;
        x = ss_hash_step(x);
    }
    return table->hash_count;
}

uint64_t ss_table_count_cells(const ss_table *table)
{
    if (table->layout->count_cells != NULL)
        return table->layout->count_cells(table);
    return ss_bits_count_all(table->words, ss_table_word_count(table));
}

bool ss_table_is_sound(const ss_table *table)
{
    uint32_t carry = 0;
    return table->layout->are_sound == NULL ||
           table->layout->are_sound(table, table->words, 0,
                                    ss_table_word_count(table) / SS_LINE_WORDS,
                                    &carry);
}

ss_sample ss_table_sample(const ss_table *table)
{
    ss_part whole = ss_table_part(table, UINT64_MAX);
    return table->layout->sample(table, &whole);
}

bool ss_table_is_alike(const ss_table *a, const ss_table *b)
{
    return ss_table_is_same_layout(a, b) && a->size_bits == b->size_bits &&
           a->hash_count == b->hash_count && a->cell_bits == b->cell_bits;
}

bool ss_table_can_take(const ss_table *into, const ss_table *from)
{
    if (ss_table_is_alike(into, from))
        return true;
    return ss_table_is_same_layout(into, from) &&
           into->layout->can_take != NULL && into->layout->can_take(into, from);
}

static void merge_single(uint64_t *into, const uint64_t *from, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        into[i] |= from[i];
}

static void merge_shared(uint64_t *into, const uint64_t *from, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        into[i] |= ss_bits_read(&from[i]);
}

void ss_table_merge(ss_table *into, const ss_table *from)
{
    if (into->layout->merge != NULL) {
        into->layout->merge(into, from);
        return;
    }
    uint64_t word_count = ss_table_word_count(into);
    if (from->layout->is_shared)
        merge_shared(into->words, from->words, word_count);
    else
        merge_single(into->words, from->words, word_count);
}
