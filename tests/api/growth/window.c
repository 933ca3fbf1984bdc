/*
 * window.c - sets that forget: never within the window, always after it,
 * at the rate that was promised, however many keys come. What clocks do to
 * them is in window_clock.c.
 *
 * The clock is a variable of this file, put into the set's `now`.
 */
#include <stdlib.h>
#include <string.h>

#include "window_support.h"

enum {
    MOST_TABLES = 64 / TEST_STEP
};

/* Unlike the audit this reads no bits. */
static seenset_info info_of(const seenset *set)
{
    seenset_info info;
    assert_int_equal(seenset_get_info(set, &info, sizeof info), 0);
    return info;
}

/* ---- by number ---- */

/*
 * The last n new keys are there after every add, and a key is forgotten when
 * n K / (K - 1) newer ones came. `lag` is planted: it looks further back.
 */
static bool keeps_last(seenset_layout layout, uint64_t n, uint32_t tables,
                       uint64_t lag)
{
    seenset *set = window_make((seenset_options){.layout = layout,
                                                 .capacity_items = n,
                                                 .fp_rate = 1e-9,
                                                 .window_generations = tables});
    uint64_t span = (n + tables - 2) / (tables - 1);
    bool are_there = true;
    uint64_t forgotten = 0, asked = 0, most_bytes = 0;
    for (uint64_t i = 0; i < 6 * n + 10; i++) {
        assert_int_equal(seenset_add_hash(set, test_mix(i)), 1);
        uint64_t oldest = i + 1 > n + lag ? i + 1 - n - lag : 0;
        are_there &= seenset_has_hash(set, test_mix(oldest)) == 1;
        are_there &=
            seenset_has_hash(set, test_mix(oldest + (i - oldest) / 2)) == 1;
        if (i >= span * tables) {
            asked++;
            forgotten +=
                seenset_has_hash(set, test_mix(i - span * tables)) == 0;
        }
        if (i % 16 != 0)
            continue;
        seenset_info info = info_of(set);
        assert_true(info.table_count <= tables);
        if (info.table_count == tables) {
            assert_true(most_bytes == 0 || info.memory_bytes == most_bytes);
            most_bytes = info.memory_bytes;
        }
    }
    assert_true(forgotten == asked && asked > 0);
    assert_true(most_bytes > 0 || n == 1);
    assert_int_equal(test_stats_of(set).capacity_items, n);
    assert_int_equal(test_stats_of(set).window_generations, tables);
    /* split blocks at 1e-9 are all but empty: a block of some keys counts */
    double most = layout == SEENSET_LAYOUT_SPLIT_BLOCK ? 1e-8 : 2e-9;
    assert_true(test_stats_of(set).current_fp_rate < most);
    seenset_free(set);
    return are_there;
}

static void windows_keep_the_last_keys(void **state)
{
    (void)state;
    for (seenset_layout layout = SEENSET_LAYOUT_BLOCKED; layout != 0;
         layout = test_next_layout(layout)) {
        for (uint32_t tables = 2; tables <= MOST_TABLES;
             tables = tables * 2 - 1) {
            assert_true(keeps_last(layout, 100, tables, 0));
            assert_true(keeps_last(layout, 301, tables, 0));
        }
    }
    assert_true(keeps_last(SEENSET_LAYOUT_BLOCKED, 1, 2, 0));
    assert_false(keeps_last(SEENSET_LAYOUT_BLOCKED, 300, 4, 110)); /* planted */
}

static void windows_have_five_tables_by_default(void **state)
{
    seenset *set = window_make((seenset_options){.capacity_items = 1000});
    (void)state;
    assert_int_equal(test_stats_of(set).window_generations, 5);
    assert_int_equal(test_table_of(set, 0).capacity_items, 250);
    seenset_free(set);
}

/* The rate of a full window keeps the promise. */
static void windows_keep_the_promise(void **state)
{
    (void)state;
    for (uint32_t tables = 2; tables <= 17; tables += 5) {
        seenset *set = window_make((seenset_options){
            .capacity_items = 100000, .window_generations = tables});
        uint64_t hits = 0, questions = 1000000;
        for (uint64_t i = 0; i < 300000; i++)
            (void)seenset_add_hash(set, test_mix(i));
        for (uint64_t i = 300000; i < 300000 + questions; i++)
            hits += (uint64_t)seenset_has_hash(set, test_mix(i));
        assert_true(hits <= questions / 100 ||
                    test_is_binomial(hits, questions, 0.01));
        assert_true(test_is_binomial(hits, questions,
                                     test_stats_of(set).current_fp_rate));
        seenset_free(set);
    }
}

/* ---- by seconds ---- */

/*
 * Adds keys at random moments and asks for all that count: there for W
 * seconds, gone after W K / (K - 1), rounded up to a whole span. `early` is
 * planted: keys are asked for that much longer than they need be there.
 */
static bool keeps_time(uint64_t window, uint32_t tables, uint64_t early)
{
    uint64_t added_at[2000];
    test_random random = {window};
    seenset *set =
        window_make((seenset_options){.capacity_items = 2000 * tables,
                                      .fp_rate = 1e-9,
                                      .window_generations = tables,
                                      .window_seconds = window});
    uint64_t span = (window + tables - 2) / (tables - 1);
    bool is_so = true;
    for (uint64_t i = 0; i < TEST_COUNT(added_at); i++) {
        uint64_t pause = test_random_below(&random, 1 + window / 10);
        if (i % 500 == 499)
            pause = window * 3; /* idle */
        clock_seconds += pause;
        uint64_t now = clock_seconds;
        for (uint64_t j = i < 60 ? 0 : i - 60; j < i; j++) {
            int is_there = seenset_has_hash(set, test_mix(j));
            if (now - added_at[j] <= window + early)
                is_so &= is_there == 1;
            if (now - added_at[j] >= window + span)
                is_so &= is_there == 0;
        }
        added_at[i] = now;
        assert_int_equal(seenset_add_hash(set, test_mix(i)), 1);
        is_so &= seenset_has_hash(set, test_mix(i)) == 1;
        assert_true(info_of(set).table_count <= tables);
    }
    seenset_free(set);
    return is_so;
}

static void windows_keep_time(void **state)
{
    (void)state;
    clock_seconds = 1700000000;
    for (uint32_t tables = 2; tables <= MOST_TABLES; tables = tables * 2 - 1) {
        assert_true(keeps_time(86400, tables, 0));
        assert_true(keeps_time(100, tables, 0));
        assert_true(keeps_time(1, tables, 0));
    }
    assert_false(keeps_time(86400, 5, 20000)); /* planted */
}

/* Keys by the hour with a window of a day: a batch is like single keys. */
static void windows_by_time_take_batches(void **state)
{
    (void)state;
    clock_seconds = 1000000;
    seenset_options options = {.capacity_items = 100, .window_seconds = 86400};
    seenset *one = window_make(options), *other = window_make(options);
    for (uint64_t hour = 0; hour < 200; hour++) {
        uint64_t hashes[700];
        uint8_t answers[700];
        for (uint64_t i = 0; i < 700; i++)
            hashes[i] = test_mix(hour * 20 + i / 4);
        assert_int_equal(seenset_add_hash_many(one, hashes, 700, answers), 0);
        for (uint64_t i = 0; i < 700; i++)
            assert_int_equal(seenset_add_hash(other, hashes[i]), answers[i]);
        assert_int_equal(seenset_has_hash_many(one, hashes, 700, answers), 0);
        for (uint64_t i = 0; i < 700; i++)
            assert_int_equal(answers[i], 1);
        clock_seconds += 3600;
    }
    assert_int_equal(test_stats_of(one).set_bits,
                     test_stats_of(other).set_bits);
    seenset_free(one);
    seenset_free(other);
}

/* A set that is only asked forgets as well, and its file is as old as it. */
static void windows_age_on_disk(void **state)
{
    (void)state;
    clock_seconds = 5000;
    seenset *set = window_make((seenset_options){
        .capacity_items = 100, .window_generations = 3, .window_seconds = 100});
    for (int i = 0; i < 5; i++) {
        assert_int_equal(seenset_add(set, &i, sizeof i), 1);
        clock_seconds += 20;
    }
    size_t size_bytes;
    uint8_t *bytes = test_bytes_of(set, &size_bytes);
    for (uint32_t flags = 0; flags <= SEENSET_OPEN_COPY;
         flags += SEENSET_OPEN_COPY) {
        seenset *opened = NULL;
        clock_seconds = 5100;
        assert_int_equal(
            seenset_open_bytes(&opened, bytes, size_bytes,
                               &(seenset_open_options){.flags = flags}),
            0);
        window_use_clock(opened);
        assert_int_equal(test_stats_of(opened).window_seconds, 100);
        for (; clock_seconds < 5300; clock_seconds += 10) {
            for (uint64_t i = 0; i < 5; i++) {
                uint64_t age = clock_seconds - 5000 - 20 * i;
                int key = (int)i, is_there = seenset_has(opened, &key, 4);
                assert_true(is_there == 1 || age >= 100);
                assert_true(is_there == 0 || age < 150);
                assert_int_equal(seenset_has(set, &key, 4), is_there);
            }
        }
        seenset_free(opened);
    }
    free(bytes);
    seenset_free(set);
}

/* A clock that was put back makes the window longer, never shorter; but time
 * goes on from there. */
static void windows_survive_a_clock_put_back(void **state)
{
    (void)state;
    clock_seconds = 1000000;
    seenset *set = window_make((seenset_options){.window_seconds = 1000});
    assert_int_equal(seenset_add(set, "a", 1), 1);
    clock_seconds -= 500000;
    assert_int_equal(seenset_has(set, "a", 1), 1);
    assert_int_equal(seenset_add(set, "b", 1), 1);
    clock_seconds += 900;
    assert_int_equal(seenset_has(set, "a", 1), 1);
    assert_int_equal(seenset_has(set, "b", 1), 1);
    assert_int_equal(seenset_add(set, "c", 1), 1);
    clock_seconds = 1000999;
    assert_int_equal(seenset_has(set, "a", 1), 1);
    assert_int_equal(seenset_has(set, "b", 1), 1);
    clock_seconds = 1001250;
    assert_int_equal(seenset_has(set, "a", 1), 0);
    assert_int_equal(seenset_add(set, "a", 1), 1);
    seenset_free(set);
}

static void windows_may_be_for_ever(void **state)
{
    static const uint64_t windows[] = {UINT64_MAX, UINT64_MAX - 1,
                                       UINT64_C(1) << 63};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(windows); i++) {
        for (uint32_t tables = 2; tables <= 64; tables += 31) {
            clock_seconds = 1700000000;
            seenset *set = window_make((seenset_options){
                .window_generations = tables, .window_seconds = windows[i]});
            assert_int_equal(seenset_add(set, "a", 1), 1);
            clock_seconds += UINT64_C(1) << 40;
            assert_int_equal(seenset_add(set, "b", 1), 1);
            assert_int_equal(seenset_has(set, "a", 1), 1);
            assert_int_equal(seenset_has(set, "b", 1), 1);
            assert_int_equal(test_stats_of(set).table_count, 1);
            seenset_free(set);
        }
    }
}

/* By number: a table that cannot be had is an error, and nothing is lost. */
static void windows_by_number_say_that_memory_is_out(void **state)
{
    test_memory memory;
    (void)state;
    test_memory_init(&memory);
    seenset *set = window_make((seenset_options){
        .capacity_items = 40, .fp_rate = 1e-9, .allocator = &memory.allocator});
    for (uint64_t i = 0; i < 10; i++)
        assert_int_equal(seenset_add_hash(set, test_mix(i)), 1);
    memory.most_bytes = 0;
    assert_int_equal(seenset_add_hash(set, test_mix(10)), SEENSET_ENOMEM);
    for (uint64_t i = 0; i <= 10; i++)
        assert_int_equal(seenset_has_hash(set, test_mix(i)), i < 10);
    memory.most_bytes = SIZE_MAX;
    assert_int_equal(seenset_add_hash(set, test_mix(10)), 1);
    seenset_free(set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(windows_keep_the_last_keys),
        cmocka_unit_test(windows_have_five_tables_by_default),
        cmocka_unit_test(windows_keep_the_promise),
        cmocka_unit_test(windows_keep_time),
        cmocka_unit_test(windows_by_time_take_batches),
        cmocka_unit_test(windows_age_on_disk),
        cmocka_unit_test(windows_survive_a_clock_put_back),
        cmocka_unit_test(windows_may_be_for_ever),
        cmocka_unit_test(windows_by_number_say_that_memory_is_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
