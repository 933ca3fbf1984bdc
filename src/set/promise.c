/*
 * promise.c - a rate that a set keeps, not one that sets keep in the mean.
 *
 * The planner's rate is an expectation: over many tables of one shape, each of
 * keys of its own, the rates average to it. One table's own rate differs, as
 * which bits got set is chance: at 1 % by a tenth of a percent with a million
 * keys, by 40 % with ten. A list of tables whose shares add up to p is over p
 * half of the time. So a list is planned by bounds. The bound of a table is
 * the rate that 199 of 200 such tables keep; the bounds add up to less than p,
 * and for all tables to be over theirs at once is rarer still.
 *
 * The bound is the mean and a tail. A sum whose variance is v and whose third
 * cumulant is 2 v c, and whose higher cumulants grow no faster than those of a
 * gamma variable with the same three, passes its mean by more than
 *
 *     sqrt(2 v L) + c L        (Boucheron, Lugosi & Massart 2013, 2.4)
 *
 * with a chance of exp(-L) at most. L is ln 200.
 *
 * *Classic.* T = kD throws into m bits leave V bits empty, with the moments of
 * the classical occupancy problem (Johnson & Kotz 1977, 3.1), and V is a sum of
 * independent indicators (Vatutin & Mikhailov 1982), for which c = 1/3 is
 * Bernstein's. The rate is ((m - V) / m)^k: a bound for V bounds it.
 *
 * *Blocked.* A region's rate is the mean over its R lines of F, the product of
 * the fills of a line's eight words. F depends on J, how many of the D keys
 * chose the line, and the J of all lines add up to D, whatever happens. So with
 * the slope b = cov(F, J) / var(J) the sum of F is that of
 * G = F - b (J - E J), whose variance is smaller; and as the G do not vary
 * with the sum of the J any more, their cumulants are added up as if the lines
 * were independent (Holst 1979, multinomial sums). Regions multiply.
 *
 * *D.* A table is full when n keys were answered "new". The keys that it took
 * for seen set their bits as well, hence D = n + W, where W is expected by
 * rate.c and varies as a Poisson variable at most. When the rate is high there
 * are many, and they are more of them where the table is worse than the mean:
 * the two standard deviations are added, not their squares.
 */
#include "set/promise.h"

#include <math.h>

#include "plan/shape.h"

/* ---- the tail ---- */

/* By how much a value of variance v passes its mean, once in 200. */
static double tail(double v, double c)
{
    static const double ln_200 = 5.2983173665480363;
    return sqrt(2.0 * v * ln_200) + c * ln_200;
}

/* ---- classic ---- */

static double classic_bound(double offered, double wrong, double m, uint32_t k)
{
    double throws = k * offered;
    if (m <= 1.0)
        return 1.0;
    double empty = exp(throws * log1p(-1.0 / m));
    double both = m > 2.0 ? exp(throws * log1p(-2.0 / m)) : 0.0;
    /* m e + m (m - 1) e2 - (m e)^2, without the loss of digits */
    double step = 1.0 / (m - 1.0);
    double lost = m > 2.0 ? expm1(throws * log1p(-step * step)) : -1.0;
    double v = m * (empty - both) + m * m * empty * empty * lost;
    double deviation = sqrt(fmax(v, 0.0)) + k * sqrt(wrong) * empty;
    double set = m * (1.0 - empty) + tail(deviation * deviation, 1.0 / 3.0);
    return pow(fmin(set / m, 1.0), k);
}

/* ---- blocked ---- */

/* A mean, and the second and third cumulant relative to it. */
typedef struct spread {
    double mean;
    double second;
    double third;
} spread;

/* The first three moments of F in a line of j keys: those of the fill of one
 * word, whose empty bits have the moments of occupancy, to the eighth power. */
static void line_moments(double moments[3], double j)
{
    double e1 = exp(j * log1p(-1.0 / 64.0));
    double e2 = exp(j * log1p(-2.0 / 64.0));
    double e3 = exp(j * log1p(-3.0 / 64.0));
    double v2 = (63.0 * e2 + e1) / 64.0;
    double v3 = (63.0 * 62.0 * e3 + 3.0 * 63.0 * e2 + e1) / 4096.0;
    moments[0] = -expm1(j * log1p(-1.0 / 64.0));
    moments[1] = 1.0 - 2.0 * e1 + v2;
    moments[2] = 1.0 - 3.0 * e1 + 3.0 * v2 - v3;
    for (int i = 0; i < 3; i++) {
        double power2 = moments[i] * moments[i];
        double power4 = power2 * power2;
        moments[i] = power4 * power4;
    }
}

/* What is summed over j = 0, 1, ..., the number of keys of a line. */
typedef struct line_sums {
    double full;      /* E F */
    double full_by_j; /* E F J */
    double second;    /* E (F - x)^2, x = at_mean + slope (J - E J) */
    double third;     /* E (F - x)^3 */
    double at_mean;   /* in */
    double slope;     /* in */
} line_sums;

static double add_line(line_sums *sums, double chance, double j, double mean)
{
    double f[3];
    line_moments(f, j);
    double x = sums->at_mean + sums->slope * (j - mean);
    sums->full += chance * f[0];
    sums->full_by_j += chance * f[0] * j;
    sums->second += chance * (f[1] - 2.0 * x * f[0] + x * x);
    sums->third +=
        chance * (f[2] - 3.0 * x * f[1] + 3.0 * x * x * f[0] - x * x * x);
    return chance * f[0];
}

/* Over j binomial(n, 1 / lines), as rate.c's line_rate. */
static void sum_lines(line_sums *sums, double n, double lines)
{
    double mean = n / lines;
    if (lines <= 1.0) {
        (void)add_line(sums, 1.0, n, n);
        return;
    }
    double chance = exp(n * log1p(-1.0 / lines));
    (void)add_line(sums, chance, 0.0, mean);
    for (double j = 0.0; j < n; j++) {
        chance *= (n - j) / ((j + 1.0) * (lines - 1.0));
        double term = add_line(sums, chance, j + 1.0, mean);
        if (j > mean && term < sums->full * 1e-17)
            break;
    }
}

/* One region's rate after n keys. */
static spread region_spread(double n, double lines)
{
    line_sums first = {0};
    sum_lines(&first, n, lines);
    double variance_j = n / lines * (1.0 - 1.0 / lines);
    double covariance = first.full_by_j - first.full * n / lines;
    line_sums sums = {.at_mean = first.full,
                      .slope = lines > 1.0 ? covariance / variance_j : 0.0};
    sum_lines(&sums, n, lines);
    double mean = first.full;
    return (spread){.mean = mean,
                    .second = fmax(sums.second, 0.0) / (lines * mean * mean),
                    .third = fmax(sums.third, 0.0) /
                             (lines * lines * mean * mean * mean)};
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

static double blocked_bound(double offered, double wrong, double m, uint32_t k)
{
    static const double crowded = 480.0; /* keys a line, as in rate.c */
    double regions = (double)k / SS_LINE_WORDS;
    double lines = m / SS_LINE_BITS / regions;
    if (offered / lines > crowded)
        return 1.0;
    spread one = region_spread(offered, lines);
    spread whole = one;
    for (uint32_t r = 1; r < k / SS_LINE_WORDS; r++)
        whole = product(whole, one);
    double more = offered + sqrt(wrong);
    double worse =
        ss_plan_rate_at(SEENSET_LAYOUT_BLOCKED, more, (uint64_t)m, k) /
            ss_plan_rate_at(SEENSET_LAYOUT_BLOCKED, offered, (uint64_t)m, k) -
        1.0;
    double deviation = sqrt(whole.second) + worse;
    double c = whole.second > 0.0 ? whole.third / (2.0 * whole.second) : 0.0;
    return whole.mean * (1.0 + tail(deviation * deviation, c));
}

/* Of n keys, that one has the hash of a fresh key. */
static double collision_rate(uint64_t n)
{
    return (double)n * 0x1p-64;
}

double ss_promise_bound(seenset_layout layout, uint64_t n, uint64_t m,
                        uint32_t k)
{
    if (n == 0)
        return 0.0;
    /* a rate of 5 % or less is so convex that few intervals overestimate */
    int intervals = ss_plan_rate(layout, n, m, k) > 0.05 ? 16 : 4;
    double wrong = ss_plan_wrong_items(layout, n, m, k, intervals);
    double offered = (double)n + wrong;
    double bound = ss_plan_is_classic(layout)
                       ? classic_bound(offered, wrong, (double)m, k)
                       : blocked_bound(offered, wrong, (double)m, k);
    bound += collision_rate(n);
    return fmin(fmax(bound, ss_plan_rate_at(layout, offered, m, k)), 1.0);
}

/* ---- the next table ---- */

double ss_promise_of(ss_generation *generation)
{
    const ss_table *table = &generation->table;
    if (!(generation->rate_bound > 0.0))
        generation->rate_bound =
            ss_promise_bound(table->layout->id, generation->capacity_items,
                             table->size_bits, table->hash_count);
    return generation->rate_bound;
}

/* What the tables, each at its capacity, leave of the budget. */
static double left_of(double budget, ss_generation *tables,
                      uint32_t table_count)
{
    for (uint32_t i = 0; i < table_count; i++)
        budget -= ss_promise_of(&tables[i]);
    return budget;
}

static int solve_at(seenset_plan *plan, double fp_rate)
{
    seenset_plan solved = {.layout = plan->layout,
                           .capacity_items = plan->capacity_items,
                           .fp_rate = fp_rate};
    if (!(fp_rate > 0.0))
        return SEENSET_ERATE; /* 0 would mean that none is asked for */
    int error = seenset_plan_solve(&solved);
    if (error == SEENSET_OK)
        *plan = solved;
    return error;
}

/*
 * A table takes half of what is left, as long as its bound takes five eighths
 * at most, so that three eighths remain for all that follow. Large tables are
 * so: their bounds are close to their rates, and their shares are p/2, p/4, p/8
 * and so on. A table of fewer keys, up to some hundreds, gets a rate so low
 * that its bound takes only half of that: it costs little, since it is small,
 * and saves bits in the large tables that follow.
 *
 * Lists from files of older versions, and merged ones, may have less left than
 * that, or nothing. They go on as they began, by p/2^(g+1) for table g.
 */
int ss_promise_plan_next(seenset_plan *plan, double budget,
                         ss_generation *tables, uint32_t table_count)
{
    static const double most_taken = 0.625;
    double left = left_of(budget, tables, table_count);
    if (!(left >= budget * pow(1.0 - most_taken, table_count)))
        return solve_at(plan, ldexp(budget, -(int)table_count - 1));
    /* what bits can lower is what is above the rate of equal hashes */
    double least = collision_rate(plan->capacity_items);
    double most = left * most_taken;
    double rate = left / 2.0;
    seenset_plan tried = *plan;
    for (;;) {
        int error = solve_at(&tried, rate);
        if (error != SEENSET_OK)
            return error;
        double bound = ss_promise_bound(tried.layout, tried.capacity_items,
                                        tried.size_bits, tried.hash_count);
        if (bound <= most)
            break;
        most = least + (left * most_taken - least) / 2.0;
        double part = (most - least) / (bound - least);
        rate = least + (rate - least) * fmin(part, 0.99);
    }
    *plan = tried;
    return SEENSET_OK;
}
