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
 * many (plan/blocks.c). In return a key's bits take a few instructions, and one
 * register of 256 bits. The layout is for exchange with other programs, and
 * for tables in a cache that are asked for one key at a time.
 *
 * Apache Parquet, "Bloom Filter" (the format's specification); the idea is
 * from Putze, Sanders & Singler 2007.
 *
 * Here is what does not depend on how a block is tested: shape, rate, and the
 * choice of the kernel (split_block.h) that does it.
 */
#include "table/split_block/split_block.h"

#include "base/kernels.h"

uint64_t ss_split_block_range(uint64_t size_bits, uint32_t hash_count)
{
    (void)hash_count;
    return size_bits / SS_SPLIT_BLOCK_BITS;
}

static uint64_t split_unit_bits(uint32_t hash_count)
{
    (void)hash_count;
    return SS_SPLIT_BLOCK_BITS;
}

uint32_t ss_split_block_list_bits(const ss_table *table, uint64_t hash,
                                  uint64_t bits[SEENSET_MAX_HASH_COUNT])
{
    bits[0] = ss_split_block_of(hash, table->range) * SS_SPLIT_BLOCK_BITS;
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
    for (unsigned w = 0; w < SS_SPLIT_BLOCK_WORDS; w++) {
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
        tally_block(tally, words + i * SS_SPLIT_BLOCK_WORDS);
}

SS_BITS_COUNTER static void
tally_by_counter(ss_tally *tally, const uint64_t *words, uint64_t block_count)
{
    tally_each(tally, words, block_count);
}

/* Blocks are half lines; the last line may have only one. */
static uint64_t first_block(const ss_table *table, uint64_t line)
{
    uint64_t block = line * SS_LINE_WORDS / SS_SPLIT_BLOCK_WORDS;
    return block < table->range ? block : table->range;
}

ss_sample ss_split_block_sample(const ss_table *table, const ss_part *part)
{
    ss_tally tally = {0};
    for (uint32_t chunk = 0; chunk < SS_CHUNKS; chunk++) {
        ss_lines lines = ss_part_lines(part, chunk);
        uint64_t first = first_block(table, lines.first);
        uint64_t count = first_block(table, lines.end) - first;
        if (ss_bits_has_counter())
            tally_by_counter(
                &tally, table->words + first * SS_SPLIT_BLOCK_WORDS, count);
        else
            tally_each(&tally, table->words + first * SS_SPLIT_BLOCK_WORDS,
                       count);
    }
    return ss_sample_of_regions(&tally, 1, SS_SPLIT_BLOCK_BITS);
}

/* Eight bits are one thing; the bits after the last block are zero. */
double ss_split_block_events(const ss_table *table, ss_lines lines,
                             double *places)
{
    *places = (double)(first_block(table, lines.end) -
                       first_block(table, lines.first));
    return (double)ss_sample_count(table->words, lines) / SS_SPLIT_BLOCK_HASHES;
}

const ss_layout_traits ss_split_block_traits = {
    .id = SEENSET_LAYOUT_SPLIT_BLOCK,
    .name = "split_block",
    .first_file_version = 3,
    .can_grow = true,
    .can_merge = true,
    .can_compare = true,
    .min_hash_count = SS_SPLIT_BLOCK_HASHES,
    .max_hash_count = SS_SPLIT_BLOCK_HASHES,
    .hash_count_step = SS_SPLIT_BLOCK_HASHES,
    .unit_bits = split_unit_bits,
    .max_size_bits = UINT64_C(0xFFFFFFFF) * SS_SPLIT_BLOCK_BITS};

/* AVX-512 is not worth a kernel: a block has 256 bits, and so fits AVX2. */
const ss_layout *ss_split_block_best(void)
{
#if SS_HAS_X86_KERNELS
    if (__builtin_cpu_supports("avx2"))
        return &ss_split_block_avx2;
#elif defined(SS_SPLIT_BLOCK_HAS_NEON)
    return &ss_split_block_neon;
#elif defined(__wasm_simd128__)
    return &ss_split_block_wasm;
#endif
    return &ss_split_block_portable;
}
