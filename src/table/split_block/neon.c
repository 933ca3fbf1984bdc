/* neon.c - the block test in two registers of four 32-bit words each */
#include "table/split_block/split_block.h"

#if defined(SS_SPLIT_BLOCK_HAS_NEON)
#include <arm_neon.h>

/* Words 0 to 3 of a block, or, half being 1, words 4 to 7. */
static inline uint32x4_t half_mask(uint64_t hash, unsigned half)
{
    uint32x4_t salts = vld1q_u32(ss_split_block_salts + 4 * half);
    uint32x4_t products = vmulq_n_u32(salts, (uint32_t)hash);
    uint32x4_t fields = vshrq_n_u32(products, SS_SPLIT_BLOCK_SHIFT);
    return vshlq_u32(vdupq_n_u32(1), vreinterpretq_s32_u32(fields));
}

static inline uint32x4_t half_load(const uint64_t *block, unsigned half)
{
    return vreinterpretq_u32_u64(vld1q_u64(block + 2 * half));
}

/* Sets bits, and returns those that were not set. */
static inline uint32x4_t half_add(uint64_t *block, unsigned half,
                                  uint32x4_t mask)
{
    uint32x4_t words = half_load(block, half);
    vst1q_u64(block + 2 * half, vreinterpretq_u64_u32(vorrq_u32(words, mask)));
    return vbicq_u32(mask, words);
}

static inline uint32x4_t half_lacks(const uint64_t *block, unsigned half,
                                    uint32x4_t mask)
{
    return vbicq_u32(mask, half_load(block, half));
}

static inline bool line_add(uint64_t *block, uint64_t hash)
{
    uint32x4_t first = half_add(block, 0, half_mask(hash, 0));
    uint32x4_t second = half_add(block, 1, half_mask(hash, 1));
    return vmaxvq_u32(vorrq_u32(first, second)) != 0;
}

static inline bool line_has(const uint64_t *block, uint64_t hash)
{
    uint32x4_t first = half_lacks(block, 0, half_mask(hash, 0));
    uint32x4_t second = half_lacks(block, 1, half_mask(hash, 1));
    return vmaxvq_u32(vorrq_u32(first, second)) == 0;
}

#define TWIN_ROW ss_split_block_neon
#define TWIN_NAME "neon"
#define TWIN_ASKS_BOTH
#include "table/split_block/loops.h"
#else
typedef int ss_split_block_neon_is_not_built;
#endif
