/*
 * slots_vbmi.h - rows of slots out of lines and into them, for kernels that
 * move slots (expand/kernel/writer.h, move_slots.h). A line is shifted as one
 * number of 512 bits, and sixteen slots are unpacked, counted or parted at a
 * time.
 */
#ifndef SS_LINES_SLOTS_VBMI_H
#define SS_LINES_SLOTS_VBMI_H

#include <string.h>

#include "lines/line_vbmi.h"

typedef uint32_t moved_slot;

enum {
    SLOTS_OVER = LANES
};

#define BYTES_OF_COUNTS UINT64_C(0x7F7F7F7F7F7F7F7F)

static inline uint64_t counts_spread(uint64_t counts)
{
    return _pdep_u64(counts, BYTES_OF_COUNTS);
}

static inline uint64_t counts_gather(uint64_t bytes)
{
    return _pext_u64(bytes, BYTES_OF_COUNTS);
}

static inline void row_append(uint64_t *row, uint32_t bit, const uint64_t *line)
{
    uint8_t *to = (uint8_t *)row + bit / 8;
    __m512i shift = _mm512_set1_epi64(bit % 8);
    __m512i slots = _mm512_maskz_loadu_epi64(0x7F, line);
    __m512i lower =
        _mm512_alignr_epi64(slots, _mm512_setzero_si512(), SS_SLOT_WORDS);
    __m512i moved = _mm512_shldv_epi64(slots, lower, shift);
    uint32_t before = _bzhi_u32(*to, bit % 8);
    moved = _mm512_or_si512(
        moved, _mm512_zextsi128_si512(_mm_cvtsi32_si128((int)before)));
    _mm512_storeu_si512(to, moved);
}

/* Two slots at a time; with those of the byte before they have room in 64 bits.
 */
static inline void row_pack(uint64_t *row, uint32_t bit, const uint32_t *slots,
                            uint32_t count, uint32_t width)
{
    enum {
        PAIR_WIDTH_MAX = 28
    };
    uint8_t *to = (uint8_t *)row + bit / 8;
    uint32_t fill = bit % 8, step = width;
    uint64_t bits = _bzhi_u32(*to, fill);
    for (uint32_t i = 0; i < count; i += step / width) {
        bool is_pair = width <= PAIR_WIDTH_MAX && i + 1 < count;
        uint64_t field = slots[i];
        if (is_pair)
            field |= (uint64_t)slots[i + 1] << width;
        step = is_pair ? 2 * width : width;
        bits |= field << fill;
        fill += step;
        memcpy(to, &bits, sizeof bits);
        to += fill / 8;
        bits >>= fill / 8 * 8;
        fill %= 8;
    }
    memcpy(to, &bits, sizeof bits);
}

/* Ones from a bit of a line on. */
static inline __m512i ones_from(uint32_t bit)
{
    __m512i by_word =
        _mm512_max_epi64(bit_by_word(bit), _mm512_setzero_si512());
    return _mm512_sllv_epi64(_mm512_set1_epi64(-1), by_word);
}

static inline void line_write(uint64_t *line, const uint64_t *row, uint32_t bit,
                              uint32_t count, uint64_t ends)
{
    __m512i some = _mm512_loadu_si512((const uint8_t *)row + bit / 8);
    __m512i upper = _mm512_alignr_epi64(some, some, 1);
    __m512i slots = _mm512_shrdv_epi64(some, upper, _mm512_set1_epi64(bit % 8));
    slots = _mm512_andnot_si512(ones_from(count), slots);
    _mm512_storeu_si512(line,
                        _mm512_mask_set1_epi64(slots, 0x80, (long long)ends));
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
