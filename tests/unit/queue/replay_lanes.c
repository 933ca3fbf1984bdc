/* replay_lanes.c - the priorities of items, against one number for each */
#include "queue/recover/replay_lanes.h"

#include "support.h"

enum {
    ITEMS = 300
};

/* What a plain array says. -1: not known. */
static bool agree(const int *lanes, uint64_t first, uint64_t end, int lane)
{
    for (uint64_t i = first; i < end && i < ITEMS; i++)
        if (lanes[i] >= 0 && lanes[i] != lane)
            return false;
    return true;
}

static void check(uint64_t seed)
{
    ss_memory memory;
    ss_lane_runs runs = {0};
    test_random random = {seed};
    int lanes[ITEMS];
    unsigned lane = 0;
    assert_int_equal(ss_memory_init(&memory, NULL), SEENSET_OK);
    for (int i = 0; i < ITEMS; i++)
        lanes[i] = -1;
    for (uint64_t item = seed % 7; item < ITEMS; item++) {
        if (test_random_below(&random, 4) == 0)
            lane = (unsigned)test_random_below(&random, 10);
        if (test_random_below(&random, 100) == 0) { /* a gap: it begins anew */
            item += 1 + test_random_below(&random, 5);
            for (int i = 0; i < ITEMS; i++)
                lanes[i] = -1;
        }
        if (item >= ITEMS)
            break;
        assert_true(ss_lane_runs_note(&runs, &memory, item, lane));
        lanes[item] = (int)lane;
        uint64_t first = test_random_below(&random, ITEMS);
        uint64_t end = first + test_random_below(&random, 8);
        unsigned asked = (unsigned)test_random_below(&random, 10);
        assert_int_equal(ss_lane_runs_agree(&runs, first, end, asked),
                         agree(lanes, first, end, (int)asked));
        assert_int_equal(ss_lane_runs_agree(&runs, item, item + 1, lane), 1);
        assert_true(ss_lane_runs_agree(&runs, item + 1, UINT64_MAX, asked));
    }
    ss_lane_runs_free(&runs, &memory);
}

static void runs_agree_with_an_array(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 50; seed++)
        check(seed);
}

/* Entries are passed that are done; others must be of the lane. */
static void entries_are_compared_once(void **state)
{
    ss_memory memory;
    ss_ranges done = {0};
    ss_state_entry entries[] = {{.item = 3, .lane = 1},
                                {.item = 5, .lane = 2},
                                {.item = 6, .lane = 2},
                                {.item = 9, .lane = 1}};
    const ss_state of = {.entries = entries, .entry_count = 4};
    (void)state;
    assert_int_equal(ss_memory_init(&memory, NULL), SEENSET_OK);
    assert_true(ss_lane_entries_agree(&of, &done, 0, 3, 9));
    assert_true(ss_lane_entries_agree(&of, &done, 3, 5, 1));
    assert_false(ss_lane_entries_agree(&of, &done, 3, 6, 1));
    assert_true(ss_lane_entries_agree(&of, &done, 5, 9, 2));
    assert_false(ss_lane_entries_agree(&of, &done, 5, 10, 2));
    assert_true(ss_lane_entries_agree(&of, &done, 10, UINT64_MAX, 7));
    assert_true(ss_ranges_add(&done, &memory, 5, 7));
    assert_true(ss_lane_entries_agree(&of, &done, 3, 10, 1));
    ss_ranges_free(&done, &memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_agree_with_an_array),
        cmocka_unit_test(entries_are_compared_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
