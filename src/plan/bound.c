/*
 * bound.c - the rate that 199 of 200 tables of one shape keep.
 *
 * The expected rate is a mean over many tables of one shape, each of keys of
 * its own. One table's own rate differs, as chance decides which bits are set:
 * at 1 % by a tenth of a percent with a million keys, by 40 % with ten.
 *
 * The bound is the mean and a tail. A sum whose variance is v and whose third
 * cumulant is 2 v c, and whose higher cumulants grow no faster than those of a
 * gamma variable with the same three, passes its mean by more than
 *
 *     sqrt(2 v L) + c L        (Boucheron, Lugosi & Massart 2013, 2.4)
 *
 * with a chance of exp(-L) at most. L is ln 200.
 *
 * Each layout has a bound of that kind (classic.c, blocks.c). They are given D,
 * the keys offered. A table is full when n keys were answered "new". The keys
 * that it took for seen set their bits as well, hence D = n + W, where W is
 * expected by rate.c and varies as a Poisson variable at most. When the rate
 * is high there are many, and they are more of them where the table is worse
 * than the mean: the two standard deviations are added, not their squares.
 */
#include <math.h>

#include "plan/shape.h"
#include "plan/sizing.h"

double ss_plan_bound(seenset_layout layout, uint64_t n, uint64_t m, uint32_t k)
{
    if (n == 0)
        return 0.0;
    double wrong = ss_plan_expect_wrong(layout, n, m, k);
    double offered = (double)n + wrong;
    double bound = ss_sizing_find(layout)->bound(offered, wrong, (double)m, k);
    bound += (double)n * 0x1p-64; /* equal hashes */
    return fmin(fmax(bound, ss_plan_rate_at(layout, offered, m, k)), 1.0);
}
