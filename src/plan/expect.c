/*
 * expect.c - how full a table is expected to be, from the keys that were added
 * to it, without a look at its bits.
 *
 * N adds were answered "new"; D = N + W keys were offered, where W is expected
 * by rate.c. Which bits those set is chance, so one table differs from the mean
 * over all tables like it. By how much is known as well (sizing.h): in a large
 * table by little. W itself varies as a Poisson variable at most.
 */
#include <math.h>

#include "plan/shape.h"
#include "plan/sizing.h"

double ss_plan_expect_wrong(seenset_layout layout, uint64_t n, uint64_t m,
                            uint32_t k)
{
    /* a rate of 5 % or less is so convex that few intervals overestimate */
    int intervals = ss_plan_rate(layout, n, m, k) > 0.05 ? 16 : 4;
    return ss_plan_wrong_items(layout, n, m, k, intervals);
}

/*
 * The rate as a look at the bits finds it (table/sample.h). In the classic
 * layout that is a power of the fill. The formula of rate.c is above it, hardly
 * in a table that is in use, and much in one that is nearly empty, as it counts
 * that a fresh key may need the same bit twice.
 */
static double rate_of_bits(seenset_layout layout, double n, double m,
                           uint32_t k)
{
    const ss_sizing *sizing = ss_sizing_find(layout);
    return ss_layout_find_traits(layout)->is_classic
               ? pow(sizing->fill(n, m, k), k)
               : sizing->rate(n, m, k);
}

ss_plan_state ss_plan_expect_keys(seenset_layout layout, double keys,
                                  double doubt, uint64_t m, uint32_t k)
{
    if (!(keys > 0.0))
        return (ss_plan_state){0};
    const ss_sizing *sizing = ss_sizing_find(layout);
    double size = (double)m;
    double rate = rate_of_bits(layout, keys, size, k);
    double worse = rate_of_bits(layout, keys + doubt, size, k);
    return (ss_plan_state){.keys = keys,
                           .fill = sizing->fill(keys, size, k),
                           .rate = rate,
                           .spread = sizing->spread(keys, size, k),
                           .doubt = worse / rate - 1.0};
}

ss_plan_state ss_plan_expect(seenset_layout layout, uint64_t n, uint64_t m,
                             uint32_t k)
{
    double wrong = n == 0 ? 0.0 : ss_plan_expect_wrong(layout, n, m, k);
    return ss_plan_expect_keys(layout, (double)n + wrong, sqrt(wrong), m, k);
}
