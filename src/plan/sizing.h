/*
 * sizing.h - the formulas of each layout whose shape is m and k.
 *
 * All take n, D, and so on as real numbers: a mean is not whole. None
 * counts that two keys may have one 64-bit hash; that is the same for all
 * layouts (rate.c, bound.c).
 */
#ifndef SS_PLAN_SIZING_H
#define SS_PLAN_SIZING_H

#include "seenset/plan.h"

/* Sizes follow from doubles of 64 bits; the x87 has 80, and would plan others. */
#if defined(__i386__) && defined(__GNUC__) && !defined(__SSE2_MATH__)
#error "for i386, compile with -msse2 -mfpmath=sse"
#endif

typedef struct ss_sizing {
    /* The rate after n distinct keys, n > 0, that the planner takes: the
     * expected one, or a little over it. */
    double (*rate)(double n, double m, uint32_t k);
    /* What 199 of 200 tables keep after `offered` keys, of which `wrong` were
     * taken for seen (bound.c). */
    double (*bound)(double offered, double wrong, double m, uint32_t k);
    /* The part of the cells that n distinct keys are expected to have set. */
    double (*fill)(double n, double m, uint32_t k);
    /* By how much the rate of one table of n keys, n > 0, differs from the
     * expected one: the standard deviation, as a part of the expected rate. */
    double (*spread)(double n, double m, uint32_t k);
    /* The most keys that a table is planned for, whatever the rate. NULL: the
     * rate alone decides. */
    double (*most)(double m, uint32_t k);
    /* The expected rate. NULL: `rate` is that. */
    double (*mean)(double n, double m, uint32_t k);
} ss_sizing;

/* The layout is one of a shape that was checked (ss_plan_is_shape). */
const ss_sizing *ss_sizing_find(seenset_layout layout);

#endif
