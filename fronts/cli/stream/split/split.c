/* split.c - the fastest kernel that this processor can run */
#include "stream/split/split.h"

split_function *split_kernel(size_t index)
{
    split_function *kernels[3] = {0};
    size_t count = 0;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("bmi2"))
        kernels[count++] = split_avx512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2"))
        kernels[count++] = split_avx2;
#endif
    kernels[count++] = split_portable;
    return index < count ? kernels[index] : NULL;
}

split_function *split_best(void)
{
    return split_kernel(0);
}
