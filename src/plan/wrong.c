/*
 * wrong.c - how many new keys were answered "seen" by mistake.
 *
 * A table that answered "new" to N keys was offered D, of which it took W = D -
 * N for seen. A key that is taken for seen finds all its bits set, so that the
 * table after D offers is that of D insertions, mistakes or not: W is the sum
 * of f(0) ... f(D - 1), where f(i) is the rate at i keys, and D is sought.
 *
 *     N |            ______----------   f near 1: any D from there on
 *       |      __---                    gives the same N
 *       |   _--
 *       | _/
 *       |/_________________________ D
 *
 * N varies by chance, with a variance of at most
 *
 *     the sum of f (1 - f), as each answer is a throw with chance f,
 *     and (the sum of s f)^2, where s is by how much one table's rate differs
 *     from the expected one (sizing.h) - the same table does so all the way.
 *
 * What D is not known by is that deviation by the slope, 1 - f. When a table is
 * full, f is so near 1 that N shows no more how many keys were offered: any
 * number from there on. Then W is unknown, but not small: D is N at least, and
 * so W is the sum up to N at least, less what chance explains.
 *
 * That holds for a union, too, whose N are distinct keys
 * (set/figures/figures.h).
 */
#include <math.h>

#include "plan/shape.h"
#include "plan/sizing.h"
#include "seenset/extra/formulas.h"

/*
 * The sum of f(0) ... f(keys - 1), as the integral (Simpson's rule) less half
 * of the last term (Euler-Maclaurin).
 */
static double mistakes_among(seenset_layout layout, double keys, uint64_t m,
                             uint32_t k, int intervals)
{
    double step = keys / intervals;
    double sum = 0.0;
    for (int i = 0; i <= intervals; i++) {
        double weight = i == 0 || i == intervals ? 1.0 : i % 2 ? 4.0 : 2.0;
        sum += weight * ss_plan_rate_at(layout, i * step, m, k);
    }
    return fmax(sum * step / 3.0 - ss_plan_rate_at(layout, keys, m, k) / 2.0,
                0.0);
}

/*
 * N keys were answered "new"; D were offered, and D - mistakes(D) = N. The
 * left side is increasing and concave, so Newton's steps from D = N climb to
 * the root and never pass it. They end where the slope is that low.
 */
static double mistakes_until(seenset_layout layout, double answered_new,
                             uint64_t m, uint32_t k, int intervals,
                             double least_slope)
{
    enum {
        MOST_STEPS = 30
    };
    double offered = answered_new;
    double mistakes = 0.0;
    for (int i = 0; i < MOST_STEPS; i++) {
        mistakes = mistakes_among(layout, offered, m, k, intervals);
        double missing = answered_new + mistakes - offered;
        double slope = 1.0 - ss_plan_rate_at(layout, offered, m, k);
        if (!(missing > 1e-9 * mistakes && slope > least_slope))
            break;
        offered += missing / slope;
    }
    return mistakes;
}

double ss_plan_wrong_items(seenset_layout layout, uint64_t item_count,
                           uint64_t size_bits, uint32_t hash_count,
                           int intervals)
{
    return mistakes_until(layout, (double)item_count, size_bits, hash_count,
                          intervals, 0.0);
}

enum {
    INTERVALS = 128,
    FEW_INTERVALS = 32, /* of a deviation, which need not be as exact */
};

/* How many standard deviations less are still likely. */
static const double deviations = 3.0;

/* Up to that rate a table is not full enough for chance to hide what it took
 * for seen. */
static const double clear_rate = 0.05;

/* With fewer new keys than that, sums over 128 intervals see no slope. */
static const double flat = 1e-6;

static double deviation_of(seenset_layout layout, double keys, uint64_t m,
                           uint32_t k)
{
    const ss_sizing *sizing = ss_sizing_find(layout);
    double step = keys / FEW_INTERVALS;
    double throws = 0.0, same = 0.0;
    for (int i = 1; i <= FEW_INTERVALS; i++) {
        double weight = i == FEW_INTERVALS ? 1.0 : i % 2 ? 4.0 : 2.0;
        double rate = ss_plan_rate_at(layout, i * step, m, k);
        throws += weight * rate * (1.0 - rate);
        same += weight * rate * sizing->spread(i * step, (double)m, k);
    }
    double of_same = same * step / 3.0;
    return sqrt(throws * step / 3.0 + of_same * of_same);
}

/* Is what `mistakes` are not known by at most a tenth of them and their root?
 * NaN is not. */
static bool is_near(seenset_layout layout, double offered, double mistakes,
                    uint64_t m, uint32_t k)
{
    double slope = 1.0 - ss_plan_rate_at(layout, offered, m, k);
    double most = 0.1 * mistakes + sqrt(mistakes) + 0.5;
    return slope > flat && deviation_of(layout, offered, m, k) <= most * slope;
}

/* What N keys took for seen, if D were N; of slots, those that were not cut. */
static double least_of(seenset_layout layout, double answered_new, uint64_t m,
                       uint32_t k)
{
    double keys = fmin(answered_new, (double)ss_plan_most_items(layout, m, k));
    double least = mistakes_among(layout, keys, m, k, INTERVALS) -
                   deviations * deviation_of(layout, keys, m, k);
    return fmax(least, 0.0);
}

ss_plan_wrong ss_plan_wrong_of(seenset_layout layout, uint64_t n, uint64_t m,
                               uint32_t k)
{
    double items = mistakes_until(layout, (double)n, m, k, INTERVALS, flat);
    double offered = (double)n + items;
    if (offered <= (double)ss_plan_most_items(layout, m, k) &&
        (ss_plan_rate_at(layout, offered, m, k) <= clear_rate ||
         is_near(layout, offered, items, m, k)))
        return (ss_plan_wrong){items, true};
    return (ss_plan_wrong){n > 0 ? least_of(layout, (double)n, m, k) : 0.0,
                           false};
}

/*
 * Each key leaves the same part of the empty cells empty. So many are expected
 * to be empty at most, if `empty` are: L of L - z sqrt(L) = empty.
 */
double ss_plan_least_keys(seenset_layout layout, uint64_t empty, uint64_t m,
                          uint32_t k)
{
    double root =
        (deviations + sqrt(deviations * deviations + 4.0 * (double)empty)) /
        2.0;
    double part = root * root / (double)m;
    double left_by_one = -ss_sizing_find(layout)->fill(1.0, (double)m, k);
    return part < 1.0 ? log(part) / log1p(left_by_one) : 0.0;
}

double seenset_plan_wrong_items(seenset_layout layout, uint64_t item_count,
                                uint64_t size_bits, uint32_t hash_count)
{
    if (!ss_plan_is_shape(layout, size_bits, hash_count))
        return NAN;
    ss_plan_wrong wrong =
        ss_plan_wrong_of(layout, item_count, size_bits, hash_count);
    return wrong.is_known ? wrong.items : INFINITY;
}
