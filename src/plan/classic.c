/*
 * classic.c - the formulas of the classic layout and of counters in its place:
 * k cells for each key, anywhere among m.
 */
#include "plan/classic.h"

#include <math.h>
#include <string.h>

#include "plan/tail.h"
#include "seenset/plan.h"

/* The occupancy recursion. */
void ss_classic_hits(double *hits, uint32_t k, double m)
{
    memset(hits, 0, (k + 1) * sizeof *hits);
    hits[0] = 1.0;
    for (uint32_t i = 0; i < k; i++) {
        for (uint32_t d = i + 1; d > 0; d--)
            hits[d] = (hits[d] * d + hits[d - 1] * (m - d + 1.0)) / m;
        hits[0] = 0.0;
    }
}

/*
 * The chance that all k bits of a fresh key are set, when each bit of the m is
 * set independently with probability q: its k throws hit d different bits with
 * probability hits[d], and those are set with q^d.
 */
static double all_set(uint32_t k, double m, double q)
{
    double hits[SEENSET_MAX_HASH_COUNT + 1];
    ss_classic_hits(hits, k, m);
    double rate = 0.0;
    double q_power = 1.0;
    for (uint32_t d = 1; d <= k && d <= m; d++) {
        q_power *= q;
        rate += hits[d] * q_power;
    }
    return rate;
}

double ss_classic_fill(double n, double m, uint32_t k)
{
    return -expm1(k * n * log1p(-1.0 / m));
}

double ss_classic_rate(double n, double m, uint32_t k)
{
    return all_set(k, m, ss_classic_fill(n, m, k));
}

/*
 * T = kD throws into m bits leave V bits empty, with the moments of the
 * classical occupancy problem (Johnson & Kotz 1977, 3.1). This is the variance
 * of V; 0 for m = 1.
 */
static double empty_variance(double throws, double m)
{
    double empty = exp(throws * log1p(-1.0 / m));
    double both = m > 2.0 ? exp(throws * log1p(-2.0 / m)) : 0.0;
    /* m e + m (m - 1) e2 - (m e)^2, without the loss of digits */
    double step = m > 2.0 ? 1.0 / (m - 1.0) : 1.0;
    double lost = expm1(throws * log1p(-step * step));
    return fmax(m * (empty - both) + m * m * empty * empty * lost, 0.0);
}

/*
 * V is a sum of independent indicators (Vatutin & Mikhailov 1982), for which
 * c = 1/3 is Bernstein's. The rate is ((m - V) / m)^k: a bound for V bounds it.
 */
double ss_classic_bound(double offered, double wrong, double m, uint32_t k)
{
    double throws = k * offered;
    double empty = exp(throws * log1p(-1.0 / m));
    double deviation =
        sqrt(empty_variance(throws, m)) + k * sqrt(wrong) * empty;
    double set =
        m * (1.0 - empty) + ss_plan_tail(deviation * deviation, 1.0 / 3.0);
    return pow(fmin(set / m, 1.0), k);
}

/* The rate is X^k / m^k of X set bits: its part is k times that of X. */
double ss_classic_spread(double n, double m, uint32_t k)
{
    return k * sqrt(empty_variance(k * n, m)) / (m * ss_classic_fill(n, m, k));
}
