/*
 * foreign_index.c - the classic and the counting table with places from an
 * index scheme (index_scheme.h) instead of the chain: for reading, writing and
 * checking the filters of other systems.
 *
 * A scheme wants the key itself, so these rows take keys and no hashes; and
 * they work one place at a time, a bit being a counter that counts to one.
 */
#include "table/classic/foreign_index.h"

#include "hash/index_scheme.h"
#include "table/classic/bloom.h"
#include "table/classic/sample.h"
#include "table/classic/counter.h"
#include "table/classic/counting.h"

static void indices_of(const ss_table *table, const void *key, size_t key_len,
                       uint64_t indices[SEENSET_MAX_HASH_COUNT])
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

static uint64_t indexed_count(const ss_table *table, const void *key,
                              size_t key_len)
{
    uint64_t indices[SEENSET_MAX_HASH_COUNT];
    indices_of(table, key, key_len, indices);
    uint64_t least = UINT64_MAX;
    for (uint32_t i = 0; i < table->hash_count; i++) {
        uint64_t value = ss_counter_value(ss_counter_at(table, indices[i]));
        least = value < least ? value : least;
    }
    return least;
}

static int indexed_has(const ss_table *table, const void *key, size_t key_len)
{
    return indexed_count(table, key, key_len) > 0;
}

static bool indexed_add(ss_table *table, const void *key, size_t key_len)
{
    uint64_t indices[SEENSET_MAX_HASH_COUNT];
    indices_of(table, key, key_len, indices);
    bool is_new = false;
    for (uint32_t i = 0; i < table->hash_count; i++) {
        ss_counter at = ss_counter_at(table, indices[i]);
        is_new |= ss_counter_value(at) == 0;
        ss_counter_increment(at);
    }
    return is_new;
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

static size_t indexed_add_many(ss_table *table, const ss_batch *batch,
                               uint8_t *is_new)
{
    uint8_t bytes[sizeof(uint64_t)];
    size_t news = 0;
    for (size_t i = 0; i < batch->count; i++) {
        seenset_key key = ss_batch_key(batch, i, bytes);
        is_new[i] = indexed_add(table, key.data, key.len);
        news += is_new[i];
    }
    return news;
}

static size_t indexed_has_many(const ss_table *table, const ss_batch *batch,
                               uint8_t *is_seen)
{
    uint8_t bytes[sizeof(uint64_t)];
    size_t seen = 0;
    for (size_t i = 0; i < batch->count; i++) {
        seenset_key key = ss_batch_key(batch, i, bytes);
        is_seen[i] = indexed_has(table, key.data, key.len) != 0;
        seen += is_seen[i];
    }
    return seen;
}

const ss_layout ss_foreign_bloom = {.traits = &ss_bloom_traits,
                                    .name = "scheme",
                                    .range = ss_table_whole_range,
                                    .list_key_bits = list_key_bits,
                                    .add_key = indexed_add,
                                    .has_key = indexed_has,
                                    .add_many = indexed_add_many,
                                    .has_many = indexed_has_many,
                                    .sample = ss_classic_sample,
                                    .events = ss_classic_events};

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
