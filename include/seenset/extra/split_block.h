/*
 * seenset/extra/split_block.h - seenset/extra/inline.h, of Parquet's blocks.
 *
 * Extra: installed, but without a promise. Its functions and types may change
 * with any release, so build your program again with each one; the loader does
 * not run it with the library of another release (docs/stability.md).
 *
 * A block has 256 bits, and a key one of each of its eight words of 32 bits
 * (docs/format.md). Include seenset/extra/inline.h: these functions check
 * nothing.
 */
#ifndef SEENSET_EXTRA_SPLIT_BLOCK_H
#define SEENSET_EXTRA_SPLIT_BLOCK_H

#include <stdint.h>

#if defined(__AVX2__)
#include <immintrin.h>
#elif defined(__AARCH64EL__) && defined(__ARM_NEON)
#include <arm_neon.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The block of a table of so many that a hash chooses. */
static inline uint64_t *
seenset_inline_split_block(uint64_t *words, uint64_t blocks, uint64_t hash)
{
    return words + 4 * ((hash >> 32) * blocks >> 32);
}

/* The lower half of the hash times one of these, and of the product the upper 5
 * bits, is the number of a bit. */
static inline const uint32_t *seenset_inline_split_salts(void)
{
    static const uint32_t salts[8] = {0x47b6137b, 0x44974d91, 0x8824ad5b,
                                      0xa2b7289d, 0x705495c7, 0x2df1424b,
                                      0x9efc4947, 0x5c6bfb31};
    return salts;
}

#if defined(__AVX2__) && !defined(SEENSET_INLINE_WORDS)

static inline __m256i seenset_inline_split_mask(uint64_t hash)
{
    const void *salts = seenset_inline_split_salts();
    __m256i products =
        _mm256_mullo_epi32(_mm256_set1_epi32((int)(uint32_t)hash),
                           _mm256_loadu_si256((const __m256i *)salts));
    return _mm256_sllv_epi32(_mm256_set1_epi32(1),
                             _mm256_srli_epi32(products, 27));
}

static inline int seenset_inline_split_block_has(const uint64_t *block,
                                                 uint64_t hash)
{
    const void *words = block;
    return _mm256_testc_si256(_mm256_loadu_si256((const __m256i *)words),
                              seenset_inline_split_mask(hash));
}

static inline int seenset_inline_split_block_add(uint64_t *block, uint64_t hash)
{
    void *place = block;
    __m256i mask = seenset_inline_split_mask(hash);
    __m256i words = _mm256_loadu_si256((const __m256i *)place);
    _mm256_storeu_si256((__m256i *)place, _mm256_or_si256(words, mask));
    return !_mm256_testc_si256(words, mask);
}

#elif defined(__AARCH64EL__) && defined(__ARM_NEON) &&                         \
    !defined(SEENSET_INLINE_WORDS)

/* Of words 0 to 3, or 4 to 7. */
static inline uint32x4_t seenset_inline_split_mask(uint64_t hash, unsigned half)
{
    uint32x4_t salts = vld1q_u32(seenset_inline_split_salts() + 4 * half);
    uint32x4_t fields = vshrq_n_u32(vmulq_n_u32(salts, (uint32_t)hash), 27);
    return vshlq_u32(vdupq_n_u32(1), vreinterpretq_s32_u32(fields));
}

/* The bits that are missing in a half. */
static inline uint32x4_t
seenset_inline_split_lacks(const uint64_t *block, uint64_t hash, unsigned half)
{
    uint32x4_t words = vreinterpretq_u32_u64(vld1q_u64(block + 2 * half));
    return vbicq_u32(seenset_inline_split_mask(hash, half), words);
}

static inline int seenset_inline_split_block_has(const uint64_t *block,
                                                 uint64_t hash)
{
    return vmaxvq_u32(vorrq_u32(seenset_inline_split_lacks(block, hash, 0),
                                seenset_inline_split_lacks(block, hash, 1))) ==
           0;
}

static inline int seenset_inline_split_block_add(uint64_t *block, uint64_t hash)
{
    uint32x4_t missing = vdupq_n_u32(0);
    for (unsigned half = 0; half < 2; half++) {
        uint32x4_t lacks = seenset_inline_split_lacks(block, hash, half);
        uint64x2_t words = vld1q_u64(block + 2 * half);
        vst1q_u64(block + 2 * half,
                  vorrq_u64(words, vreinterpretq_u64_u32(lacks)));
        missing = vorrq_u32(missing, lacks);
    }
    return vmaxvq_u32(missing) != 0;
}

#else

/* The two bits of 64-bit word w: of 32-bit words 2 w and 2 w + 1. */
static inline uint64_t seenset_inline_split_mask(uint64_t hash, unsigned w)
{
    const uint32_t *salts = seenset_inline_split_salts() + 2 * w;
    uint32_t lower = (uint32_t)hash * salts[0] >> 27;
    uint32_t upper = (uint32_t)hash * salts[1] >> 27;
    return UINT64_C(1) << lower | UINT64_C(1) << 32 << upper;
}

static inline int seenset_inline_split_block_has(const uint64_t *block,
                                                 uint64_t hash)
{
    uint64_t missing = 0;
    for (unsigned w = 0; w < 4; w++)
        missing |= seenset_inline_split_mask(hash, w) & ~block[w];
    return missing == 0;
}

static inline int seenset_inline_split_block_add(uint64_t *block, uint64_t hash)
{
    uint64_t missing = 0;
    for (unsigned w = 0; w < 4; w++) {
        uint64_t mask = seenset_inline_split_mask(hash, w);
        missing |= mask & ~block[w];
        block[w] |= mask;
    }
    return missing != 0;
}

#endif

#ifdef __cplusplus
}
#endif
#endif
