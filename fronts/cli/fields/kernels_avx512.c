/*
 * kernels_avx512.c - see kernels.h.
 */
#if defined(__AVX512BW__) && defined(__PCLMUL__)
#include "fields/kernels.h"

#include "fields/prefix_clmul.h"
#include "stream/split/find_avx512.h"

#define KERNELS field_kernels_avx512
#include "fields/kernels_loop.h"
#else
typedef int kernels_avx512_are_for_another_processor;
#endif
