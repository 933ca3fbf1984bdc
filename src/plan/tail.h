/* tail.h - what the formulas of all layouts have in common */
#ifndef SS_PLAN_TAIL_H
#define SS_PLAN_TAIL_H

#include <math.h>

/* By how much a value of variance v passes its mean, once in 200 (bound.c). */
static inline double ss_plan_tail(double v, double c)
{
    static const double ln_200 = 5.2983173665480363;
    return sqrt(2.0 * v * ln_200) + c * ln_200;
}

/* A rate, and on top the chance that one of n keys has a fresh key's hash. */
static inline double ss_plan_add_equal_hashes(double rate, double n)
{
    return fmin(rate + n * 0x1p-64, 1.0);
}

#endif
