/* queue_ranges.c - ranges of items against a row of flags */
#include <string.h>

#include "items/ranges.h"
#include "support.h"

enum {
    ITEMS = 300,
    RANGE_STEPS = 200
};

static uint64_t first_free(const bool flags[ITEMS + 1], uint64_t item)
{
    while (item < ITEMS && flags[item])
        item++;
    return item;
}

static void check_ranges(const ss_ranges *ranges, const bool flags[ITEMS + 1])
{
    uint64_t total = 0;
    for (uint64_t item = 0; item < ITEMS; item++) {
        total += flags[item];
        assert_int_equal(ss_ranges_skip(ranges, item), first_free(flags, item));
    }
    assert_int_equal(ss_ranges_total(ranges), total);
    for (size_t i = 0; i < ranges->count; i++) {
        assert_true(ranges->at[i].first < ranges->at[i].end);
        assert_true(i == 0 || ranges->at[i - 1].end < ranges->at[i].first);
    }
}

static void ranges_are_a_row_of_flags(void **state)
{
    ss_memory memory;
    test_random random = {1};
    (void)state;
    assert_int_equal(ss_memory_init(&memory, NULL), SEENSET_OK);
    for (int run = 0; run < 20; run++) {
        ss_ranges ranges = {0};
        bool flags[ITEMS + 1] = {false};
        for (int step = 0; step < RANGE_STEPS; step++) {
            uint64_t first = test_random_below(&random, ITEMS);
            uint64_t end = first + test_random_below(&random, 5);
            if (end > ITEMS)
                end = ITEMS;
            if (test_random_below(&random, 20) == 0) {
                ss_ranges_trim(&ranges, first);
                memset(flags, 0, (size_t)first * sizeof *flags);
            } else {
                uint64_t added, expected = 0;
                assert_true(
                    ss_ranges_add_new(&ranges, &memory, first, end, &added));
                for (uint64_t item = first; item < end; item++) {
                    expected += !flags[item];
                    flags[item] = true;
                }
                assert_int_equal(added, expected);
            }
            check_ranges(&ranges, flags);
        }
        ss_ranges_free(&ranges, &memory);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges_are_a_row_of_flags),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
