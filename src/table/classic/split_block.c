/*
 * split_block.c - the split-block Bloom filter of Apache Parquet: a key
 * chooses a block of 256 bits and sets one bit in each of its eight 32-bit
 * words, half a cache line in all.
 *
 *     hash:    | chooses the block: 32 bits | chooses the bits: 32 bits |
 *     block = ((hash >> 32) * z) >> 32                      of z blocks
 *     word i gets bit (low * salt[i] mod 2^32) >> 27        of 32
 *
 * A block is the same bytes as Parquet's: 32-bit word i is the lower half of
 * 64-bit word i / 2 if i is even, else its upper half. So for equal hashes the
 * bits are Parquet's, and files of either can become the other's. Parquet
 * hashes a value by XXH64 with seed 0; the hash calls take such hashes.
 *
 * A block is half of a line of the blocked layout, and so fills more
 * unevenly: at 1 % that costs 4 % more bits, at 0.1 % 7 %, and at 1e-6 twice as
 * many (plan/blocks.c). The layout is for exchange with other programs.
 *
 * Apache Parquet, "Bloom Filter" (the format's specification); the idea is
 * from Putze, Sanders & Singler 2007.
 *
 * Each function exists twice, compiled from one text: is_shared is a constant
 * where it is called, and makes bits be set by fetch_or.
 */
#include "table/classic/split_block.h"

#include "hash/xxh3.h"
#include "table/table.h"

enum {
    WORDS = 4, /* 64-bit words of a block */
    HASHES = 2 * WORDS,
    BLOCK_BITS = WORDS * SS_WORD_BITS
};

/* The half of a hash that has no say in the choice of a block: without it
 * ss_hash_range gives Parquet's block. */
#define BIT_HALF UINT64_C(0x00000000FFFFFFFF)

static SS_ALWAYS_INLINE uint64_t *block_of(const ss_table *table, uint64_t hash)
{
    uint64_t block = ss_hash_range(hash & ~BIT_HALF, table->range);
    return table->words + block * WORDS;
}

/* The key's two bits in 64-bit word w of its block; w is a constant. */
static SS_ALWAYS_INLINE uint64_t mask_of(uint64_t hash, unsigned w)
{
    static const uint32_t salts[HASHES] = {0x47b6137b, 0x44974d91, 0x8824ad5b,
                                           0xa2b7289d, 0x705495c7, 0x2df1424b,
                                           0x9efc4947, 0x5c6bfb31};
    uint32_t low = (uint32_t)hash;
    uint32_t lower = low * salts[2 * w] >> 27;
    uint32_t upper = low * salts[2 * w + 1] >> 27;
    return UINT64_C(1) << lower | UINT64_C(1) << 32 << upper;
}

static SS_ALWAYS_INLINE bool add_hash(const ss_table *table, uint64_t hash,
                                      bool is_shared)
{
    uint64_t *block = block_of(table, hash);
    uint64_t missing = 0;
    for (unsigned w = 0; w < WORDS; w++) {
        uint64_t mask = mask_of(hash, w);
        uint64_t absent = mask & ~ss_bits_read(&block[w]);
        if (!is_shared)
            block[w] |= mask;
        else if (absent != 0)
            absent = mask & ~ss_bits_set(&block[w], mask);
        missing |= absent;
    }
    return missing != 0;
}

static SS_ALWAYS_INLINE bool has_hash(const ss_table *table, uint64_t hash)
{
    const uint64_t *block = block_of(table, hash);
    uint64_t missing = 0;
    for (unsigned w = 0; w < WORDS; w++)
        missing |= mask_of(hash, w) & ~ss_bits_read(&block[w]);
    return missing == 0;
}

/* Adds a batch, or looks for it, the blocks fetched SS_AHEAD keys before;
 * returns how many answers were 1. All but the batch are constants where it is
 * called. */
static SS_ALWAYS_INLINE size_t run(const ss_table *by_caller,
                                   const ss_batch *batch, bool is_hashed,
                                   bool is_add, bool is_shared,
                                   uint8_t *restrict answers)
{
    uint64_t ring[SS_RING];
    const ss_table table = *by_caller; /* answers can't point into it */
    const size_t count = batch->count;
    size_t ones = 0, fed = 0;
    ss_batch_start(batch, is_hashed, ring);
    for (size_t i = 0; i < count; i++) {
        for (; fed < count && fed <= i + SS_AHEAD; fed++)
            SS_PREFETCH(
                block_of(&table, ss_batch_feed(batch, fed, is_hashed, ring)));
        uint64_t hash = ss_batch_take(batch, i, is_hashed, ring);
        answers[i] =
            is_add ? add_hash(&table, hash, is_shared) : has_hash(&table, hash);
        ones += answers[i];
    }
    return ones;
}

static SS_ALWAYS_INLINE size_t add_probes(ss_table *table, const uint64_t *xs,
                                          size_t count, bool is_shared)
{
    size_t news = 0;
    for (size_t i = 0; i < SS_AHEAD && i < count; i++)
        SS_PREFETCH(block_of(table, xs[i]));
    for (size_t i = 0; i < count; i++) {
        if (i + SS_AHEAD < count)
            SS_PREFETCH(block_of(table, xs[i + SS_AHEAD]));
        news += add_hash(table, xs[i], is_shared);
    }
    return news;
}

/* ---- the functions of the rows ---- */

static bool single_add(ss_table *table, uint64_t hash)
{
    return add_hash(table, hash, false);
}

static bool shared_add(ss_table *table, uint64_t hash)
{
    return add_hash(table, hash, true);
}

static int split_has(const ss_table *table, uint64_t hash)
{
    return has_hash(table, hash);
}

static bool single_add_key(ss_table *table, const void *key, size_t key_len)
{
    return single_add(table, ss_hash_key(key, key_len));
}

static bool shared_add_key(ss_table *table, const void *key, size_t key_len)
{
    return shared_add(table, ss_hash_key(key, key_len));
}

static int split_has_key(const ss_table *table, const void *key, size_t key_len)
{
    return split_has(table, ss_hash_key(key, key_len));
}

static size_t single_add_many(ss_table *table, const ss_batch *batch,
                              uint8_t *is_new)
{
    return batch->hashes != NULL
               ? run(table, batch, true, true, false, is_new)
               : run(table, batch, false, true, false, is_new);
}

static size_t shared_add_many(ss_table *table, const ss_batch *batch,
                              uint8_t *is_new)
{
    return batch->hashes != NULL ? run(table, batch, true, true, true, is_new)
                                 : run(table, batch, false, true, true, is_new);
}

static size_t split_has_many(const ss_table *table, const ss_batch *batch,
                             uint8_t *is_seen)
{
    return batch->hashes != NULL
               ? run(table, batch, true, false, false, is_seen)
               : run(table, batch, false, false, false, is_seen);
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

/* ---- shape and rate ---- */

static uint64_t split_range(uint64_t size_bits, uint32_t hash_count)
{
    (void)hash_count;
    return size_bits / BLOCK_BITS;
}

static uint64_t split_unit_bits(uint32_t hash_count)
{
    (void)hash_count;
    return BLOCK_BITS;
}

static uint32_t split_list_bits(const ss_table *table, uint64_t hash,
                                uint64_t bits[SEENSET_MAX_HASH_COUNT])
{
    bits[0] = (uint64_t)(block_of(table, hash) - table->words) * SS_WORD_BITS;
    return 1;
}

/*
 * The chance that a fresh key finds its bits set in a block: the product of
 * the fills of its words; and that one of its keys has the same lower half of
 * the hash (plan/blocks.c). A block has at least as many keys as the fullest
 * of its words has bits, and while it has few, hardly more.
 */
static SS_ALWAYS_INLINE void tally_block(ss_tally *tally, const uint64_t *block)
{
    static const double half_bits = SS_WORD_BITS / 2;
    double full = 1.0;
    unsigned keys = 0, ones = 0;
    for (unsigned w = 0; w < WORDS; w++) {
        uint64_t word = ss_bits_read(&block[w]);
        unsigned lower = ss_bits_count((uint32_t)word);
        unsigned upper = ss_bits_count(word >> 32);
        full *= lower / half_bits * (upper / half_bits);
        ones += lower + upper;
        keys = lower > keys ? lower : keys;
        keys = upper > keys ? upper : keys;
    }
    ss_tally_add(tally, full + keys * 0x1p-32, ones);
}

static SS_ALWAYS_INLINE void tally_each(ss_tally *tally, const uint64_t *words,
                                        uint64_t block_count)
{
    for (uint64_t i = 0; i < block_count; i++)
        tally_block(tally, words + i * WORDS);
}

SS_BITS_COUNTER static void
tally_by_counter(ss_tally *tally, const uint64_t *words, uint64_t block_count)
{
    tally_each(tally, words, block_count);
}

/* Blocks are half lines; the last line may have only one. */
static uint64_t first_block(const ss_table *table, uint64_t line)
{
    uint64_t block = line * SS_LINE_WORDS / WORDS;
    return block < table->range ? block : table->range;
}

static ss_sample split_sample(const ss_table *table, const ss_part *part)
{
    ss_tally tally = {0};
    for (uint32_t chunk = 0; chunk < SS_CHUNKS; chunk++) {
        ss_lines lines = ss_part_lines(part, chunk);
        uint64_t first = first_block(table, lines.first);
        uint64_t count = first_block(table, lines.end) - first;
        if (ss_bits_has_counter())
            tally_by_counter(&tally, table->words + first * WORDS, count);
        else
            tally_each(&tally, table->words + first * WORDS, count);
    }
    return ss_sample_of_regions(&tally, 1, BLOCK_BITS);
}

/* Eight bits are one thing; the bits after the last block are zero. */
static double split_events(const ss_table *table, ss_lines lines,
                           double *places)
{
    *places = (double)(first_block(table, lines.end) -
                       first_block(table, lines.first));
    return (double)ss_sample_count(table->words, lines) / HASHES;
}

const ss_layout_traits ss_split_block_traits = {
    .id = SEENSET_LAYOUT_SPLIT_BLOCK,
    .name = "split_block",
    .first_file_version = 3,
    .can_grow = true,
    .can_merge = true,
    .can_compare = true,
    .min_hash_count = HASHES,
    .max_hash_count = HASHES,
    .hash_count_step = HASHES,
    .unit_bits = split_unit_bits,
    .max_size_bits = UINT64_C(0xFFFFFFFF) * BLOCK_BITS};

const ss_layout ss_split_block_single = {.traits = &ss_split_block_traits,
                                         .name = "portable",
                                         .range = split_range,
                                         .range_step_bits = BLOCK_BITS,
                                         .range_ignores = BIT_HALF,
                                         .list_bits = split_list_bits,
                                         .add = single_add,
                                         .has = split_has,
                                         .add_key = single_add_key,
                                         .has_key = split_has_key,
                                         .add_many = single_add_many,
                                         .has_many = split_has_many,
                                         .probe_bits = HASHES,
                                         .probe_steps = 0,
                                         .add_probes = single_add_probes,
                                         .sample = split_sample,
                                         .events = split_events};

const ss_layout ss_split_block_shared = {.traits = &ss_split_block_traits,
                                         .name = "shared",
                                         .is_shared = true,
                                         .range = split_range,
                                         .range_step_bits = BLOCK_BITS,
                                         .range_ignores = BIT_HALF,
                                         .list_bits = split_list_bits,
                                         .add = shared_add,
                                         .has = split_has,
                                         .add_key = shared_add_key,
                                         .has_key = split_has_key,
                                         .add_many = shared_add_many,
                                         .has_many = split_has_many,
                                         .probe_bits = HASHES,
                                         .probe_steps = 0,
                                         .add_probes = shared_add_probes,
                                         .sample = split_sample,
                                         .events = split_events};
