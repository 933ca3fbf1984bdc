/*
 * avx512.c - 64 bytes are one comparison.
 */
#if defined(__AVX512BW__)
#include "stream/split/find_avx512.h"
#include "stream/split/split.h"

#define KERNEL_SPLIT split_avx512
#include "stream/split/loop.h"
#else
typedef int split_avx512_is_for_another_processor;
#endif
