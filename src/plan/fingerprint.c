/*
 * fingerprint.c - the formulas of a table of fingerprints.
 *
 * m bits are U units; a slot of k bits is a fingerprint of k - 1. So there are
 * N = U 2^(k - 1) fingerprints in all, and n distinct keys have
 *
 *     N (1 - (1 - 1/N)^n)
 *
 * of them: a fresh key meets one with a chance of n / N, less what keys share
 * (Bender et al. 2012, of a quotient filter with U quotients and remainders of
 * k - 1 bits).
 *
 * Of more keys than homes have places, R, slots are cut: two with a common
 * prefix become that prefix, and cover all fingerprints below it. As the two
 * that have most in common go first, it is as if prefixes of one length were
 * left, of which R are in use. With L keys to such a prefix by chance,
 *
 *     (1 - e^-L) / L = R / n
 *
 * and those that two keys share are covered whole, a part 1 - e^-L (1 + L) of
 * all. That is near, and over rather than under: a key that is covered takes no
 * place, and is counted here as if it did. A table knows its own rate.
 */
#include "plan/fingerprint.h"

#include <math.h>

#include "table/fingerprint/fingerprint.h"

static double unit_count(double m, uint32_t k)
{
    ss_fingerprint_shape shape = ss_fingerprint_shape_of((uint64_t)m, k);
    return (double)shape.segments * shape.homes * SS_LINE_UNITS;
}

static double fingerprint_count(double m, uint32_t k)
{
    return ldexp(unit_count(m, k), (int)k - 1);
}

double ss_fingerprint_most(double m, uint32_t k)
{
    return ss_fingerprint_room((uint64_t)m, k);
}

/* L of (1 - e^-L) / L = part, 0 < part < 1: the left side falls from 1 and is
 * convex, so Newton's steps from the left climb to the root. */
static double keys_a_prefix(double part)
{
    enum {
        MOST_STEPS = 60
    };
    double keys = 1.0 - part;
    for (int i = 0; i < MOST_STEPS; i++) {
        double left = -expm1(-keys) / keys;
        double slope = keys > 1e-4 ? (exp(-keys) - left) / keys : -0.5;
        double step = (part - left) / slope;
        if (!(step > 1e-12 * keys))
            break;
        keys += step;
    }
    return keys;
}

/* Places of the lines that are homes. */
static double place_count(double m, uint32_t k)
{
    return unit_count(m, k) / SS_LINE_UNITS * ss_line_slots(k);
}

double ss_fingerprint_rate(double n, double m, uint32_t k)
{
    double room = place_count(m, k);
    double stored = fmin(n, room);
    double rate = -expm1(stored * log1p(-1.0 / fingerprint_count(m, k)));
    if (!(n > room))
        return rate;
    double keys = keys_a_prefix(room / n);
    double cut = -expm1(-keys) - keys * exp(-keys);
    return rate + (1.0 - rate) * cut;
}

/*
 * Each key that is answered "new" has a fingerprint that none had: so a table
 * that is not too full has as many as it answered "new", and there is nothing
 * left to chance. Of the prefixes of one that is, each way they turn out is as
 * likely: their number is that of a binomial at most.
 */
double ss_fingerprint_bound(double offered, double wrong, double m, uint32_t k)
{
    (void)wrong;
    return fmin(ss_fingerprint_rate(offered, m, k) *
                    (1.0 + 3.0 * ss_fingerprint_spread(offered, m, k)),
                1.0);
}

/* Each key that is offered takes a slot. */
double ss_fingerprint_fill(double n, double m, uint32_t k)
{
    double slots = floor(m / SS_LINE_BITS) * ss_line_slots(k);
    return fmin(n / slots, 1.0);
}

/* The variance of the fingerprints that n keys have is N e^-x (1 - e^-x (1 +
 * x)), x = n / N (Johnson & Kotz 1977, 3.1), or x^2 N / 2 and less. */
double ss_fingerprint_spread(double n, double m, uint32_t k)
{
    double room = place_count(m, k);
    double spread = sqrt(0.5 / fingerprint_count(m, k));
    return n > room ? spread + 1.0 / sqrt(room) : spread;
}

/* More fingerprints than slots are covered where slots were cut: then the
 * formula says of how many keys, by bisection. It takes the cuts to be evenly
 * spread, which holds while there are few: what shows more keys than there are
 * places, give or take 5 %, shows nothing, and is infinite. */
double ss_fingerprint_items(double rate, double fill, double m, uint32_t k)
{
    double used = fill * floor(m / SS_LINE_BITS) * ss_line_slots(k);
    double fingerprints = fingerprint_count(m, k);
    if (rate * fingerprints <= used * (1.0 + 1e-9))
        return log1p(-rate) / log1p(-1.0 / fingerprints);
    double least = used, most = used;
    while (ss_fingerprint_rate(most, m, k) < rate && most < 0x1p53)
        most = 2.0 * most + 1.0;
    for (int i = 0; i < 50; i++) {
        double middle = (least + most) / 2.0;
        if (ss_fingerprint_rate(middle, m, k) < rate)
            least = middle;
        else
            most = middle;
    }
    return most <= 1.05 * place_count(m, k) ? most : INFINITY;
}
