/*
 * slots_vbmi.h - rows of slots out of lines and into them: what moves.h asks
 * for. A line is shifted as one number of 512 bits, and sixteen slots are
 * unpacked, counted or parted at a time.
 */
#ifndef SS_EXPAND_SLOTS_VBMI_H
#define SS_EXPAND_SLOTS_VBMI_H

#include "expand/line_vbmi.h"

typedef uint32_t moved_slot;

enum {
    SLOTS_OVER = LANES,
    LINE_BITS = SS_LINE_BYTES * 8
};

/* As one store: the next load of the line waits for stores of less. */
static inline void line_begin(uint64_t *line, uint64_t ends)
{
    __m512i all = _mm512_maskz_set1_epi64(0x80, (long long)ends);
    _mm512_storeu_si512(line, all);
}

/* Ones from a bit of a line on. */
static inline __m512i ones_from(uint32_t bit)
{
    __m512i by_word =
        _mm512_max_epi64(bit_by_word(bit), _mm512_setzero_si512());
    return _mm512_sllv_epi64(_mm512_set1_epi64(-1), by_word);
}

static inline void line_move(uint64_t *to, uint32_t to_bit,
                             const uint64_t *from, uint32_t from_bit,
                             uint32_t count)
{
    const __m512i numbers = _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7);
    __m512i line = _mm512_loadu_si512(from);
    uint32_t up = (to_bit - from_bit) % (uint32_t)LINE_BITS;
    __m512i words = _mm512_set1_epi64(up / SS_WORD_BITS);
    __m512i upper = _mm512_sub_epi64(numbers, words);
    __m512i lower = _mm512_sub_epi64(upper, _mm512_set1_epi64(1));
    /* rotated by `up`; a permutation asks for the lower three bits */
    __m512i rotated = _mm512_shldv_epi64(_mm512_permutexvar_epi64(upper, line),
                                         _mm512_permutexvar_epi64(lower, line),
                                         _mm512_set1_epi64(up % SS_WORD_BITS));
    __m512i kept =
        _mm512_andnot_si512(ones_from(to_bit + count), ones_from(to_bit));
    rotated = _mm512_and_si512(rotated, kept);
    _mm512_storeu_si512(to, _mm512_or_si512(_mm512_loadu_si512(to), rotated));
}

static inline void line_unpack(const uint64_t *line, uint32_t width,
                               uint32_t count, uint32_t *slots)
{
    if (width > LANE_WIDTH_MAX) {
        for (uint32_t i = 0; i < count; i++)
            slots[i] = (uint32_t)ss_line_slot(line, width, i);
        return;
    }
    __m512i all = _mm512_loadu_si512(line);
    __m512i mask = _mm512_set1_epi32((int)ss_slot_mask(width));
    for (uint32_t i = 0; i < count; i += LANES)
        _mm512_storeu_si512(
            slots + i, _mm512_and_si512(sixteen_slots(all, width, i), mask));
}

static inline uint32_t slots_count(const uint32_t *slots, uint32_t count,
                                   uint32_t empty, uint32_t *voids)
{
    uint32_t upper = 0;
    __m512i void_slot = _mm512_set1_epi32((int)empty);
    for (uint32_t i = 0; i < count; i += LANES) {
        __mmask16 lanes = (__mmask16)lanes_of((int)(count - i));
        __m512i some = _mm512_maskz_loadu_epi32(lanes, slots + i);
        upper += (uint32_t)__builtin_popcount(
            _mm512_cmpge_epu32_mask(some, void_slot));
        *voids += (uint32_t)__builtin_popcount(
            _mm512_cmpeq_epi32_mask(some, void_slot));
    }
    return upper;
}

static inline void slots_part(const uint32_t *slots, uint32_t count,
                              uint32_t width, uint32_t lower, uint32_t *to)
{
    uint32_t *halves[2] = {to, to + lower};
    __m512i empty = _mm512_set1_epi32((int)ss_slot_void(width));
    __m512i mask = _mm512_set1_epi32((int)ss_slot_mask(width));
    for (uint32_t i = 0; i < count; i += LANES) {
        __mmask16 lanes = (__mmask16)lanes_of((int)(count - i));
        __m512i some = _mm512_maskz_loadu_epi32(lanes, slots + i);
        __mmask16 upper = _mm512_cmpge_epu32_mask(some, empty);
        __m512i less = _mm512_and_si512(_mm512_slli_epi32(some, 1), mask);
        __mmask16 parts[2] = {(__mmask16)(lanes & ~upper), upper};
        for (uint32_t half = 0; half < 2; half++) {
            uint32_t here = (uint32_t)__builtin_popcount(parts[half]);
            _mm512_mask_storeu_epi32(
                halves[half], (__mmask16)lanes_of((int)here),
                _mm512_maskz_compress_epi32(parts[half], less));
            halves[half] += here;
        }
    }
}

#endif
