/*
 * slots_avx2.h - lines four words at a time, and slots of up to 25 bits eight
 * at a time: what a kernel that moves slots needs beside slots_common.h
 * (expand/kernel/writer.h, move_slots.h).
 */
#ifndef SS_LINES_SLOTS_AVX2_H
#define SS_LINES_SLOTS_AVX2_H

#include "lines/line_avx2.h"
#include "lines/slots_common.h"

enum {
    SLOTS_OVER = LANES
};

static inline __m256i load_four(const uint64_t *words)
{
    return _mm256_loadu_si256((const __m256i *)words);
}

static inline void store_four(uint64_t *words, __m256i four)
{
    _mm256_storeu_si256((__m256i *)words, four);
}

/* Shifts of 64 bits or more leave nothing, as they are to. */
static inline __m128i shift_by(uint32_t count)
{
    return _mm_cvtsi32_si128((int)count);
}

static inline void row_append(uint64_t *row, uint32_t bit, const uint64_t *line)
{
    const __m256i slots_only = _mm256_setr_epi64x(-1, -1, -1, 0);
    uint64_t *to = row + bit / SS_WORD_BITS;
    uint32_t shift = bit % SS_WORD_BITS;
    uint64_t before = to[0] & ((UINT64_C(1) << shift) - 1);
    __m128i up = shift_by(shift), down = shift_by(SS_WORD_BITS - shift);
    __m256i low = load_four(line);
    __m256i high = _mm256_and_si256(load_four(line + 4), slots_only);
    __m256i low_carry =
        _mm256_srl_epi64(words_before(_mm256_setzero_si256(), low), down);
    __m256i high_carry = _mm256_srl_epi64(words_before(low, high), down);
    low_carry = _mm256_or_si256(low_carry,
                                _mm256_setr_epi64x((long long)before, 0, 0, 0));
    store_four(to, _mm256_or_si256(_mm256_sll_epi64(low, up), low_carry));
    store_four(to + 4, _mm256_or_si256(_mm256_sll_epi64(high, up), high_carry));
}

/* Four words of a row from a bit of the first on, as far as `count` bits go. */
static inline __m256i take_four(const uint64_t *row, uint32_t shift,
                                int64_t count)
{
    const __m256i begins = _mm256_setr_epi64x(0, 64, 128, 192);
    __m256i bits = _mm256_or_si256(
        _mm256_srl_epi64(load_four(row), shift_by(shift)),
        _mm256_sll_epi64(load_four(row + 1), shift_by(SS_WORD_BITS - shift)));
    __m256i left = _mm256_sub_epi64(_mm256_set1_epi64x(count), begins);
    __m256i over = ones_from(left);
    return _mm256_andnot_si256(over, bits);
}

static inline void line_write(uint64_t *line, const uint64_t *row, uint32_t bit,
                              uint32_t count, uint64_t ends)
{
    const uint64_t *from = row + bit / SS_WORD_BITS;
    uint32_t shift = bit % SS_WORD_BITS;
    __m256i high = take_four(from + 4, shift, (int64_t)count - 256);
    store_four(line, take_four(from, shift, count));
    store_four(line + 4, _mm256_blend_epi32(
                             high, _mm256_set1_epi64x((long long)ends), 0xC0));
}

static inline void line_unpack(const uint64_t *line, uint32_t width,
                               uint32_t count, uint32_t *slots)
{
    __m256i mask = _mm256_set1_epi32((int)ss_slot_mask(width));
    uint32_t i = 0;
    for (; width <= SHUFFLED_WIDTH_MAX && i < count; i += LANES)
        _mm256_storeu_si256(
            (__m256i *)(slots + i),
            _mm256_and_si256(eight_slots(line, width, i), mask));
    for (; i < count; i++)
        slots[i] = (uint32_t)ss_line_slot(line, width, i);
}

/* The lanes of eight that equal `wanted`, of the first `left`. */
static inline uint32_t lanes_equal(__m256i some, uint32_t wanted, uint32_t left)
{
    __m256i equal = _mm256_cmpeq_epi32(some, _mm256_set1_epi32((int)wanted));
    uint32_t lanes = (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(equal));
    return left < LANES ? lanes & ((1u << left) - 1) : lanes;
}

static inline uint32_t slots_count(const uint32_t *slots, uint32_t count,
                                   uint32_t empty, uint32_t *voids)
{
    uint32_t upper = 0;
    for (uint32_t i = 0; i < count; i += LANES) {
        __m256i some = _mm256_loadu_si256((const __m256i *)(slots + i));
        __m256i bit = _mm256_and_si256(some, _mm256_set1_epi32((int)empty));
        upper +=
            (uint32_t)__builtin_popcount(lanes_equal(bit, empty, count - i));
        *voids +=
            (uint32_t)__builtin_popcount(lanes_equal(some, empty, count - i));
    }
    return upper;
}

#endif
