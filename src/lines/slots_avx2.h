/*
 * slots_avx2.h - lines four words at a time, and slots of up to 25 bits eight
 * at a time, or four where they part or are packed: what a kernel that moves
 * slots needs beside slots_common.h (expand/kernel/writer.h, move_slots.h).
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

/* Eight lanes of 16 bits as eight numbers. */
static inline void store_eight(uint32_t *slots, __m128i eight)
{
    _mm256_storeu_si256((__m256i *)slots, _mm256_cvtepu16_epi32(eight));
}

/* All slots of a line of a common width. */
static inline void unpack_row(const uint64_t *line, uint32_t width,
                              uint32_t *slots)
{
    __m256i mask = _mm256_set1_epi16((short)ss_slot_mask(width));
    __m256i even = _mm256_and_si256(row_slots(line, width, 0, 2 * width), mask);
    __m256i odd =
        _mm256_and_si256(row_slots(line, width, width, 3 * width), mask);
    store_eight(slots, _mm256_castsi256_si128(even));
    store_eight(slots + 8, _mm256_castsi256_si128(odd));
    store_eight(slots + 16, _mm256_extracti128_si256(even, 1));
    store_eight(slots + 24, _mm256_extracti128_si256(odd, 1));
}

static inline void unpack_any(const uint64_t *line, uint32_t width,
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

static inline void line_unpack(const uint64_t *line, uint32_t width,
                               uint32_t count, uint32_t *slots)
{
    switch (width) {
    case 14:
        unpack_row(line, 14, slots);
        break;
    case 15:
        unpack_row(line, 15, slots);
        break;
    case 16:
        unpack_row(line, 16, slots);
        break;
    default:
        unpack_any(line, width, count, slots);
    }
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

/* Four slots of up to 16 bits, side by side. */
static inline uint64_t four_side_by_side(const uint32_t *slots, uint32_t width)
{
    __m128i four = _mm_loadu_si128((const __m128i *)slots);
    __m128i lower = _mm_and_si128(four, _mm_set1_epi64x(UINT32_MAX));
    __m128i upper = _mm_srl_epi64(four, shift_by(32 - width));
    __m128i pairs = _mm_or_si128(lower, upper);
    return (uint64_t)_mm_cvtsi128_si64(pairs) |
           (uint64_t)_mm_extract_epi64(pairs, 1) << (2 * width);
}

/* Four slots at a time, or two where these fill a word. */
static inline void row_pack(uint64_t *row, uint32_t bit, const uint32_t *slots,
                            uint32_t count, uint32_t width)
{
    uint64_t *to = row + bit / SS_WORD_BITS;
    uint32_t fill = bit % SS_WORD_BITS, step = width <= 16 ? 4 : 2;
    uint64_t bits = to[0] & ((UINT64_C(1) << fill) - 1);
    for (uint32_t i = 0; i < count; i += step) {
        uint32_t here = count - i < step ? count - i : step;
        uint64_t some = width <= 16
                            ? four_side_by_side(slots + i, width)
                            : slots[i] | (uint64_t)slots[i + 1] << width;
        some = _bzhi_u64(some, here * width);
        uint64_t over = some >> 1 >> (63 - fill);
        bits |= some << fill;
        *to = bits;
        fill += here * width;
        bits = fill < SS_WORD_BITS ? bits : over;
        to += fill / SS_WORD_BITS;
        fill %= SS_WORD_BITS;
    }
    *to = bits;
}

/* Of four numbers, those of which a bit is set, side by side from the first
 * on: where the bytes of each come from. */
static inline __m128i chosen_bytes(uint32_t four)
{
#define LANE(i) 0x03020100 + (i)*0x04040404
    static const uint32_t lanes[16][4] = {
        {0},
        {LANE(0)},
        {LANE(1)},
        {LANE(0), LANE(1)},
        {LANE(2)},
        {LANE(0), LANE(2)},
        {LANE(1), LANE(2)},
        {LANE(0), LANE(1), LANE(2)},
        {LANE(3)},
        {LANE(0), LANE(3)},
        {LANE(1), LANE(3)},
        {LANE(0), LANE(1), LANE(3)},
        {LANE(2), LANE(3)},
        {LANE(0), LANE(2), LANE(3)},
        {LANE(1), LANE(2), LANE(3)},
        {LANE(0), LANE(1), LANE(2), LANE(3)},
    };
#undef LANE
    return _mm_loadu_si128((const __m128i *)lanes[four]);
}

/* Those of one half, less their first bit; what is written after them is
 * rubbish. */
static inline void take_half(const uint32_t *slots, uint32_t count,
                             uint32_t width, uint32_t lanes, uint32_t *to)
{
    __m128i mask = _mm_set1_epi32((int)ss_slot_mask(width));
    for (uint32_t i = 0; i < count; i += 4) {
        __m128i four = _mm_loadu_si128((const __m128i *)(slots + i));
        __m128i top = _mm_sll_epi32(four, shift_by(32 - width));
        uint32_t upper = (uint32_t)_mm_movemask_ps(_mm_castsi128_ps(top));
        uint32_t chosen = _bzhi_u32(upper ^ lanes, count - i);
        __m128i less = _mm_and_si128(_mm_slli_epi32(four, 1), mask);
        _mm_storeu_si128((__m128i *)to,
                         _mm_shuffle_epi8(less, chosen_bytes(chosen)));
        to += (uint32_t)__builtin_popcount(chosen);
    }
}

static inline void slots_part(const uint32_t *slots, uint32_t count,
                              uint32_t width, uint32_t lower, uint32_t *to)
{
    take_half(slots, count, width, 0xF, to);
    take_half(slots, count, width, 0, to + lower);
}

#endif
