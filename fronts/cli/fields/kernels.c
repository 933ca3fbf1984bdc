/*
 * kernels.c - the choice of the kernels, and the portable ones.
 */
#include "fields/kernels.h"

#include "fields/find_portable.h"

/* Each bit becomes the XOR of itself and all below it. */
static inline uint64_t prefix_xor(uint64_t bits)
{
    for (unsigned by = 1; by < 64; by *= 2)
        bits ^= bits << by;
    return bits;
}

#define KERNELS field_kernels_portable
#include "fields/kernels_loop.h"

const field_kernels *field_kernels_here(size_t index)
{
    const field_kernels *kernels[3] = {0};
    size_t count = 0;
#if defined(__x86_64__)
    bool can_help = __builtin_cpu_supports("bmi2") &&
                    __builtin_cpu_supports("pclmul") &&
                    __builtin_cpu_supports("popcnt");
    if (can_help && __builtin_cpu_supports("avx512bw"))
        kernels[count++] = &field_kernels_avx512;
    if (can_help && __builtin_cpu_supports("avx2"))
        kernels[count++] = &field_kernels_avx2;
#endif
    kernels[count++] = &field_kernels_portable;
    return index < count ? kernels[index] : NULL;
}
