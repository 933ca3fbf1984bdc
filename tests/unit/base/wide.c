/*
 * wide.c - numbers of 128 bits, and remainders, against slow division.
 *
 * Built twice: as the library is, and without a 128-bit type (wide_by_halves).
 */
#include "base/wide.h"

#include "support.h"

/* One bit of the dividend after the other. */
static uint64_t slow_divide(ss_wide *x, uint64_t divisor)
{
    uint64_t remainder = 0;
    for (int bit = 0; bit < 128; bit++) {
        remainder = remainder << 1 | x->high >> 63;
        x->high = x->high << 1 | x->low >> 63;
        x->low <<= 1;
        if (remainder >= divisor) {
            remainder -= divisor;
            x->low |= 1;
        }
    }
    return remainder;
}

static void wide_division_is_exact(void **state)
{
    test_random random = {3};
    ss_wide number = {0, 654321};
    (void)state;
    assert_int_equal(ss_wide_divide(&number, 16), 1);
    assert_int_equal(ss_wide_divide(&number, 16), 15);
    assert_int_equal(ss_wide_divide(&number, 16), 11);
    for (unsigned i = 0; i < 100000; i++) {
        ss_wide x = {test_random_next(&random), test_random_next(&random)};
        uint64_t divisor = (test_random_next(&random) >> (11 + i % 53)) + 1;
        ss_wide quotient = x, slow = x;
        if (i % 4 == 0)
            quotient.high = slow.high = UINT64_MAX;
        if (i % 16 == 0)
            divisor = UINT64_C(1) << 53;
        assert_int_equal(ss_wide_divide(&quotient, divisor),
                         slow_divide(&slow, divisor));
        assert_true(quotient.high == slow.high && quotient.low == slow.low);
    }
}

/* Elsewhere a division is one (base/wide.h). */
#if defined(__SIZEOF_INT128__) && !defined(__wasm__)
enum {
    HAS_RECIPROCAL = 1
};
#else
enum {
    HAS_RECIPROCAL = 0
};
#endif

/* By numbers of all sizes, of those that are just below multiples, too. */
static void rests_are_those_of_a_division(void **state)
{
    test_random random = {31};
    uint64_t differing = 0;
    (void)state;
    for (unsigned i = 0; i < 300000; i++) {
        uint64_t divisor = (test_random_next(&random) >> (11 + i % 53)) + 1;
        uint64_t x = test_random_next(&random);
        ss_divisor by = ss_divisor_of(divisor);
        uint64_t numbers[] = {x, UINT64_MAX - x % 1000,
                              UINT64_MAX / divisor * divisor - i % 2,
                              x % 1000 * divisor - i % 2};
        for (size_t k = 0; k < TEST_COUNT(numbers); k++)
            assert_true(ss_divisor_rest(&by, numbers[k]) ==
                        numbers[k] % divisor);
        by.reciprocal -= by.reciprocal / 2; /* planted */
        differing += ss_divisor_rest(&by, x) != x % divisor;
    }
    assert_true(differing > 0 || !HAS_RECIPROCAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wide_division_is_exact),
        cmocka_unit_test(rests_are_those_of_a_division),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
