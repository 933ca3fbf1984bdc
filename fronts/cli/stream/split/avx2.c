/*
 * avx2.c - 64 bytes are two comparisons of 32.
 */
#if defined(__AVX2__)
#include "stream/split/find_avx2.h"
#include "stream/split/split.h"

#define KERNEL_SPLIT split_avx2
#include "stream/split/loop.h"
#else
typedef int split_avx2_is_for_another_processor;
#endif
