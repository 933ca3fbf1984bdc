/*
 * rate.c - the formulas, each against a computation of another kind:
 * exact occupancy distributions for small classic filters, the alternating sum
 * for lines, plain simulation, and the figures others published.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"
#include "seenset/extra/formulas.h"

static double rate_of(seenset_layout layout, uint64_t n, uint64_t m, uint32_t k)
{
    return seenset_plan_fp_rate(layout, n, m, k);
}

static double textbook(double n, double m, double k)
{
    return pow(-expm1(k * n * log1p(-1.0 / m)), k);
}

enum {
    MOST_THROWS = 4096
};

/*
 * The exact rate of a classic filter: `throws` throws into m bits leave X
 * bits set, P(X = x) by the occupancy recursion, and a fresh key is seen with
 * probability (x/m)^k.
 */
static double exact_bloom(uint32_t n, uint32_t m, uint32_t k)
{
    double chance[MOST_THROWS + 1] = {1.0};
    uint32_t throws = n * k, most = throws < m ? throws : m;
    assert_true(throws <= MOST_THROWS);
    for (uint32_t i = 0; i < throws; i++) {
        for (uint32_t x = most; x > 0; x--)
            chance[x] = (chance[x] * x + chance[x - 1] * (m - x + 1.0)) / m;
        chance[0] = 0.0;
    }
    double rate = 0.0;
    for (uint32_t x = 1; x <= most; x++)
        rate += chance[x] * pow((double)x / m, k);
    return fmin(rate + n * 0x1p-64, 1.0);
}

/* What the planner takes. */
static double planned(seenset_layout layout, uint64_t n, uint64_t m, uint32_t k)
{
    seenset_plan plan = {
        .layout = layout, .capacity_items = n, .size_bits = m, .hash_count = k};
    if (n == 0)
        return 0.0;
    assert_int_equal(seenset_plan_solve(&plan), SEENSET_OK);
    return plan.expected_fp_rate;
}

static void rate_of_bloom_is_the_exact(void **state)
{
    static const uint32_t sizes[] = {1, 2, 3, 13, 64, 150, 600, 1000, 8192};
    static const uint32_t counts[] = {1, 2, 3, 7, 10, 30, 64, 255};
    static const uint32_t keys[] = {1, 2, 3, 5, 14, 60, 100, 500, 2000};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(sizes); i++) {
        for (size_t j = 0; j < TEST_COUNT(counts); j++) {
            for (size_t l = 0; l < TEST_COUNT(keys); l++) {
                uint32_t n = keys[l], m = sizes[i], k = counts[j];
                if (n * k > MOST_THROWS)
                    continue;
                double ours = rate_of(SEENSET_LAYOUT_BLOOM, n, m, k);
                assert_true(test_is_near(ours, exact_bloom(n, m, k), 1e-12));
                assert_true(ours == seenset_plan_fp_rate(
                                        SEENSET_LAYOUT_COUNTING, n, m, k));
            }
        }
    }
}

/* Computed elsewhere, by fractions; and by 40,000 filters, 0.008259. */
static void rate_of_bloom_is_the_published_mean(void **state)
{
    static const struct {
        uint32_t n, m, k;
        double rate;
    } rows[] = {{1, 8192, 2, 5.9599e-08},    {3, 8192, 2, 5.3614e-07},
                {4, 16, 2, 0.16599},         {100, 1000, 7, 0.0082662},
                {100, 959, 7, 0.010105},     {1, 20, 10, 0.00020071},
                {1000, 500, 1, 0.864935478}, {60, 20000, 9, 6.7656983e-15}};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(rows); i++) {
        double ours =
            rate_of(SEENSET_LAYOUT_BLOOM, rows[i].n, rows[i].m, rows[i].k);
        assert_true(test_is_near(ours, rows[i].rate, 1e-4));
    }
}

/*
 * The planner's is never under the truth. And not far over it: a relative
 * k^2/(m q), where q is the fill, once the filter holds as many keys as a key
 * has bits.
 */
static void plan_of_bloom_bounds_the_exact(void **state)
{
    (void)state;
    for (uint32_t m = 1; m <= 64; m++) {
        for (uint32_t k = 1; k <= 12; k++) {
            for (uint32_t n = 1; n <= 40; n++) {
                double exact = exact_bloom(n, m, k);
                double ours = planned(SEENSET_LAYOUT_BLOOM, n, m, k);
                assert_true(ours >= exact * (1.0 - 1e-12));
                double q = -expm1(k * n * log1p(-1.0 / m));
                if (n >= k)
                    assert_true(ours <= exact * (1.0 + k * k / (m * q)));
            }
        }
    }
}

/* Planted: neither the textbook formula, which is under the truth, nor what
 * the planner takes, which is over it, would pass for the truth above. */
static void rate_of_bloom_is_neither_bound(void **state)
{
    (void)state;
    double exact = exact_bloom(100, 1000, 7);
    assert_true(textbook(100, 1000, 7) < exact * 0.994);
    assert_true(planned(SEENSET_LAYOUT_BLOOM, 100, 1000, 7) > exact * 1.014);
    assert_true(textbook(10, 64, 4) < exact_bloom(10, 64, 4) * 0.999);
    /* at the sizes people use the three agree */
    assert_true(test_is_near(rate_of(SEENSET_LAYOUT_BLOOM, 1000000, 9585059, 7),
                             textbook(1e6, 9585059, 7), 1e-5));
    assert_true(test_is_near(planned(SEENSET_LAYOUT_BLOOM, 1000000, 9585059, 7),
                             rate_of(SEENSET_LAYOUT_BLOOM, 1000000, 9585059, 7),
                             1e-5));
    assert_true(
        test_is_near(rate_of(SEENSET_LAYOUT_BLOOM, 1000000000, 9592954998, 7),
                     textbook(1e9, 9592954998., 7), 1e-7));
}

/* A line's rate as the alternating sum, in long double: the terms cancel, so
 * it is good to about 1e-15 whatever its size. */
static double alternating(double n, double lines)
{
    static const long double choose[] = {1, 8, 28, 56, 70, 56, 28, 8, 1};
    long double sum = 0.0L;
    for (int t = 0; t <= 8; t++) {
        long double missed = -expm1l(t * log1pl(-1.0L / 64));
        long double none = missed / (long double)lines;
        long double term =
            choose[t] * (none < 1 ? expl((long double)n * log1pl(-none)) : 0);
        sum += t % 2 == 0 ? term : -term;
    }
    return (double)sum;
}

static void rate_of_blocked_is_the_alternating_sum(void **state)
{
    static const uint64_t line_counts[] = {
        1, 2, 3, 4, 5, 7, 8, 20, 1000, 12345, 1 << 20, 1000003};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(line_counts); i++) {
        uint64_t lines = line_counts[i];
        for (double load = 1.0; load < 2000.0; load *= 1.09) {
            uint64_t n = (uint64_t)ceil(load * (double)lines);
            double s = alternating((double)n, (double)lines);
            for (uint32_t regions = 1; regions <= 3; regions++) {
                double ours = rate_of(SEENSET_LAYOUT_BLOCKED, n,
                                      512 * lines * regions, 8 * regions);
                double want = pow(s, regions) + (double)n * 0x1p-64;
                assert_true(fabs(ours - fmin(want, 1.0)) <=
                            1e-9 * want + 3e-15);
            }
        }
    }
}

/*
 * Where a line with no key at all has a chance below the smallest double, a
 * sum that starts there is nothing: 1,200 keys in two lines must fill them.
 */
static void rate_of_few_crowded_lines_is_high(void **state)
{
    (void)state;
    for (uint64_t lines = 1; lines <= 12; lines++) {
        double before = 0.0;
        for (uint64_t n = 1; n < 1000 * lines; n += 7) {
            double rate = rate_of(SEENSET_LAYOUT_BLOCKED, n, 512 * lines, 8);
            assert_true(rate >= before * (1.0 - 1e-12));
            before = rate;
        }
        assert_true(before > 0.999);
    }
    seenset_plan plan = {.capacity_items = 1200, .fp_rate = 0.01};
    assert_int_equal(seenset_plan_solve(&plan), SEENSET_OK);
    assert_true(plan.bits_per_key > 9.0);
}

/* `trials` tables of n keys, each asked for 64 fresh keys. */
static uint64_t simulate(uint32_t n, uint32_t lines, uint32_t regions,
                         uint32_t trials)
{
    test_random random = {42};
    uint64_t hits = 0;
    for (uint32_t trial = 0; trial < trials; trial++) {
        uint64_t table[32][8] = {{0}};
        for (uint32_t i = 0; i < n; i++) {
            for (uint32_t r = 0; r < regions; r++) {
                uint64_t line = test_random_below(&random, lines);
                for (int w = 0; w < 8; w++)
                    table[r * lines + line][w] |=
                        UINT64_C(1) << test_random_below(&random, 64);
            }
        }
        /* one question a table: questions to one table are not independent */
        bool is_seen = true;
        for (uint32_t r = 0; r < regions; r++) {
            uint64_t line = test_random_below(&random, lines);
            for (int w = 0; w < 8; w++)
                is_seen &= table[r * lines + line][w] >>
                               test_random_below(&random, 64) &
                           1;
        }
        hits += is_seen;
    }
    return hits;
}

static void rate_of_blocked_is_what_is_simulated(void **state)
{
    enum {
        TRIALS = 100000
    };
    static const uint32_t cases[][3] = {
        {60, 1, 1}, {100, 2, 1}, {150, 2, 2}, {200, 3, 1}, {150, 2, 3}};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(cases); i++) {
        uint32_t n = cases[i][0], lines = cases[i][1], regions = cases[i][2];
        uint64_t hits = simulate(n, lines, regions, TRIALS);
        uint64_t m = 512ull * lines * regions;
        double p = rate_of(SEENSET_LAYOUT_BLOCKED, n, m, 8 * regions);
        assert_true(test_is_binomial(hits, TRIALS, p));
        /* planted: half of the keys forgotten */
        p = rate_of(SEENSET_LAYOUT_BLOCKED, 2 * n, m, 8 * regions);
        assert_false(test_is_binomial(hits, TRIALS, p));
    }
}

static void rate_rises_with_keys_and_falls_with_bits(void **state)
{
    static const struct {
        seenset_layout layout;
        uint32_t k;
    } shapes[] = {{SEENSET_LAYOUT_BLOOM, 1},   {SEENSET_LAYOUT_BLOOM, 7},
                  {SEENSET_LAYOUT_BLOOM, 20},  {SEENSET_LAYOUT_BLOOM, 255},
                  {SEENSET_LAYOUT_BLOCKED, 8}, {SEENSET_LAYOUT_BLOCKED, 16},
                  {SEENSET_LAYOUT_BLOCKED, 24}};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(shapes); i++) {
        seenset_layout layout = shapes[i].layout;
        uint32_t k = shapes[i].k;
        for (uint64_t m = 3072; m <= (UINT64_C(3072) << 39); m *= 4) {
            double before = 0.0;
            for (uint64_t n = 1; n <= m; n += 1 + n / 2) {
                double rate = rate_of(layout, n, m, k);
                assert_true(rate >= before * (1 - 1e-9));
                assert_true(rate > 0.0 && rate <= 1.0);
                assert_true(rate_of(layout, n, m * 2, k) <= rate * (1 + 1e-12));
                before = rate;
            }
        }
    }
}

static void rate_of_no_shape_is_nan(void **state)
{
    const uint64_t over = SEENSET_MAX_SIZE_BITS + 1;
    (void)state;
    assert_true(rate_of(SEENSET_LAYOUT_BLOOM, 0, 100, 3) == 0.0);
    assert_true(rate_of(SEENSET_LAYOUT_BLOCKED, 0, 512, 8) == 0.0);
    assert_true(rate_of(SEENSET_LAYOUT_BLOOM, UINT64_MAX, 100, 3) == 1.0);
    assert_true(isnan(rate_of(SEENSET_LAYOUT_BLOOM, 1, 0, 3)));
    assert_true(isnan(rate_of(SEENSET_LAYOUT_BLOOM, 1, over, 3)));
    assert_true(isnan(rate_of(SEENSET_LAYOUT_BLOOM, 1, 100, 0)));
    assert_true(isnan(rate_of(SEENSET_LAYOUT_BLOOM, 1, 100, 256)));
    assert_true(isnan(rate_of(SEENSET_LAYOUT_BLOCKED, 1, 512, 7)));
    assert_true(isnan(rate_of(SEENSET_LAYOUT_BLOCKED, 1, 512, 16)));
    assert_true(isnan(rate_of(SEENSET_LAYOUT_BLOCKED, 1, 2048, 32)));
    assert_true(isnan(rate_of(SEENSET_LAYOUT_BLOCKED, 1, 513, 8)));
    assert_true(isnan(rate_of((seenset_layout)9, 1, 512, 8)));
    assert_true(isnan(seenset_plan_wrong_items(SEENSET_LAYOUT_BLOOM, 1, 0, 3)));
    assert_true(isnan(seenset_plan_item_estimate(1, 0, 3)));
    assert_true(isnan(seenset_plan_item_estimate(1, 10, 0)));
    assert_true(isnan(seenset_plan_item_estimate(11, 10, 1)));
    assert_true(isinf(seenset_plan_item_estimate(10, 10, 1)));
    assert_true(seenset_plan_item_estimate(0, 10, 1) == 0.0);
    assert_true(isnan(seenset_plan_floor_bits(1, 0.0)));
    assert_true(isnan(seenset_plan_floor_bits(1, 1.0)));
    assert_true(isnan(seenset_plan_floor_bits(1, (double)NAN)));
    assert_true(isnan(seenset_plan_source_rate(0.01, 0)));
    assert_true(isnan(seenset_plan_source_rate(1.0, 2)));
    assert_true(isnan(seenset_plan_source_rate((double)NAN, 2)));
    assert_true(isnan(seenset_plan_union_rate(0.01, 0)));
    assert_true(isnan(seenset_plan_union_rate(0.0, 2)));
}

/* What the sources of a union are made with, and what they reach otherwise. */
static void rate_of_a_union_adds_up(void **state)
{
    (void)state;
    assert_true(seenset_plan_source_rate(0.01, 20) == 0.0005);
    assert_true(seenset_plan_source_rate(0.01, 1) == 0.01);
    assert_true(test_is_near(seenset_plan_union_rate(0.01, 20),
                             0.18209306240276915, 1e-8));
    assert_true(test_is_near(seenset_plan_union_rate(1e-12, 3), 3e-12, 1e-9));
    for (uint64_t count = 1; count <= 10000; count *= 10) {
        double source = seenset_plan_source_rate(0.01, count);
        double reached = seenset_plan_union_rate(source, count);
        /* to the last bit of a C library's expm1 */
        assert_true(reached <= 0.01 * (1 + DBL_EPSILON) && reached > 0.0099);
    }
}

/*
 * A two-hash filter of 1,024 bytes (reference row A) publishes, after 1, 2, 3
 * keys, these rates in percent and estimates. They are (1 - e^(-kn/m))^k and
 * -(m/k) ln(1 - ones/m); ours are the true rate, which is next to it, and the
 * estimate without the approximation, which is 1/2m smaller.
 */
static void rate_agrees_with_published_figures(void **state)
{
    static const double percents[] = {0.000005959, 0.000023830, 0.000053605};
    static const double estimates[] = {1.000122, 2.000488, 3.001099};
    (void)state;
    for (unsigned n = 1; n <= 3; n++) {
        double published = percents[n - 1] / 100.0;
        assert_true(
            test_is_near(pow(-expm1(-2.0 * n / 8192), 2), published, 1e-4));
        double ours = rate_of(SEENSET_LAYOUT_BLOOM, n, 8192, 2);
        assert_true(test_is_near(ours, published, 2e-4));
        double estimate = seenset_plan_item_estimate(2ull * n, 8192, 2);
        assert_true(test_is_near(estimate, estimates[n - 1], 1.0 / 8192));
        assert_true(
            test_is_near(estimate * (1 + 0.5 / 8192), estimates[n - 1], 1e-6));
    }
    /* row C: k = 10 at 20 bits a key */
    assert_true(test_is_near(
        rate_of(SEENSET_LAYOUT_BLOOM, 1000000, 20000000, 10), 8.894e-05, 1e-3));
}

/* Keys wrongly answered "seen" until `news` were answered "new". */
static double count_wrong(const seenset_options *options, uint64_t news,
                          uint64_t seed)
{
    seenset *set = NULL;
    uint64_t wrong = 0;
    assert_int_equal(seenset_new(&set, options), SEENSET_OK);
    for (uint64_t i = 0; news > 0; i++) {
        if (seenset_add_hash(set, test_mix(seed << 32 | i)) == 1)
            news--;
        else
            wrong++;
    }
    seenset_free(set);
    return (double)wrong;
}

/* The mean over many sets, within 6.2 standard errors (1e-9, both sides) and
 * a percent: the formula puts an expectation inside a curve. */
static void check_wrong(const seenset_options *options, uint64_t news)
{
    enum {
        SETS = 2000
    };
    double sum = 0.0, squares = 0.0;
    for (uint64_t seed = 1; seed <= SETS; seed++) {
        double wrong = count_wrong(options, news, seed);
        sum += wrong;
        squares += wrong * wrong;
    }
    double mean = sum / SETS;
    double error = sqrt((squares / SETS - mean * mean) / SETS);
    double bound = 6.2 * error + 0.01 * mean;
    double expected = seenset_plan_wrong_items(
        options->layout, news, options->size_bits, options->hash_count);
    assert_true(fabs(mean - expected) <= bound);
    /* planted: a tenth more keys */
    expected =
        seenset_plan_wrong_items(options->layout, news + news / 10,
                                 options->size_bits, options->hash_count);
    assert_false(fabs(mean - expected) <= bound);
}

static void wrong_items_are_those_of_a_simulation(void **state)
{
    static const struct {
        seenset_options options;
        uint64_t news;
    } cases[] = {
        {{.layout = SEENSET_LAYOUT_BLOOM, .size_bits = 2048, .hash_count = 4},
         400},
        {{.layout = SEENSET_LAYOUT_BLOOM, .size_bits = 2048, .hash_count = 4},
         700},
        {{.layout = SEENSET_LAYOUT_BLOOM, .size_bits = 1000, .hash_count = 1},
         600},
        {{.layout = SEENSET_LAYOUT_BLOCKED, .size_bits = 4096, .hash_count = 8},
         500},
        {{.layout = SEENSET_LAYOUT_BLOCKED,
          .size_bits = 8192,
          .hash_count = 16},
         900},
        {{.layout = SEENSET_LAYOUT_BLOCKED,
          .size_bits = 6144,
          .hash_count = 24},
         600},
    };
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(cases); i++) {
        seenset_options options = cases[i].options;
        options.capacity_items = cases[i].news;
        options.flags = SEENSET_FLAG_ANY_RATE;
        check_wrong(&options, cases[i].news);
    }
}

/* The sum that the header defines, a key at a time, of the planner's rates. */
static void wrong_items_are_the_sum_of_the_rates(void **state)
{
    static const uint64_t sizes[] = {6144, 61440, 1228800};
    (void)state;
    for (size_t i = 0; i < 3 * TEST_COUNT(sizes); i++) {
        uint64_t m = sizes[i / 3];
        uint32_t k = 8 * (uint32_t)(i % 3) + 8;
        seenset_layout layout =
            i % 2 ? SEENSET_LAYOUT_BLOOM : SEENSET_LAYOUT_BLOCKED;
        double sum = 0.0; /* of f(0) to f(offered - 1) */
        int checked = 0;
        for (uint64_t offered = 0; offered < m / 5; offered++) {
            double news = (double)offered - sum;
            sum += planned(layout, offered, m, k);
            uint64_t whole = (uint64_t)(news + 0.5);
            if (fabs(news - (double)whole) > 0.001 || offered % 7 != 0)
                continue;
            checked++;
            double wrong = seenset_plan_wrong_items(layout, whole, m, k);
            double before = sum - planned(layout, offered, m, k);
            assert_true(fabs(wrong - before) <= 0.02 + 2e-5 * before);
        }
        assert_true(checked > 5);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rate_of_bloom_is_the_exact),
        cmocka_unit_test(rate_of_bloom_is_the_published_mean),
        cmocka_unit_test(plan_of_bloom_bounds_the_exact),
        cmocka_unit_test(rate_of_bloom_is_neither_bound),
        cmocka_unit_test(rate_of_blocked_is_the_alternating_sum),
        cmocka_unit_test(rate_of_few_crowded_lines_is_high),
        cmocka_unit_test(rate_of_blocked_is_what_is_simulated),
        cmocka_unit_test(rate_rises_with_keys_and_falls_with_bits),
        cmocka_unit_test(rate_of_no_shape_is_nan),
        cmocka_unit_test(rate_agrees_with_published_figures),
        cmocka_unit_test(rate_of_a_union_adds_up),
        cmocka_unit_test(wrong_items_are_the_sum_of_the_rates),
        cmocka_unit_test(wrong_items_are_those_of_a_simulation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
