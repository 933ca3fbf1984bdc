/*
 * rate.c - the formulas: what rate, how many keys, how many mistakes.
 *
 * Everything the planner promises rests on the two functions bloom_rate and
 * blocked_rate. Both sum positive terms only, so they are as exact at 1e-18 as
 * at 0.5, where the usual alternating sums cancel to noise.
 */
#include <math.h>
#include <stdbool.h>

#include "plan/shape.h"

static const double hash_collision_rate = 0x1p-64; /* per stored key */

/*
 * The chance that all k bits of a fresh key are set, when each bit of the m is
 * set independently with probability q: its k throws hit d different bits with
 * probability hits[d] (the occupancy recursion), and those are set with q^d.
 */
static double all_set(uint32_t k, double m, double q)
{
    double hits[SEENSET_MAX_HASH_COUNT + 1] = {1.0};
    for (uint32_t i = 0; i < k; i++) {
        for (uint32_t d = i + 1; d > 0; d--)
            hits[d] = (hits[d] * d + hits[d - 1] * (m - d + 1.0)) / m;
        hits[0] = 0.0;
    }
    double rate = 0.0;
    double q_power = 1.0;
    for (uint32_t d = 1; d <= k && d <= m; d++) {
        q_power *= q;
        rate += hits[d] * q_power;
    }
    return rate;
}

static double bloom_rate(double n, double m, uint32_t k)
{
    double q = m > 1.0 ? -expm1(k * n * log1p(-1.0 / m)) : 1.0;
    return all_set(k, m, q);
}

/* (1 - (63/64)^j)^8: all eight words of a line hit, after j keys in it */
static double line_full(double j)
{
    double word = -expm1(j * log1p(-1.0 / SS_WORD_BITS));
    double word2 = word * word;
    double word4 = word2 * word2;
    return word4 * word4;
}

/* The sum over j as closed terms; exact only where the result is near 1. */
static double crowded_line_rate(double n, double lines)
{
    static const double choose[] = {1, -8, 28, -56, 70, -56, 28, -8, 1};
    double rate = 0.0;
    for (int t = 0; t <= SS_LINE_WORDS; t++) {
        double missed = -expm1(t * log1p(-1.0 / SS_WORD_BITS));
        rate += choose[t] * exp(n * log1p(-missed / lines));
    }
    return fmin(fmax(rate, 0.0), 1.0);
}

/*
 * s = sum over j of P(j keys fall into the line) * line_full(j), where j is
 * binomial(n, 1/lines). Where the chance of an empty line is below exp(-700)
 * the recursion could not start from it; the mean is over 480 there, so s is
 * above 0.99 and the closed terms serve.
 */
static double line_rate(double n, double lines)
{
    if (lines <= 1.0)
        return line_full(n);
    double mean = n / lines;
    double log_empty = n * log1p(-1.0 / lines);
    if (log_empty < -700.0)
        return crowded_line_rate(n, lines);
    double chance = exp(log_empty); /* of j = 0 */
    double rate = 0.0;
    for (double j = 0.0; j < n; j++) {
        chance *= (n - j) / ((j + 1.0) * (lines - 1.0));
        double term = chance * line_full(j + 1.0);
        rate += term;
        if (j > mean && term < rate * 1e-17)
            break;
    }
    return rate;
}

static double blocked_rate(double n, double m, uint32_t k)
{
    double regions = (double)k / SS_LINE_WORDS;
    return pow(line_rate(n, m / SS_LINE_BITS / regions), regions);
}

double ss_plan_rate_at(seenset_layout layout, double n, uint64_t m, uint32_t k)
{
    if (!(n > 0.0))
        return 0.0;
    double bits = (double)m;
    double rate = ss_plan_is_classic(layout) ? bloom_rate(n, bits, k)
                                             : blocked_rate(n, bits, k);
    return fmin(rate + n * hash_collision_rate, 1.0);
}

double ss_plan_rate(seenset_layout layout, uint64_t n, uint64_t m, uint32_t k)
{
    return ss_plan_rate_at(layout, (double)n, m, k);
}

double seenset_plan_fp_rate(seenset_layout layout, uint64_t item_count,
                            uint64_t size_bits, uint32_t hash_count)
{
    if (!ss_plan_is_shape(layout, size_bits, hash_count))
        return NAN;
    return ss_plan_rate(layout, item_count, size_bits, hash_count);
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

double seenset_plan_floor_bits(uint64_t item_count, double fp_rate)
{
    if (!(fp_rate > 0.0 && fp_rate < 1.0))
        return NAN;
    return (double)item_count * -log2(fp_rate);
}

/*
 * The mistakes among the first `keys` distinct keys offered: the sum of
 * f(0) ... f(keys - 1), as the integral (Simpson's rule) less half of the last
 * term (Euler-Maclaurin). A key wrongly answered "seen" finds all its bits
 * set, so the table after i offers is that of i insertions, mistakes or not.
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
 * the root and never pass it.
 */
double ss_plan_wrong_items(seenset_layout layout, uint64_t item_count,
                           uint64_t size_bits, uint32_t hash_count,
                           int intervals)
{
    enum {
        MOST_STEPS = 30
    };
    double answered_new = (double)item_count;
    double offered = answered_new;
    double mistakes = 0.0;
    for (int i = 0; i < MOST_STEPS; i++) {
        mistakes =
            mistakes_among(layout, offered, size_bits, hash_count, intervals);
        double missing = answered_new + mistakes - offered;
        double slope =
            1.0 - ss_plan_rate_at(layout, offered, size_bits, hash_count);
        if (!(missing > 1e-9 * mistakes && slope > 0.0))
            break;
        offered += missing / slope;
    }
    return mistakes;
}

double seenset_plan_wrong_items(seenset_layout layout, uint64_t item_count,
                                uint64_t size_bits, uint32_t hash_count)
{
    enum {
        INTERVALS = 128
    };
    if (!ss_plan_is_shape(layout, size_bits, hash_count))
        return NAN;
    return ss_plan_wrong_items(layout, item_count, size_bits, hash_count,
                               INTERVALS);
}
