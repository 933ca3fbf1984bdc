/*
 * line_vbmi.h - all slots of a line, sixteen of up to 25 bits, or eight of up
 * to 56, at a time: one permutation of the whole line's bytes brings each
 * slot's bytes into its lane. A push shifts the seven words at once.
 */
#ifndef SS_LINES_LINE_VBMI_H
#define SS_LINES_LINE_VBMI_H

#include <immintrin.h>

#include "base/inlining.h"
#include "lines/line.h"

enum {
    LANES = 16,
    WIDE_LANES = 8,
    LANE_WIDTH_MAX = 25 /* with 7 bits before it, in 32 */
};

/* Do slots of that width, with the bits before them in their first byte, have
 * room in 32? At 26 those are 6 at most, at 28 they are 4. */
static inline bool fits_lane(uint32_t width)
{
    return width <= LANE_WIDTH_MAX || width == 26 || width == 28;
}

static inline __m512i sixteen_slots(__m512i line, uint32_t width,
                                    uint32_t first)
{
    const __m512i numbers =
        _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    __m512i bits = _mm512_mullo_epi32(numbers, _mm512_set1_epi32((int)width));
    bits = _mm512_add_epi32(bits, _mm512_set1_epi32((int)(first * width)));
    const __m512i spread = _mm512_broadcast_i32x4(
        _mm_setr_epi8(0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12));
    __m512i at = _mm512_shuffle_epi8(_mm512_srli_epi32(bits, 3), spread);
    at = _mm512_add_epi8(at, _mm512_set1_epi32(0x03020100));
    __m512i shifts = _mm512_and_si512(bits, _mm512_set1_epi32(7));
    return _mm512_srlv_epi32(_mm512_permutexvar_epi8(at, line), shifts);
}

static inline uint32_t match_sixteen(__m512i slots, uint32_t width,
                                     uint64_t query)
{
    __m512i less = _mm512_add_epi32(slots, _mm512_set1_epi32(-1));
    __m512i differ = _mm512_xor_si512(slots, _mm512_set1_epi32((int)query));
    differ = _mm512_andnot_si512(_mm512_xor_si512(slots, less), differ);
    return _mm512_testn_epi32_mask(differ,
                                   _mm512_set1_epi32((int)ss_slot_mask(width)));
}

static inline uint32_t match_eight(__m512i line, uint32_t width, uint32_t first,
                                   uint64_t query)
{
    const __m512i numbers = _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7);
    __m512i bits = _mm512_mullo_epi32(numbers, _mm512_set1_epi64(width));
    bits = _mm512_add_epi64(bits, _mm512_set1_epi64(first * width));
    const __m512i spread = _mm512_broadcast_i32x4(
        _mm_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 8, 8, 8, 8, 8, 8, 8, 8));
    __m512i at = _mm512_shuffle_epi8(_mm512_srli_epi64(bits, 3), spread);
    at = _mm512_add_epi8(at, _mm512_set1_epi64(0x0706050403020100));
    __m512i shifts = _mm512_and_si512(bits, _mm512_set1_epi64(7));
    __m512i slots =
        _mm512_srlv_epi64(_mm512_permutexvar_epi8(at, line), shifts);
    __m512i less = _mm512_add_epi64(slots, _mm512_set1_epi64(-1));
    __m512i differ =
        _mm512_xor_si512(slots, _mm512_set1_epi64((long long)query));
    differ = _mm512_andnot_si512(_mm512_xor_si512(slots, less), differ);
    return _mm512_testn_epi64_mask(
        differ, _mm512_set1_epi64((long long)ss_slot_mask(width)));
}

/*
 * All slots of a line at once, where they are at most 32: four of up to 16 bits
 * begin in one byte, or in its middle, and end in the 64 bits from there on. So
 * a permutation of bytes brings four to each word, and a shift by byte brings
 * each to its 16 bits. No count of the line is waited for.
 */
enum {
    ROW_WIDTH_MIN = 14,
    ROW_WIDTH_MAX = 16
};

/* Where in a line the eight bytes of lane `i` are; in those, where the two
 * bytes of each slot begin. */
static inline long long row_bytes(uint32_t width, uint32_t i)
{
    uint64_t first = 4 * width * i / 8;
    return (long long)(UINT64_C(0x0706050403020100) +
                       first * UINT64_C(0x0101010101010101));
}

static inline long long row_shifts(uint32_t width, uint32_t i)
{
    uint64_t first = 4 * width * i % 8;
    return (long long)(UINT64_C(0x0800080008000800) +
                       first * UINT64_C(0x0101010101010101) +
                       width * UINT64_C(0x0303020201010000));
}

static inline uint32_t match_row(const uint64_t *from, uint32_t width,
                                 uint64_t query)
{
    const __m512i bytes = _mm512_setr_epi64(
        row_bytes(width, 0), row_bytes(width, 1), row_bytes(width, 2),
        row_bytes(width, 3), row_bytes(width, 4), row_bytes(width, 5),
        row_bytes(width, 6), row_bytes(width, 7));
    const __m512i shifts = _mm512_setr_epi64(
        row_shifts(width, 0), row_shifts(width, 1), row_shifts(width, 2),
        row_shifts(width, 3), row_shifts(width, 4), row_shifts(width, 5),
        row_shifts(width, 6), row_shifts(width, 7));
    __m512i line = _mm512_loadu_si512(from);
    __m512i slots = _mm512_multishift_epi64_epi8(
        shifts, _mm512_permutexvar_epi8(bytes, line));
    __m512i less = _mm512_add_epi16(slots, _mm512_set1_epi16(-1));
    __m512i asked = _mm512_set1_epi16((short)query);
    /* (slot ^ query) & ~(slot ^ less): where slot is 1, query is not and less
     * is; where slot is 0, query is and less is not */
    enum {
        DIFFER = 0x24
    };
    __m512i differ = _mm512_ternarylogic_epi32(slots, asked, less, DIFFER);
    return _mm512_mask_testn_epi16_mask(
        _bzhi_u32(UINT32_MAX, ss_line_slots(width)), differ,
        _mm512_set1_epi16((short)ss_slot_mask(width)));
}

/* The lanes of so many slots; none of a negative number. */
static inline uint32_t lanes_of(int count)
{
    return count > 0 ? _bzhi_u32(UINT32_MAX, (uint32_t)count) : 0;
}

static inline bool line_match(const uint64_t *from, uint32_t width,
                              uint32_t first, uint32_t end, uint64_t query)
{
    bool is_row = width >= ROW_WIDTH_MIN && width <= ROW_WIDTH_MAX;
    if (__builtin_constant_p(is_row) && is_row) {
        uint64_t row = match_row(from, width, query);
        return _bzhi_u64(row, end) != _bzhi_u64(row, first);
    }
    if (end > ss_line_slots(width))
        end = ss_line_slots(width);
    __m512i line = _mm512_loadu_si512(from);
    int left = (int)end - (int)first;
    if (width > LANE_WIDTH_MAX) {
        uint32_t found = 0;
        for (; left > 0; left -= WIDE_LANES, first += WIDE_LANES)
            found |= match_eight(line, width, first, query) & lanes_of(left);
        return found != 0;
    }
    uint32_t found =
        match_sixteen(sixteen_slots(line, width, first), width, query) &
        lanes_of(left);
    while (__builtin_expect(left > LANES, 0)) {
        left -= LANES;
        first += LANES;
        found |=
            match_sixteen(sixteen_slots(line, width, first), width, query) &
            lanes_of(left);
    }
    return found != 0;
}

/* All slots of a line, 32 at most: where they are is computed once for many
 * lines of one width. */
static inline uint64_t match_all(const uint64_t *from, uint32_t width,
                                 uint64_t query)
{
    __m512i line = _mm512_loadu_si512(from);
    uint32_t slots = ss_line_slots(width);
    uint64_t found;
    if (fits_lane(width)) {
        found = match_sixteen(sixteen_slots(line, width, 0), width, query);
        if (slots > LANES)
            found |= (uint64_t)match_sixteen(sixteen_slots(line, width, LANES),
                                             width, query)
                     << LANES;
    } else {
        found = match_eight(line, width, 0, query);
        if (slots > WIDE_LANES)
            found |= (uint64_t)match_eight(line, width, WIDE_LANES, query)
                     << WIDE_LANES;
    }
    return _bzhi_u64(found, slots);
}

/* What line_match does, for many lines of one width. */
static SS_ALWAYS_INLINE bool line_match_row(const uint64_t *from,
                                            uint32_t width, uint32_t first,
                                            uint32_t end, uint64_t query)
{
    bool is_row = width >= ROW_WIDTH_MIN && width <= ROW_WIDTH_MAX;
    if (ss_line_slots(width) > 2 * LANES ||
        (__builtin_constant_p(is_row) && is_row))
        return line_match(from, width, first, end, query);
    uint64_t row = match_all(from, width, query);
    return _bzhi_u64(row, end) != _bzhi_u64(row, first);
}

/* Where a bit is in each word: its number there, negative in those after it. */
static inline __m512i bit_by_word(uint32_t bit)
{
    const __m512i begins =
        _mm512_setr_epi64(0, 64, 128, 192, 256, 320, 384, 448);
    return _mm512_sub_epi64(_mm512_set1_epi64(bit), begins);
}

static inline uint64_t line_push(uint64_t *to, uint32_t width, uint32_t place,
                                 uint64_t slot, uint64_t ones_of_ends)
{
    const __m512i zero = _mm512_setzero_si512();
    const __m512i before = _mm512_setr_epi64(0, 0, 1, 2, 3, 4, 5, 6);
    uint32_t last = ss_line_slots(width) - 1;
    uint64_t out = ss_line_slot(to, width, last);
    __m512i line = _mm512_loadu_si512(to);
    __m512i bit = bit_by_word(place * width);
    __m512i ones = _mm512_set1_epi64(-1);
    /* from the place on; the words after it whole, those before it not */
    __m512i moves = _mm512_sllv_epi64(ones, _mm512_max_epi64(bit, zero));
    __m512i moved = _mm512_and_si512(line, moves);
    __m512i lower = _mm512_maskz_permutexvar_epi64(0x7E, before, moved);
    __m512i up = _mm512_shldv_epi64(moved, lower, _mm512_set1_epi64(width));
    __m512i value = _mm512_set1_epi64((long long)slot);
    /* a count of 64 or more, as of a negative number, shifts all out */
    __m512i in =
        _mm512_or_si512(_mm512_sllv_epi64(value, bit),
                        _mm512_srlv_epi64(value, _mm512_sub_epi64(zero, bit)));
    __m512i result = _mm512_or_si512(_mm512_andnot_si512(moves, line),
                                     _mm512_or_si512(up, in));
    uint64_t top = UINT64_MAX >> (SS_SLOT_LINE_BITS - (last + 1) * width);
    __m512i kept = _mm512_mask_set1_epi64(ones, 0x40, (long long)top);
    result = _mm512_and_si512(result, kept);
    /* the counts with the slots: a load of a line waits for a store of less */
    __m512i more = _mm512_set1_epi64((long long)ones_of_ends);
    _mm512_storeu_si512(to, _mm512_mask_add_epi64(result, 0x80, line, more));
    return out;
}

#endif
