/*
 * counting.c - the classic filter with counters (Fan et al. 2000): a key can
 * be taken out again, and its copies counted.
 *
 *     word:  | c0 | c1 | c2 | ... | c15 |     16 counters of 4 bits, the
 *                                             default; of 2 to 16 (counter.h)
 *
 * An add increments the key's k counters, a remove decrements them, and a key
 * is in the set while none of them is 0. The key's copies are at most the
 * least of its counters.
 *
 * A counter that is full stays full: it no longer knows how often it was
 * incremented, and decrementing it could bring it to 0 under a key that is
 * still there. So saturation can leave a removed key behind, as a false
 * positive, and never loses one. What can lose one is removing a key that was
 * never added and was only taken for a member; no filter can tell.
 *
 * Two of a key's k places may be the same. It is then incremented twice and
 * decremented twice; a key removed by mistake could find it at 1, so a counter
 * is never decremented below 0.
 */
#include "table/classic/counting.h"

#include "hash/xxh3.h"
#include "table/classic/counter.h"
#include "table/classic/loops.h"
#include "table/classic/sample.h"

static SS_ALWAYS_INLINE ss_counter counter_of(const ss_table *table, uint64_t x,
                                              bool can_cross)
{
    return ss_counter_with(table, ss_hash_range(x, table->range), can_cross);
}

static SS_ALWAYS_INLINE bool add_hash(ss_table *table, uint64_t hash,
                                      bool can_cross)
{
    bool is_new = false;
    uint64_t x = hash;
    for (uint32_t i = 0; i < table->hash_count; i++) {
        ss_counter at = counter_of(table, x, can_cross);
        is_new |= ss_counter_value(at) == 0;
        ss_counter_increment(at);
        x = ss_hash_step(x);
    }
    return is_new;
}

static SS_ALWAYS_INLINE uint64_t count_hash(const ss_table *table,
                                            uint64_t hash, bool can_cross)
{
    uint64_t least = UINT64_MAX;
    uint64_t x = hash;
    for (uint32_t i = 0; i < table->hash_count && least > 0; i++) {
        uint64_t value = ss_counter_value(counter_of(table, x, can_cross));
        least = value < least ? value : least;
        x = ss_hash_step(x);
    }
    return least;
}

static SS_ALWAYS_INLINE bool has_hash(const ss_table *table, uint64_t hash,
                                      bool can_cross)
{
    uint64_t x = hash;
    for (uint32_t i = 0; i < table->hash_count; i++) {
        if (ss_counter_value(counter_of(table, x, can_cross)) == 0)
            return false;
        x = ss_hash_step(x);
    }
    return true;
}

static SS_ALWAYS_INLINE bool remove_hash(ss_table *table, uint64_t hash,
                                         bool can_cross)
{
    uint64_t x = hash;
    if (!has_hash(table, hash, can_cross))
        return false;
    for (uint32_t i = 0; i < table->hash_count; i++) {
        ss_counter_decrement(counter_of(table, x, can_cross));
        x = ss_hash_step(x);
    }
    return true;
}

static SS_ALWAYS_INLINE void fetch(const ss_table *table, uint64_t x,
                                   uint32_t first, uint32_t last)
{
    for (uint32_t i = 0; i < last; i++) {
        if (i >= first)
            SS_PREFETCH(counter_of(table, x, false).word);
        x = ss_hash_step(x);
    }
}

/* Each once for counters within words, and once for those that may cross. */
static SS_ALWAYS_INLINE bool add_whole(ss_table *table, uint64_t hash)
{
    return add_hash(table, hash, false);
}

static SS_ALWAYS_INLINE bool add_crossing(ss_table *table, uint64_t hash)
{
    return add_hash(table, hash, true);
}

static SS_ALWAYS_INLINE bool has_whole(ss_table *table, uint64_t hash)
{
    return has_hash(table, hash, false);
}

static SS_ALWAYS_INLINE bool has_crossing(ss_table *table, uint64_t hash)
{
    return has_hash(table, hash, true);
}

static bool counting_add(ss_table *table, uint64_t hash)
{
    ss_classic_fetch_first(table, table->size_bits * table->cell_bits, hash,
                           fetch);
    return ss_counter_can_cross(table) ? add_crossing(table, hash)
                                       : add_whole(table, hash);
}

static uint64_t counting_count(const ss_table *table, uint64_t hash)
{
    return ss_counter_can_cross(table) ? count_hash(table, hash, true)
                                       : count_hash(table, hash, false);
}

static int counting_has(const ss_table *table, uint64_t hash)
{
    ss_classic_fetch_first(table, table->size_bits * table->cell_bits, hash,
                           fetch);
    return ss_counter_can_cross(table) ? has_hash(table, hash, true)
                                       : has_hash(table, hash, false);
}

static bool counting_remove(ss_table *table, uint64_t hash)
{
    return ss_counter_can_cross(table) ? remove_hash(table, hash, true)
                                       : remove_hash(table, hash, false);
}

static bool counting_add_key(ss_table *table, const void *key, size_t key_len)
{
    return counting_add(table, ss_hash_key(key, key_len));
}

static int counting_has_key(const ss_table *table, const void *key,
                            size_t key_len)
{
    return counting_has(table, ss_hash_key(key, key_len));
}

static bool counting_remove_key(ss_table *table, const void *key,
                                size_t key_len)
{
    return counting_remove(table, ss_hash_key(key, key_len));
}

static uint64_t counting_count_key(const ss_table *table, const void *key,
                                   size_t key_len)
{
    return counting_count(table, ss_hash_key(key, key_len));
}

static size_t counting_add_many(ss_table *table, const ss_batch *batch,
                                uint8_t *is_new)
{
    return ss_counter_can_cross(table)
               ? ss_classic_each_many(table, batch, fetch, add_crossing, is_new)
               : ss_classic_each_many(table, batch, fetch, add_whole, is_new);
}

static size_t counting_has_many(const ss_table *table, const ss_batch *batch,
                                uint8_t *is_seen)
{
    ss_table *same = (ss_table *)(uintptr_t)table; /* which is only read */
    return ss_counter_can_cross(table)
               ? ss_classic_each_many(same, batch, fetch, has_crossing, is_seen)
               : ss_classic_each_many(same, batch, fetch, has_whole, is_seen);
}

/* ---- all counters ---- */

/* Counters that are full, or that are not 0, where none crosses a word. */
static uint64_t count_in_words(const ss_table *table, bool is_full)
{
    uint64_t full = (UINT64_C(1) << table->cell_bits) - 1;
    uint64_t word_count = ss_table_word_count(table);
    uint64_t found = 0;
    for (uint64_t i = 0; i < word_count; i++) {
        uint64_t word = table->words[i];
        for (; word != 0; word >>= table->cell_bits)
            found += is_full ? (word & full) == full : (word & full) != 0;
    }
    return found;
}

static uint64_t count_values(const ss_table *table, bool is_full)
{
    if (!ss_counter_can_cross(table))
        return count_in_words(table, is_full);
    uint64_t found = 0;
    for (uint64_t i = 0; i < table->size_bits; i++) {
        ss_counter at = ss_counter_with(table, i, true);
        uint64_t value = ss_counter_value(at);
        found += is_full ? value == ss_counter_full(at) : value != 0;
    }
    return found;
}

uint64_t ss_counting_count_full(const ss_table *table)
{
    return count_values(table, true);
}

uint64_t ss_counting_count_places(const ss_table *table)
{
    return count_values(table, false);
}

static void merge_in_words(ss_table *into, const ss_table *from)
{
    uint64_t full = (UINT64_C(1) << into->cell_bits) - 1;
    uint64_t word_count = ss_table_word_count(into);
    for (uint64_t i = 0; i < word_count; i++) {
        uint64_t sums = 0;
        for (unsigned at = 0; at < SS_WORD_BITS; at += into->cell_bits) {
            uint64_t sum =
                (into->words[i] >> at & full) + (from->words[i] >> at & full);
            sums |= (sum < full ? sum : full) << at;
        }
        into->words[i] = sums;
    }
}

/* Copies add up; a sum that does not fit is full. */
void ss_counting_merge(ss_table *into, const ss_table *from)
{
    if (!ss_counter_can_cross(into)) {
        merge_in_words(into, from);
        return;
    }
    for (uint64_t i = 0; i < into->size_bits; i++) {
        ss_counter at = ss_counter_with(into, i, true);
        uint64_t full = ss_counter_full(at);
        uint64_t sum = ss_counter_value(at) +
                       ss_counter_value(ss_counter_with(from, i, true));
        ss_counter_store(at, sum < full ? sum : full);
    }
}

const ss_layout_traits ss_counting_traits = {
    .id = SEENSET_LAYOUT_COUNTING,
    .name = "counting",
    .first_file_version = 2,
    .can_merge = true,
    .is_classic = true,
    .min_hash_count = 1,
    .max_hash_count = SEENSET_MAX_HASH_COUNT,
    .hash_count_step = 1,
    .unit_bits = ss_table_one_bit,
    .max_size_bits = SEENSET_MAX_SIZE_BITS,
    .min_counter_bits = 2,
    .max_counter_bits = 16,
    .default_counter_bits = 4};

const ss_layout ss_counting = {.traits = &ss_counting_traits,
                               .name = "portable",
                               .range = ss_table_whole_range,
                               .list_bits = ss_table_list_bits,
                               .add = counting_add,
                               .has = counting_has,
                               .add_key = counting_add_key,
                               .has_key = counting_has_key,
                               .add_many = counting_add_many,
                               .has_many = counting_has_many,
                               .remove = counting_remove,
                               .count = counting_count,
                               .remove_key = counting_remove_key,
                               .count_key = counting_count_key,
                               .count_cells = ss_counting_count_places,
                               .count_full = ss_counting_count_full,
                               .merge = ss_counting_merge,
                               .sample = ss_classic_sample,
                               .events = ss_classic_events};
