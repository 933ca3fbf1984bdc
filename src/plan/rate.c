/*
 * rate.c - what rate, and how many keys.
 *
 * Everything the planner promises rests on the rate formulas of the layouts
 * (sizing.h). They sum positive terms only, so they are as exact at 1e-18 as at
 * 0.5, where the usual alternating sums cancel to noise.
 */
#include <math.h>
#include <stdbool.h>

#include "plan/fingerprint.h"
#include "plan/shape.h"
#include "plan/sizing.h"
#include "plan/tail.h"
#include "seenset/extra/formulas.h"

double ss_plan_rate_at(seenset_layout layout, double n, uint64_t m, uint32_t k)
{
    if (!(n > 0.0))
        return 0.0;
    double rate = ss_sizing_find(layout)->rate(n, (double)m, k);
    return ss_plan_add_equal_hashes(rate, n);
}

double ss_plan_rate(seenset_layout layout, uint64_t n, uint64_t m, uint32_t k)
{
    return ss_plan_rate_at(layout, (double)n, m, k);
}

uint64_t ss_plan_most_items(seenset_layout layout, uint64_t m, uint32_t k)
{
    const ss_sizing *sizing = ss_sizing_find(layout);
    double most = SEENSET_MAX_SIZE_BITS;
    if (sizing->most != NULL)
        most = fmin(sizing->most((double)m, k), most);
    return (uint64_t)most;
}

double ss_plan_items_shown(double rate, double fill, uint64_t m, uint32_t k)
{
    return ss_fingerprint_items(rate, fill, (double)m, k);
}

double seenset_plan_fp_rate(seenset_layout layout, uint64_t item_count,
                            uint64_t size_bits, uint32_t hash_count)
{
    if (!ss_plan_is_shape(layout, size_bits, hash_count))
        return NAN;
    const ss_sizing *sizing = ss_sizing_find(layout);
    double n = (double)item_count;
    if (sizing->mean == NULL || item_count == 0)
        return ss_plan_rate(layout, item_count, size_bits, hash_count);
    double mean = sizing->mean(n, (double)size_bits, hash_count);
    return ss_plan_add_equal_hashes(mean, n);
}

double seenset_plan_item_estimate(uint64_t set_bits, uint64_t size_bits,
                                  uint32_t hash_count)
{
    if (size_bits == 0 || hash_count == 0 || set_bits > size_bits)
        return NAN;
    if (set_bits == size_bits)
        return INFINITY;
    double m = (double)size_bits;
    if (set_bits == 0)
        return 0.0;
    return log1p(-(double)set_bits / m) / (hash_count * log1p(-1.0 / m));
}

/* J = 2^b - 1, in logarithms: J may be 65535 */
double seenset_plan_overflow_bound(uint64_t item_count, uint64_t size_bits,
                                   uint32_t hash_count, uint32_t counter_bits)
{
    const seenset_plan plan = {.layout = SEENSET_LAYOUT_COUNTING};
    if (!ss_plan_is_shape(plan.layout, size_bits, hash_count) ||
        !ss_layout_is_cell_bits(ss_layout_find_traits(plan.layout),
                                counter_bits))
        return NAN;
    if (item_count == 0)
        return 0.0;
    double m = (double)size_bits;
    double throws = (double)item_count * hash_count;
    double full = ldexp(1.0, (int)counter_bits) - 1.0;
    double log_bound = log(m) + full * (1.0 + log(throws / (full * m)));
    return fmin(exp(log_bound), 1.0);
}

double seenset_plan_floor_bits(uint64_t item_count, double fp_rate)
{
    if (!(fp_rate > 0.0 && fp_rate < 1.0))
        return NAN;
    return (double)item_count * -log2(fp_rate);
}

double seenset_plan_source_rate(double fp_rate, uint64_t set_count)
{
    if (!(fp_rate > 0.0 && fp_rate < 1.0 && set_count > 0))
        return NAN;
    return fp_rate / (double)set_count;
}

double seenset_plan_union_rate(double fp_rate, uint64_t set_count)
{
    if (!(fp_rate > 0.0 && fp_rate < 1.0 && set_count > 0))
        return NAN;
    return -expm1((double)set_count * log1p(-fp_rate));
}
