/*
 * bloom.c - the classic filter (Bloom 1970): a key sets k bits among m.
 *
 *     x = hash        index 0 = floor(x m / 2^64)
 *     x = step(x)     index 1 = floor(x m / 2^64)      ... k times
 *
 * The indices of a key are independent and uniform, so two may be equal; the
 * formula in rate.c counts that. It spends the fewest bits of any layout that
 * can be added to, and k cache misses a key. A lookup stops at the first bit
 * that is not set, after two misses on average for a key never seen. Batches
 * are those of loops.h.
 *
 * Each function exists twice, compiled from one text: is_shared is a constant
 * where it is called, and makes bits be set by fetch_or.
 */
#include "table/classic/bloom.h"

#include "hash/xxh3.h"
#include "table/classic/loops.h"
#include "table/classic/sample.h"

typedef struct place {
    uint64_t *word;
    uint64_t mask;
} place;

static SS_ALWAYS_INLINE place place_of(const ss_table *table, uint64_t x)
{
    uint64_t index = ss_hash_range(x, table->range);
    return (place){.word = table->words + index / SS_WORD_BITS,
                   .mask = UINT64_C(1) << (index % SS_WORD_BITS)};
}

/* Sets one bit; not 0 if it was not set. */
static SS_ALWAYS_INLINE uint64_t set_bit(place at, bool is_shared)
{
    uint64_t missing = at.mask & ~ss_bits_read(at.word);
    if (!is_shared)
        *at.word |= at.mask;
    else if (missing != 0)
        missing = at.mask & ~ss_bits_set(at.word, at.mask);
    return missing;
}

static SS_ALWAYS_INLINE bool add_key(ss_table *table, uint64_t x,
                                     bool is_shared)
{
    uint64_t missing = 0;
    for (uint32_t i = 0; i < table->hash_count; i++) {
        missing |= set_bit(place_of(table, x), is_shared);
        x = ss_hash_step(x);
    }
    return missing != 0;
}

/* Are the bits of indices first, ..., last - 1 set? */
static SS_ALWAYS_INLINE bool has_key(const ss_table *table, uint64_t x,
                                     uint32_t first, uint32_t last)
{
    for (uint32_t i = 0; i < last; i++) {
        place at = place_of(table, x);
        if (i >= first && (ss_bits_read(at.word) & at.mask) == 0)
            return false;
        x = ss_hash_step(x);
    }
    return true;
}

static SS_ALWAYS_INLINE void fetch_key(const ss_table *table, uint64_t x,
                                       uint32_t first, uint32_t last)
{
    for (uint32_t i = 0; i < last; i++) {
        if (i >= first)
            SS_PREFETCH(place_of(table, x).word);
        x = ss_hash_step(x);
    }
}

static SS_ALWAYS_INLINE size_t add_probes(ss_table *table, const uint64_t *xs,
                                          size_t count, bool is_shared)
{
    size_t news = 0;
    for (size_t i = 0; i < SS_AHEAD && i < count; i++)
        SS_PREFETCH(place_of(table, xs[i]).word);
    for (size_t i = 0; i < count; i++) {
        if (i + SS_AHEAD < count)
            SS_PREFETCH(place_of(table, xs[i + SS_AHEAD]).word);
        news += set_bit(place_of(table, xs[i]), is_shared) != 0;
    }
    return news;
}

static SS_ALWAYS_INLINE bool single_add(ss_table *table, uint64_t hash)
{
    return add_key(table, hash, false);
}

static SS_ALWAYS_INLINE bool shared_add(ss_table *table, uint64_t hash)
{
    return add_key(table, hash, true);
}

static int bloom_has(const ss_table *table, uint64_t hash)
{
    ss_classic_fetch_first(table, table->size_bits, hash, fetch_key);
    return has_key(table, hash, 0, table->hash_count);
}

static bool single_add_key(ss_table *table, const void *key, size_t key_len)
{
    return add_key(table, ss_hash_key(key, key_len), false);
}

static bool shared_add_key(ss_table *table, const void *key, size_t key_len)
{
    return add_key(table, ss_hash_key(key, key_len), true);
}

static int bloom_has_key(const ss_table *table, const void *key, size_t key_len)
{
    return bloom_has(table, ss_hash_key(key, key_len));
}

static size_t single_add_many(ss_table *table, const ss_batch *batch,
                              uint8_t *is_new)
{
    return ss_classic_each_many(table, batch, fetch_key, single_add, is_new);
}

static size_t shared_add_many(ss_table *table, const ss_batch *batch,
                              uint8_t *is_new)
{
    return ss_classic_each_many(table, batch, fetch_key, shared_add, is_new);
}

static size_t bloom_has_many(const ss_table *table, const ss_batch *batch,
                             uint8_t *is_seen)
{
    return ss_classic_has_many(table, batch, fetch_key, has_key, is_seen);
}

static size_t single_add_probes(ss_table *table, uint32_t probe,
                                const uint64_t *xs, size_t count)
{
    (void)probe;
    return add_probes(table, xs, count, false);
}

static size_t shared_add_probes(ss_table *table, uint32_t probe,
                                const uint64_t *xs, size_t count)
{
    (void)probe;
    return add_probes(table, xs, count, true);
}

const ss_layout_traits ss_bloom_traits = {
    .id = SEENSET_LAYOUT_BLOOM,
    .name = "bloom",
    .first_file_version = 1,
    .can_grow = true,
    .can_merge = true,
    .can_compare = true,
    .is_classic = true,
    .min_hash_count = 1,
    .max_hash_count = SEENSET_MAX_HASH_COUNT,
    .hash_count_step = 1,
    .unit_bits = ss_table_one_bit,
    .max_size_bits = SEENSET_MAX_SIZE_BITS};

const ss_layout ss_bloom_single = {.traits = &ss_bloom_traits,
                                   .name = "portable",
                                   .range = ss_table_whole_range,
                                   .range_step_bits = 1,
                                   .list_bits = ss_table_list_bits,
                                   .add = single_add,
                                   .has = bloom_has,
                                   .add_key = single_add_key,
                                   .has_key = bloom_has_key,
                                   .add_many = single_add_many,
                                   .has_many = bloom_has_many,
                                   .probe_bits = 1,
                                   .probe_steps = 1,
                                   .add_probes = single_add_probes,
                                   .sample = ss_classic_sample,
                                   .events = ss_classic_events};

const ss_layout ss_bloom_shared = {.traits = &ss_bloom_traits,
                                   .name = "shared",
                                   .is_shared = true,
                                   .range = ss_table_whole_range,
                                   .range_step_bits = 1,
                                   .list_bits = ss_table_list_bits,
                                   .add = shared_add,
                                   .has = bloom_has,
                                   .add_key = shared_add_key,
                                   .has_key = bloom_has_key,
                                   .add_many = shared_add_many,
                                   .has_many = bloom_has_many,
                                   .probe_bits = 1,
                                   .probe_steps = 1,
                                   .add_probes = shared_add_probes,
                                   .sample = ss_classic_sample,
                                   .events = ss_classic_events};
