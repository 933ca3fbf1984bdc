/*
 * told_time.c - a window by age that is told the time does what one does whose
 * clock has that time, to the byte.
 */
#include "window_support.h"

#include <stdlib.h>
#include <string.h>

static const seenset_options window = {.capacity_items = 300,
                                       .on_full = SEENSET_ON_FULL_ROTATE,
                                       .window_generations = 4,
                                       .window_seconds = 1000};

static seenset *make_sliding(bool is_sliding, bool has_clock)
{
    seenset_options options = window;
    options.flags = is_sliding ? SEENSET_FLAG_SLIDING : 0;
    return has_clock ? window_make(options) : test_make(options);
}

static bool are_same_bytes(const seenset *a, const seenset *b)
{
    size_t a_bytes, b_bytes;
    uint8_t *in_a = test_bytes_of(a, &a_bytes);
    uint8_t *in_b = test_bytes_of(b, &b_bytes);
    bool are_same = a_bytes == b_bytes && memcmp(in_a, in_b, a_bytes) == 0;
    free(in_a);
    free(in_b);
    return are_same;
}

/* A stream with repeats, at times that rise, with gaps. `lag`: the told time is
 * so much behind (planted). */
static bool replays(bool is_sliding, uint64_t lag)
{
    test_random random = {.state = 5};
    clock_seconds = 1500000000;
    seenset *live = make_sliding(is_sliding, true);
    seenset *told = make_sliding(is_sliding, false);
    bool are_same = true;
    for (uint64_t i = 0; i < 20000; i++) {
        uint64_t gap = test_random_below(&random, 2000);
        clock_seconds += gap < 1990 ? gap / 500 : 300 * (gap - 1989);
        uint64_t hash = test_mix(i - test_random_below(&random, 700));
        assert_int_equal(seenset_set_time(told, clock_seconds - lag), 0);
        are_same &=
            seenset_add_hash(live, hash) == seenset_add_hash(told, hash);
        are_same &= seenset_has_hash(live, test_mix(i / 2)) ==
                    seenset_has_hash(told, test_mix(i / 2));
    }
    are_same &= are_same_bytes(live, told);
    seenset_free(live);
    seenset_free(told);
    return are_same;
}

static void told_times_are_as_a_clock(void **state)
{
    (void)state;
    assert_true(replays(false, 0));
    assert_true(replays(true, 0));
    assert_false(replays(false, 1)); /* planted */
}

/* 0 ends it; a copy goes by it, and a set that was opened does not. */
static void told_times_end(void **state)
{
    (void)state;
    seenset *copy = NULL, *view = NULL, *set = test_make(window);
    assert_int_equal(seenset_set_time(set, 1000000), 0);
    assert_int_equal(test_table_of(set, 0).started_seconds, 1000000);
    assert_int_equal(seenset_add(set, "a", 1), 1);
    assert_int_equal(seenset_copy(&copy, set), 0);
    size_t size_bytes;
    uint8_t *bytes = test_bytes_of(set, &size_bytes);
    assert_int_equal(seenset_open_bytes(&view, bytes, size_bytes, NULL), 0);
    assert_int_equal(seenset_has(copy, "a", 1), 1);
    assert_int_equal(seenset_has(view, "a", 1), 0);
    assert_int_equal(seenset_set_time(view, 1000999), 0);
    assert_int_equal(seenset_has(view, "a", 1), 1);
    assert_int_equal(seenset_set_time(set, 0), 0);
    assert_int_equal(seenset_has(set, "a", 1), 0);
    assert_int_equal(seenset_clear(copy), 0);
    assert_int_equal(test_table_of(copy, 0).started_seconds, 1000000);
    seenset_free(view);
    seenset_free(copy);
    seenset_free(set);
    free(bytes);
}

/* A time that goes back forgets nothing early. */
static void told_times_may_go_back(void **state)
{
    (void)state;
    seenset *set = test_make(window);
    assert_int_equal(seenset_set_time(set, 5000000), 0);
    assert_int_equal(seenset_add(set, "a", 1), 1);
    assert_int_equal(seenset_set_time(set, 4000000), 0);
    assert_int_equal(seenset_add(set, "b", 1), 1);
    assert_int_equal(seenset_set_time(set, 4000999), 0);
    assert_int_equal(seenset_add(set, "a", 1), 0);
    assert_int_equal(seenset_add(set, "b", 1), 0);
    seenset_free(set);
}

/* A file without keys begins at the first told time, too. */
static void told_times_begin_an_empty_file(void **state)
{
    (void)state;
    test_folder folder;
    char path[TEST_PATH_BYTES];
    const seenset_open_options open = {.flags = SEENSET_OPEN_APPEND};
    seenset_options large = window;
    large.capacity_items = 10000000; /* so that the file is mapped */
    test_folder_make(&folder);
    test_path(path, &folder, "window.set");
    seenset *set = test_make(large);
    assert_int_equal(seenset_save(set, path), 0);
    seenset_free(set);
    assert_int_equal(seenset_open(&set, path, &open), 0);
    assert_int_equal(seenset_set_time(set, 1000000), 0);
    assert_int_equal(seenset_add(set, "a", 1), 1);
    assert_int_equal(seenset_append(set, path), 0);
    assert_int_equal(seenset_set_time(set, 1000100), 0);
    assert_int_equal(seenset_add(set, "b", 1), 1);
    assert_int_equal(seenset_append(set, path), 0);
    assert_int_equal(seenset_add(set, "b", 1), 0); /* it keeps the time */
    seenset_free(set);
    assert_int_equal(seenset_open(&set, path, NULL), 0);
    assert_int_equal(test_table_of(set, 0).started_seconds, 1000000);
    assert_int_equal(seenset_set_time(set, 1000100), 0);
    assert_int_equal(seenset_has(set, "a", 1), 1);
    assert_int_equal(seenset_has(set, "b", 1), 1);
    seenset_free(set);
    test_folder_remove(&folder);
}

static void told_times_are_for_windows_by_age(void **state)
{
    (void)state;
    seenset_options by_number = {.on_full = SEENSET_ON_FULL_ROTATE};
    seenset *set = test_make(by_number),
            *other = test_make((seenset_options){0});
    assert_int_equal(seenset_set_time(set, 1), SEENSET_EUNSUPPORTED);
    assert_int_equal(seenset_set_time(other, 1), SEENSET_EUNSUPPORTED);
    seenset_free(set);
    seenset_free(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(told_times_are_as_a_clock),
        cmocka_unit_test(told_times_end),
        cmocka_unit_test(told_times_may_go_back),
        cmocka_unit_test(told_times_begin_an_empty_file),
        cmocka_unit_test(told_times_are_for_windows_by_age)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
