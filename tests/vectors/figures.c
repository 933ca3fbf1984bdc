/*
 * figures.c - what the planner says next to what the documents of other
 * filters say: rates and estimates by their formulas, sizes, and pairs.
 */
#include <math.h>

#include "support.h"
#include "seenset/extra/formulas.h"

static void figures_of_two_hashes(void **state)
{
    static const double percent[] = {0.000005959, 0.000023830, 0.000053605};
    static const double estimate[] = {1.000122, 2.000488, 3.001099};
    const double m = 8192, k = 2;
    (void)state;
    for (int n = 1; n <= 3; n++) {
        double ones = 2 * n, rate = pow(1 - exp(-k * n / m), k);
        double items = -(m / k) * log(1 - ones / m);
        assert_true(fabs(100 * rate - percent[n - 1]) < 5e-10);
        assert_true(fabs(items - estimate[n - 1]) < 5e-7);
        /* ours: nearer to n, and the rate without the approximation */
        double ours = seenset_plan_item_estimate((uint64_t)ones, 8192, 2);
        assert_true(fabs(ours - n) < fabs(items - n));
        double exact =
            seenset_plan_fp_rate(SEENSET_LAYOUT_BLOOM, (uint64_t)n, 8192, 2);
        assert_true(test_is_near(exact, rate, 2e-4) && exact != rate);
    }
}

static void figures_of_a_billion_urls(void **state)
{
    const double n = 1e6, p = 0.01, two = log(2);
    seenset_plan plan = {.layout = SEENSET_LAYOUT_BLOOM,
                         .capacity_items = 1000000,
                         .size_bits = 9585058};
    (void)state;
    assert_true(floor(-n * log(p) / (two * two)) == 9585058);
    assert_true(ceil(-log(p) / two) == 7);
    assert_int_equal(seenset_plan_solve(&plan), SEENSET_OK);
    assert_int_equal(plan.hash_count, 7);
    assert_true(test_is_near(plan.fp_rate, p, 0.01));
    /* a billion in 18 MB: what it takes, and what no structure can beat */
    assert_true(
        test_is_near(-1e9 * log(0.01) / (two * two) / 8e9, 1.198, 1e-3));
    assert_true(
        test_is_near(-1e9 * log(1e-4) / (two * two) / 8e9, 2.396, 1e-3));
    assert_true(test_is_near(seenset_plan_floor_bits(1000000000, 0.01) / 8e9,
                             0.830, 1e-3));
    assert_true(test_is_near(seenset_plan_floor_bits(1000000000, 1e-4) / 8e9,
                             1.661, 1e-3));
}

/* k = 10 at 20 bits a key */
static void figures_of_twenty_bits(void **state)
{
    (void)state;
    assert_true(test_is_near(pow(1 - exp(-10.0 / 20), 10), 8.894e-5, 1e-4));
    assert_true(test_is_near(
        seenset_plan_fp_rate(SEENSET_LAYOUT_BLOOM, 1000000, 20000000, 10),
        8.894e-5, 1e-4));
}

static void figures_of_whole_bits(void **state)
{
    static const struct {
        double fp_rate;
        uint32_t bits_per_key, hash_count;
    } pairs[] = {{0.1, 5, 3}, {0.05, 7, 3}, {0.025, 8, 4}, {0.001, 15, 8}};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(pairs); i++) {
        uint32_t bits, k;
        assert_int_equal(seenset_plan_whole_bits(pairs[i].fp_rate, &bits, &k),
                         SEENSET_OK);
        assert_int_equal(bits, pairs[i].bits_per_key);
        assert_int_equal(k, pairs[i].hash_count);
    }
    /* planted: the rounded table's (15, 7) does miss 0.001 */
    assert_true(pow(1 - exp(-7.0 / 15), 7) > 0.001);
    assert_true(pow(1 - exp(-8.0 / 15), 8) <= 0.001);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_of_two_hashes),
        cmocka_unit_test(figures_of_a_billion_urls),
        cmocka_unit_test(figures_of_twenty_bits),
        cmocka_unit_test(figures_of_whole_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
