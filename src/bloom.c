/*
 * bloom.c - the classic filter (Bloom 1970): a key sets k bits among m.
 *
 *     x = hash        index 0 = floor(x m / 2^64)
 *     x = step(x)     index 1 = floor(x m / 2^64)      ... k times
 *
 * The indices of a key are independent and uniform, so two may be equal; the
 * formula in rate.c counts that. It spends the fewest bits of any layout that
 * can be added to, and k cache misses a key. A lookup stops at the first bit
 * that is not set, after two misses on average for a key never seen.
 */
#include <math.h>

#include "hash.h"
#include "table.h"

static uint64_t bloom_range(uint64_t size_bits, uint32_t hash_count)
{
    (void)hash_count;
    return size_bits;
}

static bool bloom_add(ss_table *table, uint64_t hash)
{
    uint64_t missing = 0;
    uint64_t x = hash;
    for (uint32_t i = 0; i < table->hash_count; i++) {
        uint64_t index = ss_hash_range(x, table->range);
        uint64_t *word = &table->words[index / SS_WORD_BITS];
        uint64_t bit = UINT64_C(1) << (index % SS_WORD_BITS);
        missing |= ~*word & bit;
        *word |= bit;
        x = ss_hash_step(x);
    }
    return missing != 0;
}

static bool bloom_has(const ss_table *table, uint64_t hash)
{
    uint64_t x = hash;
    for (uint32_t i = 0; i < table->hash_count; i++) {
        uint64_t index = ss_hash_range(x, table->range);
        uint64_t word = table->words[index / SS_WORD_BITS];
        if ((word >> (index % SS_WORD_BITS) & 1) == 0)
            return false;
        x = ss_hash_step(x);
    }
    return true;
}

static size_t bloom_add_many(ss_table *table, const uint64_t *hashes,
                             size_t count, uint8_t *is_new)
{
    size_t news = 0;
    for (size_t i = 0; i < count; i++) {
        is_new[i] = bloom_add(table, hashes[i]);
        news += is_new[i];
    }
    return news;
}

static size_t bloom_has_many(const ss_table *table, const uint64_t *hashes,
                             size_t count, uint8_t *is_seen)
{
    size_t seen = 0;
    for (size_t i = 0; i < count; i++) {
        is_seen[i] = bloom_has(table, hashes[i]);
        seen += is_seen[i];
    }
    return seen;
}

static double bloom_current_fp_rate(const ss_table *table)
{
    double fill = (double)ss_table_count_bits(table) / (double)table->size_bits;
    return pow(fill, table->hash_count);
}

const ss_layout ss_bloom = {.id = SEENSET_BLOOM,
                            .range = bloom_range,
                            .add = bloom_add,
                            .has = bloom_has,
                            .add_many = bloom_add_many,
                            .has_many = bloom_has_many,
                            .current_fp_rate = bloom_current_fp_rate};
