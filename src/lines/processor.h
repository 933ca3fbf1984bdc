/*
 * processor.h - which code for lines this processor can run.
 */
#ifndef SS_LINES_PROCESSOR_H
#define SS_LINES_PROCESSOR_H

#include <stdbool.h>

#include "base/kernels.h"

#if SS_HAS_X86_KERNELS
/* Shifts by a variable: each processor with AVX2 has them, but a program that
 * covers one may not. */
static inline bool ss_processor_has_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("bmi2");
}

static inline bool ss_processor_has_vbmi(void)
{
    return __builtin_cpu_supports("avx512vbmi") &&
           __builtin_cpu_supports("avx512vbmi2") &&
           __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
}
#endif

#endif
