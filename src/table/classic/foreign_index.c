/*
 * foreign_index.c - the classic and the counting table with places from an
 * index scheme (index_scheme.h) instead of the chain: for reading, writing and
 * checking the filters of other systems.
 *
 * A scheme wants the key itself, so these rows take keys and no hashes; and
 * they work one place at a time, a bit being a counter that counts to one. Of
 * many keys, the places of a group are computed and fetched before the first of
 * them is looked at, so that its cache misses overlap.
 */
#include "table/classic/foreign_index.h"

#include <math.h>

#include "hash/index_scheme.h"
#include "table/classic/bloom.h"
#include "table/classic/sample.h"
#include "table/classic/counter.h"
#include "table/classic/counting.h"

static void indices_of(const ss_table *table, const void *key, size_t key_len,
                       uint64_t *indices)
{
    table->scheme->indices(table->scheme_arguments, key, key_len,
                           table->size_bits, table->hash_count, indices);
}

static uint32_t list_key_bits(const ss_table *table, const void *key,
                              size_t key_len,
                              uint64_t bits[SEENSET_MAX_HASH_COUNT])
{
    indices_of(table, key, key_len, bits);
    for (uint32_t i = 0; i < table->hash_count; i++)
        bits[i] *= table->cell_bits;
    return table->hash_count;
}

static uint64_t count_at(const ss_table *table, const uint64_t *indices)
{
    uint64_t least = UINT64_MAX;
    for (uint32_t i = 0; i < table->hash_count && least > 0; i++) {
        uint64_t value = ss_counter_value(ss_counter_at(table, indices[i]));
        least = value < least ? value : least;
    }
    return least;
}

static uint64_t indexed_count(const ss_table *table, const void *key,
                              size_t key_len)
{
    uint64_t indices[SEENSET_MAX_HASH_COUNT];
    indices_of(table, key, key_len, indices);
    return count_at(table, indices);
}

static int indexed_has(const ss_table *table, const void *key, size_t key_len)
{
    return indexed_count(table, key, key_len) > 0;
}

static bool add_at(ss_table *table, const uint64_t *indices)
{
    bool is_new = false;
    for (uint32_t i = 0; i < table->hash_count; i++) {
        ss_counter at = ss_counter_at(table, indices[i]);
        is_new |= ss_counter_value(at) == 0;
        ss_counter_increment(at);
    }
    return is_new;
}

static bool indexed_add(ss_table *table, const void *key, size_t key_len)
{
    uint64_t indices[SEENSET_MAX_HASH_COUNT];
    indices_of(table, key, key_len, indices);
    return add_at(table, indices);
}

static bool indexed_remove(ss_table *table, const void *key, size_t key_len)
{
    if (!indexed_has(table, key, key_len))
        return false;
    uint64_t indices[SEENSET_MAX_HASH_COUNT];
    indices_of(table, key, key_len, indices);
    for (uint32_t i = 0; i < table->hash_count; i++)
        ss_counter_decrement(ss_counter_at(table, indices[i]));
    return true;
}

enum {
    GROUP_INDICES = 1024, /* of all keys of a group; at least four keys */
    GROUP_KEYS = 64
};

/* The places of keys from number `first` on, one after another, which are
 * fetched. Returns how many keys these are. */
static size_t fetch_group(const ss_table *table, const ss_batch *batch,
                          size_t first, uint64_t indices[GROUP_INDICES])
{
    uint8_t bytes[sizeof(uint64_t)];
    size_t most = GROUP_INDICES / table->hash_count;
    size_t left = batch->count - first;
    size_t count = most < GROUP_KEYS ? most : GROUP_KEYS;
    count = left < count ? left : count;
    for (size_t i = 0; i < count; i++) {
        seenset_key key = ss_batch_key(batch, first + i, bytes);
        uint64_t *mine = indices + i * table->hash_count;
        indices_of(table, key.data, key.len, mine);
        for (uint32_t j = 0; j < table->hash_count; j++)
            SS_PREFETCH(ss_counter_at(table, mine[j]).word);
    }
    return count;
}

static size_t indexed_add_many(ss_table *table, const ss_batch *batch,
                               uint8_t *is_new)
{
    uint64_t indices[GROUP_INDICES];
    size_t news = 0;
    for (size_t done = 0; done < batch->count;) {
        size_t count = fetch_group(table, batch, done, indices);
        for (size_t i = 0; i < count; i++, done++) {
            is_new[done] = add_at(table, indices + i * table->hash_count);
            news += is_new[done];
        }
    }
    return news;
}

static size_t indexed_has_many(const ss_table *table, const ss_batch *batch,
                               uint8_t *is_seen)
{
    uint64_t indices[GROUP_INDICES];
    size_t seen = 0;
    for (size_t done = 0; done < batch->count;) {
        size_t count = fetch_group(table, batch, done, indices);
        for (size_t i = 0; i < count; i++, done++) {
            is_seen[done] =
                count_at(table, indices + i * table->hash_count) > 0;
            seen += is_seen[done];
        }
    }
    return seen;
}

/* ---- keys that have their places in one line ---- */

static bool is_of_lines(const ss_table *table)
{
    return table->scheme->size_rule == SS_SCHEME_WHOLE_LINES;
}

/* A fresh key chooses a line, and then k bits of it. */
static ss_sample sample_lines(const ss_table *table, const ss_part *part)
{
    ss_tally tally = {0};
    for (uint32_t i = 0; i < SS_CHUNKS; i++) {
        ss_lines chunk = ss_part_lines(part, i);
        for (uint64_t line = chunk.first; line < chunk.end; line++) {
            const ss_lines one = {line, line + 1};
            uint64_t ones = ss_sample_count(table->words, one);
            double fill = (double)ones / SS_LINE_BITS;
            ss_tally_add(&tally, pow(fill, table->hash_count), ones);
        }
    }
    return ss_sample_of_regions(&tally, 1, SS_LINE_BITS);
}

static ss_sample bits_sample(const ss_table *table, const ss_part *part)
{
    return is_of_lines(table) ? sample_lines(table, part)
                              : ss_classic_sample(table, part);
}

/* A key's bits come together, so k of them are one thing. */
static double bits_events(const ss_table *table, ss_lines lines, double *places)
{
    double events = ss_classic_events(table, lines, places);
    return is_of_lines(table) ? events / table->hash_count : events;
}

const ss_layout ss_foreign_bloom = {.traits = &ss_bloom_traits,
                                    .name = "scheme",
                                    .range = ss_table_whole_range,
                                    .list_key_bits = list_key_bits,
                                    .add_key = indexed_add,
                                    .has_key = indexed_has,
                                    .add_many = indexed_add_many,
                                    .has_many = indexed_has_many,
                                    .sample = bits_sample,
                                    .events = bits_events};

const ss_layout ss_foreign_counting = {.traits = &ss_counting_traits,
                                       .name = "scheme",
                                       .range = ss_table_whole_range,
                                       .list_key_bits = list_key_bits,
                                       .add_key = indexed_add,
                                       .has_key = indexed_has,
                                       .add_many = indexed_add_many,
                                       .has_many = indexed_has_many,
                                       .remove_key = indexed_remove,
                                       .count_key = indexed_count,
                                       .count_cells = ss_counting_count_places,
                                       .count_full = ss_counting_count_full,
                                       .merge = ss_counting_merge,
                                       .sample = ss_classic_sample,
                                       .events = ss_classic_events};
