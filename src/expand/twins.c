/* twins.c - the fastest twin that this processor can run */
#include "expand/twins.h"

#include <string.h>

/* Shifts by a variable: each processor with AVX2 has them, but a program that
 * covers one may not. */
#if defined(__x86_64__)
static bool has_shifts(void)
{
    return __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
}
#endif

static const ss_expand_twin *runnable_twin(size_t index)
{
    const ss_expand_twin *twins[3] = {0};
    size_t count = 0;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512vbmi") &&
        __builtin_cpu_supports("avx512vbmi2") &&
        __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl") && has_shifts())
        twins[count++] = &ss_expand_vbmi;
    if (__builtin_cpu_supports("avx2") && has_shifts())
        twins[count++] = &ss_expand_avx2;
#endif
    twins[count++] = &ss_expand_portable;
    return index < count ? twins[index] : NULL;
}

const ss_expand_twin *ss_expand_twin_find(const char *name)
{
    const ss_expand_twin *twin;
    for (size_t i = 0; (twin = runnable_twin(i)) != NULL; i++) {
        if (name == NULL || strcmp(twin->name, name) == 0)
            return twin;
    }
    return NULL;
}
