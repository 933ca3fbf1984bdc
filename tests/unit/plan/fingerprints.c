/* fingerprints.c - a table has the shortest that keep the rate */
#include <math.h>

#include "plan/shape.h"
#include "support.h"

/* The smallest whose own rate is within the promise, and at it. */
static void fingerprints_are_as_short_as_the_rate_allows(void **state)
{
    (void)state;
    for (uint32_t bits = 4; bits <= 32; bits++) {
        double rate = ldexp(1.0, -(int)bits);
        assert_int_equal(ss_plan_fingerprint_bits(0, rate), bits);
        assert_int_equal(ss_plan_fingerprint_bits(0, rate * 0.999),
                         bits < 32 ? bits + 1 : 0);
    }
    assert_int_equal(ss_plan_fingerprint_bits(0, 0.9), 4);
}

/* Equal hashes add n / 2^64: as long as that is a millionth of the rate, it
 * takes no bit more. */
static void fingerprints_stay_short_for_a_millionth(void **state)
{
    (void)state;
    for (uint32_t bits = 4; bits <= 16; bits++) {
        double rate = ldexp(1.0, -(int)bits);
        uint64_t most = (uint64_t)ldexp(1e-6, 64 - (int)bits);
        for (uint64_t n = 1; n <= most; n = n * 7 + 1) {
            seenset_plan plan = {.layout = SEENSET_LAYOUT_SEALED,
                                 .capacity_items = n,
                                 .fp_rate = rate};
            assert_int_equal(seenset_plan_solve(&plan), SEENSET_OK);
            assert_true(plan.expected_fp_rate <= rate * (1.0 + 1e-6));
            assert_true(plan.expected_fp_rate >= rate);
            assert_int_equal(ss_plan_fingerprint_bits(n, rate), bits);
        }
        assert_int_equal(ss_plan_fingerprint_bits(most - most / 100, rate),
                         bits);
        assert_int_equal(ss_plan_fingerprint_bits(most + most / 100, rate),
                         bits + 1);
        assert_int_equal(ss_plan_fingerprint_bits(1, rate * (1 - 2e-6)),
                         bits + 1);
    }
}

/* Those of a table that keys can be taken out of: down to 1e-12. */
static void fingerprints_are_as_wide_as_the_rate_asks(void **state)
{
    uint32_t widest = 0;
    (void)state;
    for (double p = 0.1; p > 0.9e-12; p /= 10.0) {
        seenset_plan plan = {.layout = SEENSET_LAYOUT_FINGERPRINT,
                             .capacity_items = 100000,
                             .fp_rate = p};
        assert_int_equal(seenset_plan_solve(&plan), SEENSET_OK);
        assert_true(plan.expected_fp_rate <= p);
        assert_true(plan.expected_fp_rate >= p / 10.0);
        assert_true(plan.hash_count >= widest);
        widest = plan.hash_count;
    }
    assert_in_range(widest, 40, 49);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fingerprints_are_as_short_as_the_rate_allows),
        cmocka_unit_test(fingerprints_stay_short_for_a_millionth),
        cmocka_unit_test(fingerprints_are_as_wide_as_the_rate_asks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
