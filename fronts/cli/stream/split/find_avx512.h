/*
 * find_avx512.h - where a byte is in 64 others: one comparison, whose result is
 * the word.
 */
#ifndef STREAM_SPLIT_FIND_AVX512_H
#define STREAM_SPLIT_FIND_AVX512_H

#include <immintrin.h>
#include <stdint.h>

typedef __m512i needle;

static inline needle make_needle(char wanted)
{
    return _mm512_set1_epi8(wanted);
}

static inline uint64_t find_in_64(const char *data, needle wanted)
{
    return _mm512_cmpeq_epi8_mask(_mm512_loadu_si512(data), wanted);
}

#endif
