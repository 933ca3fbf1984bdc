/*
 * avx512.c - the line test in one register: eight fields are shifted
 * into place at once, and a rotation of 1, which takes its count modulo 64,
 * turns each into a bit.
 */
#if defined(__AVX512F__)
#include <immintrin.h>

#include "table/blocked/blocked.h"

static inline __m512i line_mask(uint64_t x)
{
    const __m512i shifts = _mm512_setr_epi64(16, 22, 28, 34, 40, 46, 52, 58);
    __m512i fields = _mm512_srlv_epi64(_mm512_set1_epi64((long long)x), shifts);
    return _mm512_rolv_epi64(_mm512_set1_epi64(1), fields);
}

static inline bool line_add(uint64_t *line, uint64_t x)
{
    __m512i mask = line_mask(x);
    __m512i words = _mm512_loadu_si512(line);
    _mm512_storeu_si512(line, _mm512_or_si512(words, mask));
    return _mm512_testn_epi64_mask(words, mask) != 0;
}

static inline bool line_has(const uint64_t *line, uint64_t x)
{
    __m512i words = _mm512_loadu_si512(line);
    return _mm512_testn_epi64_mask(words, line_mask(x)) == 0;
}

#define TWIN_ROW ss_blocked_avx512
#define TWIN_NAME "avx512"
#define TWIN_ASKS_BOTH
#include "table/blocked/loops.h"
#else
typedef int ss_blocked_avx512_is_not_built;
#endif
