/*
 * plan_choice.c - what the planner chooses is the best there is: it is
 * held against every other hash count, tried one by one.
 */
#include <math.h>

#include "seenset/extra/formulas.h"
#include "seenset/plan.h"
#include "support.h"

static seenset_plan solve(seenset_plan plan)
{
    assert_int_equal(seenset_plan_solve(&plan), SEENSET_OK);
    return plan;
}

/* The least b, then the least k, by trying them all. */
static void whole_bits_are_the_smallest_pair(void **state)
{
    static const struct {
        double fp_rate;
        uint32_t bits, k;
    } published[] = {{0.1, 5, 3}, {0.05, 7, 3}, {0.025, 8, 4}, {0.001, 15, 8}};
    uint32_t bits, k;
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(published); i++) {
        assert_int_equal(
            seenset_plan_whole_bits(published[i].fp_rate, &bits, &k), 0);
        assert_int_equal(bits, published[i].bits);
        assert_int_equal(k, published[i].k);
    }
    for (double p = 0.99; p > 1e-19; p *= TEST_STEP > 1 ? 0.5 : 0.93) {
        uint32_t best_bits = 0, best_k = 0;
        for (uint32_t b = 1; b <= 100 && best_bits == 0; b++) {
            for (uint32_t j = 200; j >= 1; j--) {
                if (pow(1.0 - exp(-(double)j / b), j) <= p)
                    best_bits = b, best_k = j;
            }
        }
        assert_int_equal(seenset_plan_whole_bits(p, &bits, &k), 0);
        assert_int_equal(bits, best_bits);
        assert_int_equal(k, best_k);
    }
    bits = k = 77;
    static const double bad[] = {0.0, 1.0, -0.1, 1e-20, 2.0};
    for (size_t i = 0; i < TEST_COUNT(bad); i++)
        assert_int_equal(seenset_plan_whole_bits(bad[i], &bits, &k),
                         SEENSET_EINVAL);
    assert_int_equal(seenset_plan_whole_bits((double)NAN, &bits, &k),
                     SEENSET_EINVAL);
    assert_int_equal(seenset_plan_whole_bits(0.1, NULL, &k), SEENSET_EINVAL);
    assert_int_equal(seenset_plan_whole_bits(0.1, &bits, NULL), SEENSET_EINVAL);
    assert_true(bits == 77 && k == 77);
}

/* No k that is tried gives fewer bits than the one that was chosen. */
static void plan_chooses_the_best_hash_count(void **state)
{
    (void)state;
    for (double p = 0.4; p > 1e-8; p *= 0.31) {
        for (uint64_t n = 1000; n < 100000000; n *= 17) {
            seenset_plan given = {.layout = SEENSET_LAYOUT_BLOOM,
                                  .capacity_items = n,
                                  .fp_rate = p};
            uint64_t chosen = solve(given).size_bits;
            for (uint32_t k = 1; k <= 40; k++) {
                given.hash_count = k;
                assert_true(solve(given).size_bits >= chosen);
            }
            given = (seenset_plan){.capacity_items = n, .fp_rate = p};
            seenset_plan blocked = solve(given);
            uint32_t lines = blocked.hash_count / 8;
            /* fewest lines within a tenth of the classic, else fewest bits */
            for (uint32_t less = 1; less <= 3; less++) {
                given.hash_count = 8 * less;
                uint64_t size = solve(given).size_bits;
                bool is_near = (double)size <= 1.1 * (double)chosen;
                assert_false(less < lines && is_near);
                assert_true((double)blocked.size_bits <= 1.1 * (double)chosen ||
                            size >= blocked.size_bits);
            }
        }
    }
}

/* 0: not even one */
static uint64_t items_of(seenset_plan plan)
{
    return seenset_plan_solve(&plan) == SEENSET_OK ? plan.capacity_items : 0;
}

/* Of m bits and a rate: no k holds more keys; of lines the fewest that hold
 * what a classic filter holds, but for a part in eleven, else the most. */
static void plan_holds_the_most_items_of_any_hash_count(void **state)
{
    (void)state;
    for (double p = 0.4; p > 1e-8; p *= 0.31) {
        for (uint64_t m = 10000; m < 1000000000; m *= 17) {
            seenset_plan given = {
                .layout = SEENSET_LAYOUT_BLOOM, .size_bits = m, .fp_rate = p};
            uint64_t chosen = solve(given).capacity_items;
            for (uint32_t k = 1; k <= 40; k++) {
                given.hash_count = k;
                assert_true(items_of(given) <= chosen);
            }
            given = (seenset_plan){.size_bits = m, .fp_rate = p};
            seenset_plan blocked = solve(given);
            double enough = (double)chosen / 1.1;
            for (uint32_t lines = 1; lines <= 3; lines++) {
                given.hash_count = 8 * lines;
                uint64_t items = items_of(given);
                bool is_less = given.hash_count < blocked.hash_count;
                assert_false(is_less && (double)items >= enough);
                assert_true((double)blocked.capacity_items >= enough ||
                            items <= blocked.capacity_items);
            }
        }
    }
}

/* The rate that the planner takes with m bits, or what whole lines make of
 * them. */
static double rate_with(seenset_layout layout, uint64_t n, uint64_t m,
                        uint32_t k)
{
    return solve((seenset_plan){.layout = layout,
                                .capacity_items = n,
                                .size_bits = m,
                                .hash_count = k})
        .expected_fp_rate;
}

/* Of n keys in m bits: no k has a lower rate, and of equal ones it is the
 * least, as where all that there is to say is "seen". Of a few hundred bits the
 * best k lies a little lower than beside the optimum. */
static void plan_has_the_lowest_rate_of_any_hash_count(void **state)
{
    (void)state;
    for (uint64_t m = 5000; m < 100000000; m *= 5) {
        for (double load = 0.02; load < 1e4; load *= 1.7) {
            uint64_t n = (uint64_t)((double)m * load) + 1;
            uint64_t m_classic = (uint64_t)ceil((double)m / 1.1);
            seenset_plan classic =
                solve((seenset_plan){.layout = SEENSET_LAYOUT_BLOOM,
                                     .capacity_items = n,
                                     .size_bits = m});
            seenset_plan blocked =
                solve((seenset_plan){.capacity_items = n, .size_bits = m});
            double enough = 1.0;
            for (uint32_t k = 1; k <= 70; k++) {
                double rate = rate_with(SEENSET_LAYOUT_BLOOM, n, m, k);
                assert_true(k < classic.hash_count ? rate > classic.fp_rate
                                                   : rate >= classic.fp_rate);
                enough = fmin(enough,
                              rate_with(SEENSET_LAYOUT_BLOOM, n, m_classic, k));
            }
            for (uint32_t k = 8; k <= 24; k += 8) {
                double rate = rate_with(SEENSET_LAYOUT_BLOCKED, n, m, k);
                if (k < blocked.hash_count)
                    assert_true(rate > blocked.fp_rate && rate > enough);
                else
                    assert_true(blocked.fp_rate <= fmax(rate, enough));
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_bits_are_the_smallest_pair),
        cmocka_unit_test(plan_chooses_the_best_hash_count),
        cmocka_unit_test(plan_holds_the_most_items_of_any_hash_count),
        cmocka_unit_test(plan_has_the_lowest_rate_of_any_hash_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
