/*
 * find_avx2.h - where a byte is in 64 others: two comparisons of 32, and a bit
 * from each byte.
 */
#ifndef STREAM_SPLIT_FIND_AVX2_H
#define STREAM_SPLIT_FIND_AVX2_H

#include <immintrin.h>
#include <stdint.h>

typedef __m256i needle;

static inline needle make_needle(char wanted)
{
    return _mm256_set1_epi8(wanted);
}

static inline uint64_t find_in_32(const char *data, needle wanted)
{
    __m256i bytes = _mm256_loadu_si256((const __m256i *)(const void *)data);
    __m256i equal = _mm256_cmpeq_epi8(bytes, wanted);
    return (uint32_t)_mm256_movemask_epi8(equal);
}

static inline uint64_t find_in_64(const char *data, needle wanted)
{
    return find_in_32(data, wanted) | find_in_32(data + 32, wanted) << 32;
}

#endif
