/*
 * split_block.h - the geometry that all kernels of the split-block layout
 * share.
 *
 * A kernel is one way to test and set a key's eight bits in a block: word by
 * word, with AVX2, with NEON, with WebAssembly's vectors, or with atomic
 * operations. Each is a file that defines line_add and line_has, a line being a
 * block here, and includes loops.h, which makes a row of functions of them. All
 * give the same bits and the same answers; split_block.c chooses one for the
 * processor at hand.
 */
#ifndef SS_TABLE_SPLIT_BLOCK_SPLIT_BLOCK_H
#define SS_TABLE_SPLIT_BLOCK_SPLIT_BLOCK_H

#include "hash/xxh3.h"
#include "table/table.h"

enum {
    SS_SPLIT_BLOCK_WORDS = 4, /* 64-bit words of a block */
    SS_SPLIT_BLOCK_HASHES = 2 * SS_SPLIT_BLOCK_WORDS,
    SS_SPLIT_BLOCK_BITS = SS_SPLIT_BLOCK_WORDS * SS_WORD_BITS,
    SS_SPLIT_BLOCK_BYTES = SS_SPLIT_BLOCK_BITS / 8,
    SS_SPLIT_BLOCK_SHIFT = 32 - 5 /* leaves the number of a bit of 32 */
};

/* The half of a hash that chooses bits; the other half chooses the block. */
#define SS_SPLIT_BLOCK_BIT_HALF UINT64_C(0x00000000FFFFFFFF)

/* One for each 32-bit word of a block. */
static const uint32_t ss_split_block_salts[SS_SPLIT_BLOCK_HASHES] = {
    0x47b6137b, 0x44974d91, 0x8824ad5b, 0xa2b7289d,
    0x705495c7, 0x2df1424b, 0x9efc4947, 0x5c6bfb31};

/* Which of block_count blocks, fewer than 2^32, is the key's. */
static inline uint64_t ss_split_block_of(uint64_t hash, uint64_t block_count)
{
    return ((hash >> 32) * block_count) >> 32;
}

/* The key's two bits in 64-bit word w of its block; w is a constant. */
static inline uint64_t ss_split_block_mask(uint64_t hash, unsigned w)
{
    const uint32_t *salts = ss_split_block_salts;
    uint32_t low = (uint32_t)hash;
    uint32_t lower = low * salts[2 * w] >> SS_SPLIT_BLOCK_SHIFT;
    uint32_t upper = low * salts[2 * w + 1] >> SS_SPLIT_BLOCK_SHIFT;
    return UINT64_C(1) << lower | UINT64_C(1) << 32 << upper;
}

/* Vectors of 32-bit words need the lower half of a 64-bit word first. */
#if defined(__aarch64__) && !defined(__AARCH64EB__)
#define SS_SPLIT_BLOCK_HAS_NEON
#endif

/* The blocks, and what bits show: the same for each kernel. */
uint64_t ss_split_block_range(uint64_t size_bits, uint32_t hash_count);
ss_sample ss_split_block_sample(const ss_table *table, const ss_part *part);
double ss_split_block_events(const ss_table *table, ss_lines lines,
                             double *places);

/* The first bit of the block of a hash. */
uint32_t ss_split_block_list_bits(const ss_table *table, uint64_t hash,
                                  uint64_t bits[SEENSET_MAX_HASH_COUNT]);

extern const ss_layout_traits ss_split_block_traits;
extern const ss_layout ss_split_block_portable;
extern const ss_layout ss_split_block_shared;
extern const ss_layout ss_split_block_avx2;
extern const ss_layout ss_split_block_neon;
extern const ss_layout ss_split_block_wasm;

/* The fastest kernel here. */
const ss_layout *ss_split_block_best(void);

#endif
