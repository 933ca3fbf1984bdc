/*
 * classic_mean.c - the true rate of the classic layout: the mean over tables.
 *
 * T = nk throws into m bits set X of them, and a fresh key is seen by chance
 * (X/m)^k. The textbook puts the mean of X in there, which is optimistic: a
 * power of a mean is less than the mean of the power (Jensen). What the planner
 * takes, ss_classic_rate, is a little over the mean, so that sizes are on the
 * safe side. This is the mean itself, E[(X/m)^k], in one of two ways.
 *
 * Few throws: by the distribution of X, throw by throw. All terms are positive.
 *
 * Many: by Cauchy's formula. If the number of throws were itself drawn from a
 * Poisson distribution of mean mz, then each bit would be set by a chance q =
 * 1 - e^-z of its own, and the rate would be g(z) = sum of hits[d] q^d. So
 *
 *     g(z) e^(mz) = sum over t of f(t) (mz)^t / t!
 *
 * where f(t) is the rate after exactly t throws, and f(T) is a coefficient of a
 * power series (Flajolet & Sedgewick 2009, VIII.6). On the circle z = r e^(ia)
 * with r = T/m it is
 *
 *     f(T) = C/2pi * integral of g(z) exp(T (e^(ia) - 1 - ia)) da
 *     C = T! e^T / T^T = sqrt(2 pi T) (1 + 1/12T + ...)
 *
 * The integrand is a bell of width 1/sqrt(T), of which a sum over equal steps
 * is as good as the integral. Either way is within 1e-12 of the truth, as a
 * part of it, and the tests hold both to that.
 */
#include <math.h>

#include "plan/classic.h"
#include "seenset/plan.h"

enum {
    FEW_THROWS = 512
};

static const double pi = 3.14159265358979323846;

/* Under the least rate it is lost in the chance of equal hashes; with so many
 * throws for each bit, no table has an empty one. */
static const double least_rate = 1e-32;
static const double most_throws = 40.0;

static double mean_by_distribution(uint32_t throws, double m, uint32_t k)
{
    double chance[FEW_THROWS + 1] = {1.0}; /* of X = x */
    for (uint32_t i = 0; i < throws; i++) {
        for (uint32_t x = i + 1; x > 0; x--)
            chance[x] = (chance[x] * x + chance[x - 1] * (m - x + 1.0)) / m;
        chance[0] = 0.0;
    }
    double rate = 0.0;
    for (uint32_t x = 1; x <= throws && x <= m; x++)
        rate += chance[x] * pow(x / m, k);
    return rate;
}

/* The real part of g(z) exp(T (e^(ia) - 1 - ia)) at z = r e^(ia). */
static double bell(double throws, double r, double a, const double *hits,
                   uint32_t k)
{
    double decay = exp(-r * cos(a));
    double turn = r * sin(a);
    double half = sin(turn / 2.0);
    double re = -expm1(-r * cos(a)) + decay * 2.0 * half * half;
    double im = decay * sin(turn);
    double sum_re = 0.0, sum_im = 0.0;
    for (uint32_t d = k; d > 0; d--) { /* Horner, of a complex q = re + i im */
        double next = sum_re + hits[d];
        sum_re = next * re - sum_im * im;
        sum_im = next * im + sum_im * re;
    }
    double square = a * a; /* sin(a) - a, without the loss of digits */
    double phase =
        a * square / 6.0 *
        (-1.0 + square / 20.0 * (1.0 - square / 42.0 * (1.0 - square / 72.0)));
    double sine = sin(a / 2.0);
    double size = exp(-2.0 * throws * sine * sine);
    return size * (sum_re * cos(throws * phase) - sum_im * sin(throws * phase));
}

static double mean_by_cauchy(double throws, double m, uint32_t k)
{
    enum {
        STEPS = 40 /* of 0.3 widths, on each side */
    };
    double hits[SEENSET_MAX_HASH_COUNT + 1];
    ss_classic_hits(hits, k, m);
    double step = 0.3 / sqrt(throws);
    double sum = bell(throws, throws / m, 0.0, hits, k);
    for (int i = 1; i <= STEPS; i++)
        sum += 2.0 * bell(throws, throws / m, i * step, hits, k);
    double stirling = 1.0 / (12.0 * throws) - 1.0 / (360.0 * pow(throws, 3));
    return sum * 0.3 * exp(stirling) / sqrt(2.0 * pi);
}

double ss_classic_mean(double n, double m, uint32_t k)
{
    double throws = n * k;
    double bound = ss_classic_rate(n, m, k);
    if (bound < least_rate || throws > most_throws * m)
        return bound;
    double mean = throws <= FEW_THROWS
                      ? mean_by_distribution((uint32_t)throws, m, k)
                      : mean_by_cauchy(throws, m, k);
    return fmin(mean, bound);
}
