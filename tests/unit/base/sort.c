/* sort.c - numbers in order, as qsort puts them; one of each */
#include "base/sort.h"

#include <stdlib.h>
#include <string.h>

#include "support.h"

static int compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static void sort_orders_numbers(void **state)
{
    test_random random = {1};
    (void)state;
    for (size_t i = 0; i < 600; i++) {
        uint64_t count = test_random_below(&random, i < 500 ? 300 : 70000);
        uint64_t mask = UINT64_MAX >> test_random_below(&random, 64);
        unsigned shift = (unsigned)test_random_below(&random, 60);
        uint64_t *numbers = malloc(count * sizeof *numbers + 8);
        uint64_t *expected = malloc(count * sizeof *expected + 8);
        assert_true(numbers != NULL && expected != NULL);
        for (uint64_t k = 0; k < count; k++)
            expected[k] = numbers[k] = (test_random_next(&random) & mask)
                                       << shift;
        qsort(expected, count, sizeof *expected, compare);
        ss_sort_numbers(numbers, count);
        assert_true(count == 0 ||
                    memcmp(numbers, expected, count * sizeof *numbers) == 0);
        uint64_t kept = ss_sort_drop_equal(numbers, count);
        assert_true(kept <= count && (kept > 0) == (count > 0));
        for (uint64_t k = 1; k < kept; k++)
            assert_true(numbers[k - 1] < numbers[k]);
        free(expected);
        free(numbers);
    }
}

/* By the upper bits, and with all numbers that there were. */
static void sort_orders_numbers_roughly(void **state)
{
    enum {
        MOST = 30000
    };
    static uint64_t numbers[MOST], expected[MOST];
    test_random random = {2};
    (void)state;
    for (unsigned bits = 1; bits <= 64; bits++) {
        uint64_t count = test_random_below(&random, bits % 3 ? MOST : 30);
        bool is_sorted = true;
        for (uint64_t k = 0; k < count; k++)
            expected[k] = numbers[k] = test_random_next(&random);
        ss_sort_roughly(numbers, count, bits);
        for (uint64_t k = 1; k < count; k++) {
            assert_true(numbers[k - 1] >> (64 - bits) <= numbers[k] >>
                        (64 - bits));
            is_sorted &= numbers[k - 1] <= numbers[k];
        }
        assert_true(bits > 12 || count < 1000 || !is_sorted);
        qsort(numbers, count, sizeof *numbers, compare);
        qsort(expected, count, sizeof *expected, compare);
        assert_memory_equal(numbers, expected, count * sizeof *numbers);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sort_orders_numbers),
        cmocka_unit_test(sort_orders_numbers_roughly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
