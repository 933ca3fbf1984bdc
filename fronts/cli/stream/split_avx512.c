/*
 * split_avx512.c - 64 bytes are one comparison, whose result is the word.
 */
#if defined(__AVX512BW__)
#include <immintrin.h>
#include <stdint.h>

#include "stream/split.h"

typedef __m512i needle;

static inline needle make_needle(char separator)
{
    return _mm512_set1_epi8(separator);
}

static inline uint64_t find_in_64(const char *data, needle wanted)
{
    return _mm512_cmpeq_epi8_mask(_mm512_loadu_si512(data), wanted);
}

#define KERNEL_SPLIT split_avx512
#include "stream/split_loop.h"
#else
typedef int split_avx512_is_for_another_processor;
#endif
