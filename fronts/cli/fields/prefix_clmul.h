/*
 * prefix_clmul.h - which bytes are quoted, by a product without carries: for
 * the kernels of processors that have one (kernels.h).
 */
#ifndef PREFIX_CLMUL_H
#define PREFIX_CLMUL_H

#include <immintrin.h>
#include <stdint.h>

/* Each bit becomes the XOR of itself and all below it. */
static inline uint64_t prefix_xor(uint64_t bits)
{
    __m128i product = _mm_clmulepi64_si128(_mm_set_epi64x(0, (long long)bits),
                                           _mm_set1_epi8((char)0xff), 0);
    return (uint64_t)_mm_cvtsi128_si64(product);
}

#endif
