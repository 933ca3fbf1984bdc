/*
 * seenset/extra/block.h - what seenset/extra/inline.h does with a block.
 *
 * Extra: installed, but without a promise. Its functions and types may change
 * with any release, so build your program again with each one; the loader does
 * not run it with the library of another release (docs/stability.md).
 *
 * A block has 512 bits, and a key one of each of its eight words. Include
 * seenset/extra/inline.h: these functions check nothing.
 */
#ifndef SEENSET_EXTRA_BLOCK_H
#define SEENSET_EXTRA_BLOCK_H

#include <stdint.h>

#if defined(__AVX2__) || defined(__AVX512F__)
#include <immintrin.h>
#elif defined(__aarch64__) && defined(__ARM_NEON)
#include <arm_neon.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* From the part of the hash that chose a block to that which chooses bits, and
 * on to the next block's. */
static inline uint64_t seenset_inline_step(uint64_t x)
{
    return (x ^ x >> 32) * UINT64_C(0x9E3779B97F4A7C15);
}

/* floor(x * range / 2^64) */
static inline uint64_t seenset_inline_range(uint64_t x, uint64_t range)
{
#if defined(__SIZEOF_INT128__)
    __extension__ typedef unsigned __int128 wide;
    return (uint64_t)((wide)x * range >> 64);
#else
    uint64_t x_low = x & UINT32_MAX, x_high = x >> 32;
    uint64_t r_low = range & UINT32_MAX, r_high = range >> 32;
    uint64_t middle = x_high * r_low + (x_low * r_low >> 32);
    uint64_t other = x_low * r_high + (middle & UINT32_MAX);
    return x_high * r_high + (middle >> 32) + (other >> 32);
#endif
}

/*
 * Two functions for a block of 8 words: does it have the bits that x chooses,
 * one in each word; and set them: was one missing?
 */
#if defined(__AVX512F__) && !defined(SEENSET_INLINE_WORDS)

/* By intrinsics with a mask of all words: of those without, some compilers warn
 * in their own header. */
static inline __m512i seenset_inline_mask(uint64_t x)
{
    const __m512i shifts = _mm512_setr_epi64(16, 22, 28, 34, 40, 46, 52, 58);
    __m512i all = _mm512_set1_epi64((long long)x);
    __m512i fields = _mm512_maskz_srlv_epi64(0xFF, all, shifts);
    return _mm512_maskz_rolv_epi64(0xFF, _mm512_set1_epi64(1), fields);
}

static inline int seenset_inline_block_has(const uint64_t *block, uint64_t x)
{
    __m512i words = _mm512_loadu_si512(block);
    return _mm512_testn_epi64_mask(words, seenset_inline_mask(x)) == 0;
}

static inline int seenset_inline_block_add(uint64_t *block, uint64_t x)
{
    __m512i mask = seenset_inline_mask(x);
    __m512i words = _mm512_loadu_si512(block);
    _mm512_storeu_si512(block, _mm512_or_si512(words, mask));
    return _mm512_testn_epi64_mask(words, mask) != 0;
}

#elif defined(__AVX2__) && !defined(SEENSET_INLINE_WORDS)

/* The numbers of the bits of words 0 to 3 (first_shift 16), or 4 to 7 (40). */
static inline __m256i seenset_inline_fields(uint64_t x, long long first_shift)
{
    const __m256i steps = _mm256_setr_epi64x(0, 6, 12, 18);
    __m256i shifts = _mm256_add_epi64(_mm256_set1_epi64x(first_shift), steps);
    return _mm256_and_si256(
        _mm256_srlv_epi64(_mm256_set1_epi64x((long long)x), shifts),
        _mm256_set1_epi64x(63));
}

/* Shifts the bits to the lowest place of their words, so that one test serves
 * all eight. */
static inline int seenset_inline_block_has(const uint64_t *block, uint64_t x)
{
    const __m256i *halves = (const __m256i *)(const void *)block;
    __m256i low = _mm256_srlv_epi64(_mm256_loadu_si256(halves),
                                    seenset_inline_fields(x, 16));
    __m256i high = _mm256_srlv_epi64(_mm256_loadu_si256(halves + 1),
                                     seenset_inline_fields(x, 40));
    return _mm256_testc_si256(_mm256_and_si256(low, high),
                              _mm256_set1_epi64x(1));
}

static inline int seenset_inline_block_add(uint64_t *block, uint64_t x)
{
    const __m256i one = _mm256_set1_epi64x(1);
    __m256i *halves = (__m256i *)(void *)block;
    __m256i low_mask = _mm256_sllv_epi64(one, seenset_inline_fields(x, 16));
    __m256i high_mask = _mm256_sllv_epi64(one, seenset_inline_fields(x, 40));
    __m256i low = _mm256_loadu_si256(halves);
    __m256i high = _mm256_loadu_si256(halves + 1);
    __m256i missing = _mm256_or_si256(_mm256_andnot_si256(low, low_mask),
                                      _mm256_andnot_si256(high, high_mask));
    _mm256_storeu_si256(halves, _mm256_or_si256(low, low_mask));
    _mm256_storeu_si256(halves + 1, _mm256_or_si256(high, high_mask));
    return !_mm256_testz_si256(missing, missing);
}

#elif defined(__aarch64__) && defined(__ARM_NEON) &&                           \
    !defined(SEENSET_INLINE_WORDS)

/* Of words 2 pair and 2 pair + 1. */
static inline uint64x2_t seenset_inline_mask(uint64_t x, int pair)
{
    const int64_t shifts[2] = {-16 - 12 * pair, -22 - 12 * pair};
    uint64x2_t fields = vshlq_u64(vdupq_n_u64(x), vld1q_s64(shifts));
    fields = vandq_u64(fields, vdupq_n_u64(63));
    return vshlq_u64(vdupq_n_u64(1), vreinterpretq_s64_u64(fields));
}

static inline int seenset_inline_is_any(uint64x2_t bits)
{
    return (vgetq_lane_u64(bits, 0) | vgetq_lane_u64(bits, 1)) != 0;
}

static inline int seenset_inline_block_has(const uint64_t *block, uint64_t x)
{
    uint64x2_t missing = vdupq_n_u64(0);
    for (int pair = 0; pair < 4; pair++)
        missing = vorrq_u64(missing, vbicq_u64(seenset_inline_mask(x, pair),
                                               vld1q_u64(block + 2 * pair)));
    return !seenset_inline_is_any(missing);
}

static inline int seenset_inline_block_add(uint64_t *block, uint64_t x)
{
    uint64x2_t missing = vdupq_n_u64(0);
    for (int pair = 0; pair < 4; pair++) {
        uint64x2_t mask = seenset_inline_mask(x, pair);
        uint64x2_t words = vld1q_u64(block + 2 * pair);
        vst1q_u64(block + 2 * pair, vorrq_u64(words, mask));
        missing = vorrq_u64(missing, vbicq_u64(mask, words));
    }
    return seenset_inline_is_any(missing);
}

#else

static inline int seenset_inline_block_has(const uint64_t *block, uint64_t x)
{
    uint64_t set = 1;
    x >>= 16;
    for (unsigned w = 0; w < 8; w++, x >>= 6)
        set &= block[w] >> (x & 63);
    return (int)(set & 1);
}

static inline int seenset_inline_block_add(uint64_t *block, uint64_t x)
{
    uint64_t missing = 0;
    x >>= 16;
    for (unsigned w = 0; w < 8; w++, x >>= 6) {
        uint64_t word = block[w], mask = UINT64_C(1) << (x & 63);
        block[w] = word | mask;
        missing |= mask & ~word;
    }
    return missing != 0;
}

#endif

#ifdef __cplusplus
}
#endif
#endif
