/* table.c - what is the same for every layout: a table is an array of bits */
#include "table.h"

static const ss_layout *const layouts[] = {&ss_blocked, &ss_bloom};

const ss_layout *ss_layout_find(seenset_layout id)
{
    for (size_t i = 0; i < sizeof layouts / sizeof layouts[0]; i++) {
        if (layouts[i]->id == id)
            return layouts[i];
    }
    return NULL;
}

ss_table ss_table_make(seenset_layout layout, uint64_t size_bits,
                       uint32_t hash_count, uint64_t *words)
{
    const ss_layout *row = ss_layout_find(layout);
    return (ss_table){.layout = row,
                      .words = words,
                      .size_bits = size_bits,
                      .range = row->range(size_bits, hash_count),
                      .hash_count = hash_count};
}

uint64_t ss_table_count_bits(const ss_table *table)
{
    return ss_bits_count_all(table->words,
                             ss_table_word_count(table->size_bits));
}

bool ss_table_is_alike(const ss_table *a, const ss_table *b)
{
    return a->layout == b->layout && a->size_bits == b->size_bits &&
           a->hash_count == b->hash_count;
}

void ss_table_merge(ss_table *into, const ss_table *from)
{
    uint64_t word_count = ss_table_word_count(into->size_bits);
    for (uint64_t i = 0; i < word_count; i++)
        into->words[i] |= from->words[i];
}
