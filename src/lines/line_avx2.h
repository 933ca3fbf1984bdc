/*
 * line_avx2.h - eight slots of up to 25 bits, or four of up to 56, at a time:
 * each half of a register has 16 bytes of the line from the first of its slots
 * on, a byte shuffle brings each slot's bytes into its lane, and a shift by
 * lane brings its first bit to the bottom. Lines of the common widths are
 * compared whole, sixteen slots a register. A push shifts four words at once.
 */
#ifndef SS_LINES_LINE_AVX2_H
#define SS_LINES_LINE_AVX2_H

#include <immintrin.h>

#include "base/inlining.h"
#include "lines/line.h"

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

/*
 * All slots of a line at once, where they are at most 32. Eight of up to 16
 * bits begin with a byte and are in 16 bytes. A byte shuffle brings four to
 * each word; the upper two go up to the word's second half, and the upper one
 * of each half goes up to its 16 bits. So each shift is the same for all lanes,
 * and no count of the line is waited for.
 */
enum {
    ROW_WIDTH_MIN = 14,
    ROW_WIDTH_MAX = 16,
    ROW_LANE = 16
};

/* Eight slots from one byte of the line on, and eight from another: one to a
 * lane of 16 bits, with rubbish above it. */
static inline __m256i row_slots(const uint64_t *line, uint32_t width,
                                uint32_t low, uint32_t high)
{
    const char *bytes = (const char *)line;
    const long long upper = 4 * width / 8; /* the byte where slot 4 begins */
    const __m256i spread = _mm256_broadcastsi128_si256(_mm_set_epi64x(
        0x0706050403020100 + upper * 0x0101010101010101, 0x0706050403020100));
    int over = (int)(ROW_LANE - width);
    __m256i x =
        _mm256_setr_m128i(_mm_loadu_si128((const __m128i *)(bytes + low)),
                          _mm_loadu_si128((const __m128i *)(bytes + high)));
    if (width == ROW_LANE)
        return x;
    x = _mm256_shuffle_epi8(x, spread);
    if (4 * width % 8 != 0)
        x = _mm256_srlv_epi64(
            x, _mm256_setr_epi64x(0, 4 * width % 8, 0, 4 * width % 8));
    x = _mm256_blend_epi32(x, _mm256_slli_epi64(x, 2 * over), 0xAA);
    return _mm256_blend_epi16(x, _mm256_slli_epi32(x, over), 0xAA);
}

/* All ones in the lanes of slots that cover the query. */
static inline __m256i match_lanes(__m256i slots, uint32_t width, uint64_t query)
{
    __m256i less = _mm256_add_epi16(slots, _mm256_set1_epi16(-1));
    __m256i differ = _mm256_xor_si256(slots, _mm256_set1_epi16((short)query));
    differ = _mm256_andnot_si256(_mm256_xor_si256(slots, less), differ);
    if (width < ROW_LANE)
        differ = _mm256_and_si256(
            differ, _mm256_set1_epi16((short)ss_slot_mask(width)));
    return _mm256_cmpeq_epi16(differ, _mm256_setzero_si256());
}

/* A bit for each slot of a line. Packing takes the registers' halves by turns.
 */
static inline uint64_t match_row(const uint64_t *line, uint32_t width,
                                 uint64_t query)
{
    __m256i even = row_slots(line, width, 0, 2 * width);
    __m256i odd = row_slots(line, width, width, 3 * width);
    __m256i found = _mm256_packs_epi16(match_lanes(even, width, query),
                                       match_lanes(odd, width, query));
    return _bzhi_u64((uint32_t)_mm256_movemask_epi8(found),
                     ss_line_slots(width));
}

static inline bool line_match(const uint64_t *line, uint32_t width,
                              uint32_t first, uint32_t end, uint64_t query)
{
    bool is_row = width >= ROW_WIDTH_MIN && width <= ROW_WIDTH_MAX;
    if (__builtin_constant_p(is_row) && is_row) {
        uint64_t row = match_row(line, width, query);
        return _bzhi_u64(row, end) != _bzhi_u64(row, first);
    }
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

/* What line_match does, for many lines of one width: all slots are compared, as
 * where they are is computed once. */
static SS_ALWAYS_INLINE bool line_match_row(const uint64_t *line,
                                            uint32_t width, uint32_t first,
                                            uint32_t end, uint64_t query)
{
    uint32_t slots = ss_line_slots(width);
    bool is_row = width >= ROW_WIDTH_MIN && width <= ROW_WIDTH_MAX;
    if (width > SHUFFLED_WIDTH_MAX || slots > 4 * LANES ||
        (__builtin_constant_p(is_row) && is_row))
        return line_match(line, width, first, end, query);
    uint64_t row = match_eight(eight_slots(line, width, 0), width, query);
    row |= (uint64_t)match_eight(eight_slots(line, width, LANES), width, query)
           << LANES;
    row |=
        (uint64_t)match_eight(eight_slots(line, width, 2 * LANES), width, query)
        << 2 * LANES;
    if (slots > 3 * LANES)
        row |= (uint64_t)match_eight(eight_slots(line, width, 3 * LANES), width,
                                     query)
               << 3 * LANES;
    row = _bzhi_u64(row, slots);
    return _bzhi_u64(row, end) != _bzhi_u64(row, first);
}

/* Of four words, the bits from one on: where it is in each word, 64 or more in
 * those before it and negative in those after. Such counts shift all out. */
static inline __m256i ones_from(__m256i bit)
{
    return _mm256_or_si256(_mm256_sllv_epi64(_mm256_set1_epi64x(-1), bit),
                           _mm256_cmpgt_epi64(_mm256_setzero_si256(), bit));
}

/* Of each of four words, the one before it, the first of them the last of other
 * four. */
static inline __m256i words_before(__m256i other, __m256i words)
{
    return _mm256_alignr_epi8(words,
                              _mm256_permute2x128_si256(other, words, 0x21), 8);
}

/* Four words with the slots from a place on up by one, and the slot there. */
static inline __m256i push_words(__m256i words, __m256i before, __m256i bit,
                                 uint32_t width, uint64_t slot)
{
    __m256i value = _mm256_set1_epi64x((long long)slot);
    __m256i down = _mm256_sub_epi64(_mm256_setzero_si256(), bit);
    __m256i in = _mm256_or_si256(_mm256_sllv_epi64(value, bit),
                                 _mm256_srlv_epi64(value, down));
    __m256i moves = ones_from(bit);
    __m256i up = _mm256_or_si256(
        _mm256_slli_epi64(_mm256_and_si256(words, moves), (int)width),
        _mm256_srli_epi64(before, SS_WORD_BITS - (int)width));
    return _mm256_or_si256(_mm256_andnot_si256(moves, words),
                           _mm256_or_si256(up, in));
}

/* All words at once: where a loop over them would begin nobody can predict. */
static inline uint64_t line_push(uint64_t *line, uint32_t width, uint32_t place,
                                 uint64_t slot, uint64_t ones)
{
    uint32_t last = ss_line_slots(width) - 1;
    uint64_t out = ss_line_slot(line, width, last);
    __m256i at = _mm256_set1_epi64x(place * width);
    __m256i low_bit = _mm256_sub_epi64(at, _mm256_setr_epi64x(0, 64, 128, 192));
    __m256i high_bit =
        _mm256_sub_epi64(at, _mm256_setr_epi64x(256, 320, 384, 448));
    __m256i low = _mm256_loadu_si256((const __m256i *)line);
    __m256i high = _mm256_loadu_si256((const __m256i *)(line + 4));
    __m256i low_moved = _mm256_and_si256(low, ones_from(low_bit));
    __m256i high_moved = _mm256_and_si256(high, ones_from(high_bit));
    __m256i low_before = words_before(_mm256_setzero_si256(), low_moved);
    __m256i high_before = words_before(low_moved, high_moved);
    uint64_t top = UINT64_MAX >> (SS_SLOT_LINE_BITS - (last + 1) * width);
    __m256i kept = _mm256_setr_epi64x(-1, -1, (long long)top, 0);
    __m256i counts =
        _mm256_add_epi64(high, _mm256_set1_epi64x((long long)ones));
    high = push_words(high, high_before, high_bit, width, slot);
    high = _mm256_and_si256(high, kept);
    _mm256_storeu_si256((__m256i *)line,
                        push_words(low, low_before, low_bit, width, slot));
    _mm256_storeu_si256((__m256i *)(line + 4),
                        _mm256_blend_epi32(high, counts, 0xC0));
    return out;
}

#endif
