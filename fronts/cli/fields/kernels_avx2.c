/*
 * kernels_avx2.c - see kernels.h.
 */
#if defined(__AVX2__) && defined(__PCLMUL__)
#include "fields/kernels.h"

#include "fields/prefix_clmul.h"
#include "stream/split/find_avx2.h"

#define KERNELS field_kernels_avx2
#include "fields/kernels_loop.h"
#else
typedef int kernels_avx2_are_for_another_processor;
#endif
