/*
 * split.c - the choice of the kernel, and the portable one.
 */
#include "stream/split.h"

#include <string.h>

/* memchr is fast in every C library; the cost is a call for each line. */
size_t split_portable(const char *data, size_t size, char separator,
                      size_t *ends, size_t room)
{
    size_t count = 0;
    const char *from = data;
    const char *end = data + size;
    while (count < room && from < end) {
        const char *stop = memchr(from, separator, (size_t)(end - from));
        if (stop == NULL)
            break;
        ends[count++] = (size_t)(stop - data);
        from = stop + 1;
    }
    return count;
}

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
