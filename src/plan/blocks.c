/*
 * blocks.c - the formulas of the layouts made of blocks: a key chooses a block
 * and sets one bit in each of its eight words, of 64 bits (a line of the
 * blocked layout) or of 32 (a split block).
 *
 * Blocks fill unevenly, as keys choose them by chance. So a rate is a mean
 * over j, the keys of a block, which is binomial.
 */
#include "plan/blocks.h"

#include <math.h>

#include "base/bits.h"
#include "plan/tail.h"

enum {
    BLOCK_WORDS = 8,
    SPLIT_WORD_BITS = 32,
    SPLIT_BLOCK_BITS = BLOCK_WORDS * SPLIT_WORD_BITS
};

double ss_blocks_fill(double n, double m, uint32_t k)
{
    return -expm1(n * log1p(-(double)k / m));
}

/* ---- the rate ---- */

/* (1 - (1 - 1/b)^j)^8: all eight words of b bits hit, after j keys. */
static double block_full(double j, double word_bits)
{
    double word = -expm1(j * log1p(-1.0 / word_bits));
    double word2 = word * word;
    double word4 = word2 * word2;
    return word4 * word4;
}

/* The sum over j as closed terms; exact only where the result is near 1. */
static double crowded_rate(double n, double blocks, double word_bits)
{
    static const double choose[] = {1, -8, 28, -56, 70, -56, 28, -8, 1};
    double rate = 0.0;
    for (int t = 0; t <= BLOCK_WORDS; t++) {
        double missed = -expm1(t * log1p(-1.0 / word_bits));
        rate += choose[t] * exp(n * log1p(-missed / blocks));
    }
    return fmin(fmax(rate, 0.0), 1.0);
}

/*
 * s = sum over j of P(j keys choose the block) * block_full(j), where j is
 * binomial(n, 1/blocks). Where the chance of an empty block is below exp(-700)
 * the recursion could not start from it; the mean is over 480 there, so s is
 * above 0.99 and the closed terms serve.
 */
static double block_rate(double n, double blocks, double word_bits)
{
    if (blocks <= 1.0)
        return block_full(n, word_bits);
    double mean = n / blocks;
    double log_empty = n * log1p(-1.0 / blocks);
    if (log_empty < -700.0)
        return crowded_rate(n, blocks, word_bits);
    double chance = exp(log_empty); /* of j = 0 */
    double rate = 0.0;
    for (double j = 0.0; j < n; j++) {
        chance *= (n - j) / ((j + 1.0) * (blocks - 1.0));
        double term = chance * block_full(j + 1.0, word_bits);
        rate += term;
        if (j > mean && term < rate * 1e-17)
            break;
    }
    return rate;
}

double ss_blocked_rate(double n, double m, uint32_t k)
{
    double regions = (double)k / BLOCK_WORDS;
    double lines = m / SS_LINE_BITS / regions;
    return pow(block_rate(n, lines, SS_WORD_BITS), regions);
}

/* The part of blocks that 2^32 halves of hashes choose `halves` times each. */
static double split_part(double n, double blocks, double halves)
{
    double chance = halves * 0x1p-32; /* that a key chooses one of them */
    double same_bits = n * chance * 0x1p-32;
    return blocks * chance *
           (block_rate(n, 1.0 / chance, SPLIT_WORD_BITS) + same_bits);
}

/*
 * What keeps the published formula from being exact, and this one has:
 *
 * One half of the hash chooses the block. z blocks share 2^32 halves, so that
 * 2^32 mod z of them get one more than the others.
 *
 * The other half gives the bits. Two halves give the same bits only if they are
 * equal: for each difference of two there is a salt by which its product is
 * large enough to change that word's bit. (Tried for all 2^32 differences.) So
 * a key of the same block has a fresh key's bits with a chance of 2^-32, not of
 * 32^-8 = 2^-40, which is the smaller part of a rate above 1e-8 and the larger
 * one below.
 */
double ss_split_block_rate(double n, double m, uint32_t k)
{
    (void)k;
    double blocks = m / SPLIT_BLOCK_BITS;
    double halves = floor(0x1p32 / blocks);
    double more = 0x1p32 - halves * blocks;
    double rate = split_part(n, blocks - more, halves);
    if (more > 0.0)
        rate += split_part(n, more, halves + 1.0);
    return fmin(rate, 1.0);
}

/* ---- the bound ---- */

/*
 * A region's rate is the mean over its R blocks of F, the product of the fills
 * of a block's eight words. F depends on J, how many of the D keys chose the
 * block, and the J of all blocks add up to D, whatever happens. So with the
 * slope b = cov(F, J) / var(J) the sum of F is that of G = F - b (J - E J),
 * whose variance is smaller; and as the G do not vary with the sum of the J any
 * more, their cumulants are added up as if the blocks were independent (Holst
 * 1979, multinomial sums). Regions multiply.
 */

/* A mean, and the second and third cumulant relative to it. */
typedef struct spread {
    double mean;
    double second;
    double third;
} spread;

/* The first three moments of F in a block of j keys: those of the fill of one
 * word, whose empty bits have the moments of occupancy, to the eighth power. */
static void block_moments(double moments[3], double j, double word_bits)
{
    double b = word_bits;
    double e1 = exp(j * log1p(-1.0 / b));
    double e2 = exp(j * log1p(-2.0 / b));
    double e3 = exp(j * log1p(-3.0 / b));
    double v2 = ((b - 1.0) * e2 + e1) / b;
    double v3 =
        ((b - 1.0) * (b - 2.0) * e3 + 3.0 * (b - 1.0) * e2 + e1) / (b * b);
    moments[0] = -expm1(j * log1p(-1.0 / b));
    moments[1] = 1.0 - 2.0 * e1 + v2;
    moments[2] = 1.0 - 3.0 * e1 + 3.0 * v2 - v3;
    for (int i = 0; i < 3; i++) {
        double power2 = moments[i] * moments[i];
        double power4 = power2 * power2;
        moments[i] = power4 * power4;
    }
}

/* What is summed over j = 0, 1, ..., the number of keys of a block. */
typedef struct block_sums {
    double full;      /* E F */
    double full_by_j; /* E F J */
    double second;    /* E (F - x)^2, x = at_mean + slope (J - E J) */
    double third;     /* E (F - x)^3 */
    double at_mean;   /* in */
    double slope;     /* in */
    double word_bits; /* in */
} block_sums;

static double add_block(block_sums *sums, double chance, double j, double mean)
{
    double f[3];
    block_moments(f, j, sums->word_bits);
    double x = sums->at_mean + sums->slope * (j - mean);
    sums->full += chance * f[0];
    sums->full_by_j += chance * f[0] * j;
    sums->second += chance * (f[1] - 2.0 * x * f[0] + x * x);
    sums->third +=
        chance * (f[2] - 3.0 * x * f[1] + 3.0 * x * x * f[0] - x * x * x);
    return chance * f[0];
}

/* Over j binomial(n, 1 / blocks), as block_rate. */
static void sum_blocks(block_sums *sums, double n, double blocks)
{
    double mean = n / blocks;
    if (blocks <= 1.0) {
        (void)add_block(sums, 1.0, n, n);
        return;
    }
    double chance = exp(n * log1p(-1.0 / blocks));
    (void)add_block(sums, chance, 0.0, mean);
    for (double j = 0.0; j < n; j++) {
        chance *= (n - j) / ((j + 1.0) * (blocks - 1.0));
        double term = add_block(sums, chance, j + 1.0, mean);
        if (j > mean && term < sums->full * 1e-17)
            break;
    }
}

/* One region's rate after n keys. */
static spread region_spread(double n, double blocks, double word_bits)
{
    block_sums first = {.word_bits = word_bits};
    sum_blocks(&first, n, blocks);
    double variance_j = n / blocks * (1.0 - 1.0 / blocks);
    double covariance = first.full_by_j - first.full * n / blocks;
    block_sums sums = {.at_mean = first.full,
                       .slope = blocks > 1.0 ? covariance / variance_j : 0.0,
                       .word_bits = word_bits};
    sum_blocks(&sums, n, blocks);
    double mean = first.full;
    return (spread){.mean = mean,
                    .second = fmax(sums.second, 0.0) / (blocks * mean * mean),
                    .third = fmax(sums.third, 0.0) /
                             (blocks * blocks * mean * mean * mean)};
}

/* The product of two that are independent. */
static spread product(spread a, spread b)
{
    return (spread){.mean = a.mean * b.mean,
                    .second = a.second + b.second + a.second * b.second,
                    .third = a.third + b.third + 6.0 * a.second * b.second +
                             3.0 * (a.second * b.third + a.third * b.second) +
                             a.third * b.third};
}

/* rate, more: at `offered` keys, and at a standard deviation of them more. */
static double bound_of(spread whole, double rate, double more)
{
    double worse = more / rate - 1.0;
    double deviation = sqrt(whole.second) + worse;
    double c = whole.second > 0.0 ? whole.third / (2.0 * whole.second) : 0.0;
    return whole.mean * (1.0 + ss_plan_tail(deviation * deviation, c));
}

/* Keys a block from which on the sums are not made, as in block_rate. */
static const double crowded = 480.0;

/* The rate of all regions: they are alike, and independent. */
static spread regions_spread(double n, double lines, uint32_t regions)
{
    spread one = region_spread(n, lines, SS_WORD_BITS);
    spread whole = one;
    for (uint32_t r = 1; r < regions; r++)
        whole = product(whole, one);
    return whole;
}

double ss_blocked_bound(double offered, double wrong, double m, uint32_t k)
{
    double regions = (double)k / BLOCK_WORDS;
    double lines = m / SS_LINE_BITS / regions;
    if (offered / lines > crowded)
        return 1.0;
    spread whole = regions_spread(offered, lines, k / BLOCK_WORDS);
    double most = offered + sqrt(wrong);
    return bound_of(
        whole,
        ss_plan_add_equal_hashes(ss_blocked_rate(offered, m, k), offered),
        ss_plan_add_equal_hashes(ss_blocked_rate(most, m, k), most));
}

double ss_split_block_bound(double offered, double wrong, double m, uint32_t k)
{
    double blocks = m / SPLIT_BLOCK_BITS;
    if (offered / blocks > crowded)
        return 1.0;
    double rate = ss_split_block_rate(offered, m, k);
    double most = offered + sqrt(wrong);
    spread whole = region_spread(offered, blocks, SPLIT_WORD_BITS);
    double bound = bound_of(
        whole, ss_plan_add_equal_hashes(rate, offered),
        ss_plan_add_equal_hashes(ss_split_block_rate(most, m, k), most));
    return bound + fmax(rate - whole.mean, 0.0);
}

/* ---- the spread ---- */

double ss_blocked_spread(double n, double m, uint32_t k)
{
    uint32_t regions = k / BLOCK_WORDS;
    double lines = m / SS_LINE_BITS / regions;
    if (n / lines > crowded)
        return 0.0;
    return sqrt(regions_spread(n, lines, regions).second);
}

/* The part of the rate that equal halves of hashes make hardly varies. */
double ss_split_block_spread(double n, double m, uint32_t k)
{
    double blocks = m / SPLIT_BLOCK_BITS;
    if (n / blocks > crowded)
        return 0.0;
    spread whole = region_spread(n, blocks, SPLIT_WORD_BITS);
    return sqrt(whole.second) * whole.mean / ss_split_block_rate(n, m, k);
}
