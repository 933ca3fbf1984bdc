/*
 * line_avx2.h - eight slots of up to 25 bits, or four of up to 56, at a time:
 * each half of a register has 16 bytes of the line from the first of its slots
 * on, a byte shuffle brings each slot's bytes into its lane, and a shift by
 * lane brings its first bit to the bottom.
 */
#ifndef SS_EXPAND_LINE_AVX2_H
#define SS_EXPAND_LINE_AVX2_H

#include <immintrin.h>

#include "expand/line.h"

enum {
    LANES = 8,
    WIDE_LANES = 4,
    SHUFFLED_WIDTH_MAX = 25, /* with 7 bits before it, in 32 */
    LAST_LOAD = 48           /* 16 bytes from there on end with the line */
};

/* Where four slots begin in their 16 bytes, or two. */
typedef struct half {
    __m128i bytes;
    uint32_t bit;
} half;

static inline half load_half(const uint64_t *line, uint32_t bit)
{
    uint32_t byte = bit / 8 < LAST_LOAD ? bit / 8 : LAST_LOAD;
    const char *from = (const char *)line + byte;
    return (half){_mm_loadu_si128((const __m128i *)from), bit - 8 * byte};
}

static inline __m256i eight_slots(const uint64_t *line, uint32_t width,
                                  uint32_t first)
{
    half low = load_half(line, first * width);
    uint32_t next = (first + 4) * width;
    half high = load_half(line, next < SS_SLOT_LINE_BITS ? next : 0);
    int w = (int)width;
    __m256i starts = _mm256_setr_epi32(0, w, 2 * w, 3 * w, 0, w, 2 * w, 3 * w);
    __m256i bases = _mm256_setr_m128i(_mm_set1_epi32((int)low.bit),
                                      _mm_set1_epi32((int)high.bit));
    __m256i bits = _mm256_add_epi32(starts, bases);
    const __m256i spread =
        _mm256_setr_epi8(0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12, 0,
                         0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12);
    __m256i at = _mm256_shuffle_epi8(_mm256_srli_epi32(bits, 3), spread);
    at = _mm256_add_epi8(at, _mm256_set1_epi32(0x03020100));
    __m256i bytes = _mm256_setr_m128i(low.bytes, high.bytes);
    __m256i shifts = _mm256_and_si256(bits, _mm256_set1_epi32(7));
    return _mm256_srlv_epi32(_mm256_shuffle_epi8(bytes, at), shifts);
}

static inline uint32_t match_eight(__m256i slots, uint32_t width,
                                   uint64_t query)
{
    __m256i less = _mm256_add_epi32(slots, _mm256_set1_epi32(-1));
    __m256i differ = _mm256_xor_si256(slots, _mm256_set1_epi32((int)query));
    differ = _mm256_andnot_si256(_mm256_xor_si256(slots, less), differ);
    differ =
        _mm256_and_si256(differ, _mm256_set1_epi32((int)ss_slot_mask(width)));
    __m256i same = _mm256_cmpeq_epi32(differ, _mm256_setzero_si256());
    return (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(same));
}

static inline __m256i four_slots(const uint64_t *line, uint32_t width,
                                 uint32_t first)
{
    half low = load_half(line, first * width);
    uint32_t next = (first + 2) * width;
    half high = load_half(line, next < SS_SLOT_LINE_BITS ? next : 0);
    __m256i bits = _mm256_setr_epi64x(low.bit, low.bit + width, high.bit,
                                      high.bit + width);
    const __m256i spread =
        _mm256_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 8, 8, 8, 8, 8, 8, 8, 8, 0, 0,
                         0, 0, 0, 0, 0, 0, 8, 8, 8, 8, 8, 8, 8, 8);
    __m256i at = _mm256_shuffle_epi8(_mm256_srli_epi64(bits, 3), spread);
    at = _mm256_add_epi8(at, _mm256_set1_epi64x(0x0706050403020100));
    __m256i bytes = _mm256_setr_m128i(low.bytes, high.bytes);
    __m256i shifts = _mm256_and_si256(bits, _mm256_set1_epi64x(7));
    return _mm256_srlv_epi64(_mm256_shuffle_epi8(bytes, at), shifts);
}

static inline uint32_t match_four(__m256i slots, uint32_t width, uint64_t query)
{
    __m256i less = _mm256_add_epi64(slots, _mm256_set1_epi64x(-1));
    __m256i differ =
        _mm256_xor_si256(slots, _mm256_set1_epi64x((long long)query));
    differ = _mm256_andnot_si256(_mm256_xor_si256(slots, less), differ);
    differ = _mm256_and_si256(
        differ, _mm256_set1_epi64x((long long)ss_slot_mask(width)));
    __m256i same = _mm256_cmpeq_epi64(differ, _mm256_setzero_si256());
    return (uint32_t)_mm256_movemask_pd(_mm256_castsi256_pd(same));
}

static inline bool line_match_wide(const uint64_t *line, uint32_t width,
                                   uint32_t first, uint32_t end, uint64_t query)
{
    bool is_seen = false;
    for (uint32_t at = first; at < end; at += WIDE_LANES) {
        uint32_t left = end - at;
        uint32_t lanes = left < WIDE_LANES ? (1u << left) - 1 : 0xF;
        __m256i slots = four_slots(line, width, at);
        is_seen |= (match_four(slots, width, query) & lanes) != 0;
    }
    return is_seen;
}

static inline bool line_match(const uint64_t *line, uint32_t width,
                              uint32_t first, uint32_t end, uint64_t query)
{
    bool is_seen = false;
    if (end > ss_line_slots(width))
        end = ss_line_slots(width);
    if (width > SHUFFLED_WIDTH_MAX)
        return line_match_wide(line, width, first, end, query);
    for (uint32_t at = first; at < end; at += LANES) {
        uint32_t lanes = end - at < LANES ? (1u << (end - at)) - 1 : 0xFF;
        __m256i slots = eight_slots(line, width, at);
        is_seen |= (match_eight(slots, width, query) & lanes) != 0;
    }
    return is_seen;
}

#define line_match_row line_match
#define line_push ss_line_push

#endif
