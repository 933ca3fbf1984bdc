/*
 * kernels_avx512.c - see kernels.h; a product without carries finds what is
 * quoted.
 */
#if defined(__AVX512BW__) && defined(__PCLMUL__)
#include "fields/kernels.h"

#include "stream/split/find_avx512.h"

/* Each bit becomes the XOR of itself and all below it. */
static inline uint64_t prefix_xor(uint64_t bits)
{
    __m128i product = _mm_clmulepi64_si128(_mm_set_epi64x(0, (long long)bits),
                                           _mm_set1_epi8((char)0xff), 0);
    return (uint64_t)_mm_cvtsi128_si64(product);
}

#define KERNELS field_kernels_avx512
#include "fields/kernels_loop.h"
#else
typedef int kernels_avx512_are_for_another_processor;
#endif
