/*
 * window_grow.c - windows by age that more keys come to than they were
 * planned for: the rate is kept whatever the arrival, memory follows the keys,
 * and what cannot be had is said.
 */
#include <stdlib.h>

#include "window_support.h"

/* How much more comes than was planned for, in spans from the first on. */
typedef struct arrival {
    const char *name;
    uint32_t parts[8]; /* of what a span is planned for, in tenths */
} arrival;

static const arrival arrivals[] = {
    {"as planned", {10, 10, 10, 10, 10, 10, 10, 10}},
    {"far too many at once", {1000}},
    {"always ten times", {100, 100, 100, 100, 100, 100, 100, 100}},
    {"more and more", {1, 3, 10, 30, 100, 300, 1000, 3000}},
};

enum {
    SPAN_KEYS = 100,
    RATE_SETS = 200,
    RATE_QUESTIONS = 5000,
    MOST_TABLES = 256 /* of a window by age */
};

/*
 * Two hundred sets, keys in 8 spans: fresh ones are taken for seen at a rate
 * that is what the sets say of themselves, and not over `promised`.
 */
static bool keeps_rate(seenset_layout layout, uint32_t tables,
                       const arrival *keys, double promised)
{
    uint64_t hits = 0, trials = 0, next = 0;
    double expected = 0;
    for (int i = 0; i < RATE_SETS; i++) {
        seenset *set = window_make(
            (seenset_options){.layout = layout,
                              .capacity_items = SPAN_KEYS * (tables - 1),
                              .fp_rate = 0.01,
                              .window_generations = tables,
                              .window_seconds = 60 * (tables - 1)});
        uint64_t questions = i % 2 == 0 ? RATE_QUESTIONS : 1;
        for (size_t span = 0; span < TEST_COUNT(keys->parts); span++) {
            uint64_t count = keys->parts[span] * (SPAN_KEYS / 10);
            if (i % 20 != 0 && count > 1000)
                count = 1000; /* large ones take long */
            (void)window_add_stream(set, next, count);
            next += count;
            clock_seconds += 60;
        }
        clock_seconds -= 60;
        for (uint64_t j = 0; j < questions; j++)
            hits += (uint64_t)seenset_has_hash(set, test_mix(next++));
        trials += questions;
        expected += (double)questions * test_stats_of(set).current_fp_rate;
        seenset_free(set);
    }
    expected /= (double)trials;
    assert_true(test_is_binomial(hits, trials, expected));
    double rate = (double)hits / (double)trials;
    return rate <= promised || test_is_binomial(hits, trials, promised);
}

static void windows_by_age_keep_the_promise(void **state)
{
    (void)state;
    test_leave_to_real_machines();
    clock_seconds = 1700000000;
    for (size_t i = 0; i < TEST_COUNT(arrivals); i++) {
        print_message("%s\n", arrivals[i].name);
        assert_true(keeps_rate(SEENSET_LAYOUT_BLOCKED, 5, &arrivals[i], 0.01));
        assert_true(keeps_rate(SEENSET_LAYOUT_BLOOM, 2, &arrivals[i], 0.01));
    }
    /* planted: a promise of a thousandth of that is broken */
    assert_false(keeps_rate(SEENSET_LAYOUT_BLOOM, 2, &arrivals[3], 1e-5));
}

/* 200 times the keys it is planned for, and hardly a new one is lost. */
static void windows_by_age_take_any_number(void **state)
{
    (void)state;
    clock_seconds = 1700000000;
    for (uint32_t tables = 2; tables <= 64; tables *= 2) {
        seenset *set =
            window_make((seenset_options){.capacity_items = 1000,
                                          .fp_rate = 1e-6,
                                          .window_generations = tables,
                                          .window_seconds = 86400});
        /* 0.2 lost are expected; 20 have a chance under 1e-9 */
        assert_true(window_add_stream(set, 0, 200000) > 200000 - 20);
        assert_true(window_has_stream(set, 0, 200000));
        seenset_stats stats = test_stats_of(set);
        assert_int_equal(stats.capacity_items, 1000);
        assert_true(stats.current_fp_rate < 1e-6);
        clock_seconds += 86400;
        assert_true(window_has_stream(set, 0, 200000));
        seenset_free(set);
    }
}

/* A steady stream above the plan soon has a table a span; and when it ends,
 * the set is as small as it was. */
static void windows_by_age_follow_the_keys(void **state)
{
    (void)state;
    clock_seconds = 1700000000;
    seenset *set = window_make((seenset_options){
        .capacity_items = 4000, .fp_rate = 1e-6, .window_seconds = 86400});
    uint64_t first_bits = test_stats_of(set).size_bits;
    for (uint64_t span = 0; span < 12; span++) {
        (void)window_add_stream(set, span * 20000, 20000);
        clock_seconds += 21600;
    }
    assert_int_equal(test_stats_of(set).table_count, 5);
    assert_true(test_stats_of(set).size_bits > 50 * first_bits);
    for (uint64_t span = 0; span < 12; span++) {
        (void)window_add_stream(set, 1000000 + span * 1000, 1000);
        clock_seconds += 21600;
    }
    assert_int_equal(test_stats_of(set).table_count, 5);
    assert_int_equal(test_stats_of(set).size_bits, 5 * first_bits);
    assert_int_equal(test_table_of(set, 0).capacity_items, 1000);
    seenset_free(set);
}

/* Without memory for a table an add says so, and nothing is forgotten. */
static void windows_by_age_say_that_memory_is_out(void **state)
{
    test_memory memory;
    (void)state;
    for (int is_late = 0; is_late < 2; is_late++) {
        test_memory_init(&memory);
        clock_seconds = 1000000;
        seenset *set =
            window_make((seenset_options){.capacity_items = 400,
                                          .fp_rate = 1e-9,
                                          .window_seconds = 400,
                                          .allocator = &memory.allocator});
        uint64_t hashes[150];
        uint8_t answers[150];
        uint64_t there = is_late ? 50 : 100;
        memory.most_bytes = 0;
        assert_int_equal(window_add_stream(set, 0, there), there);
        clock_seconds += is_late ? 100 : 50;
        for (uint64_t i = 0; i < TEST_COUNT(hashes); i++)
            hashes[i] = test_mix(i);
        assert_int_equal(seenset_add_hash(set, hashes[there]), SEENSET_ENOMEM);
        assert_int_equal(seenset_add_hash(set, hashes[0]), 0);
        assert_int_equal(seenset_add_hash_many(set, hashes, 150, answers),
                         SEENSET_ENOMEM);
        for (uint64_t i = 0; i < TEST_COUNT(hashes); i++) {
            assert_int_equal(answers[i],
                             i < there ? 0 : SEENSET_ANSWER_REFUSED);
            assert_int_equal(seenset_has_hash(set, hashes[i]), i < there);
        }
        assert_int_equal(seenset_add_hash_many(set, hashes, there, answers), 0);
        memory.most_bytes = SIZE_MAX;
        assert_int_equal(seenset_add_hash_many(set, hashes, 150, answers), 0);
        for (uint64_t i = 0; i < TEST_COUNT(hashes); i++)
            assert_int_equal(answers[i], i >= there);
        clock_seconds += 400;
        assert_true(window_has_stream(set, there, 150 - there));
        seenset_free(set);
        assert_int_equal(memory.live_blocks, 0);
    }
}

/* 256 tables are the most. A window that takes in more folds its spans, and has
 * room for keys. */
static void windows_by_age_never_run_out_of_tables(void **state)
{
    (void)state;
    clock_seconds = 1700000000;
    seenset_options options = {
        .capacity_items = 4, .fp_rate = 1e-9, .window_seconds = 1000};
    seenset *set = window_make(options);
    uint64_t count = 0;
    for (; count < 3 * MOST_TABLES; count++) {
        options.capacity_items = 4 + count % 97;
        seenset *from = window_make(options);
        assert_int_equal(seenset_add_hash(from, test_mix(count)), 1);
        assert_int_equal(seenset_merge(set, from), SEENSET_OK);
        seenset_free(from);
        clock_seconds += count % 2;
    }
    assert_true(test_stats_of(set).table_count < MOST_TABLES);
    assert_true(window_has_stream(set, 0, count));
    for (uint64_t added = 0; added < 1000; added++)
        assert_true(seenset_add_hash(set, test_mix(1000 + added)) >= 0);
    assert_true(window_has_stream(set, 0, count) &&
                window_has_stream(set, 1000, 1000));
    size_t size_bytes;
    uint8_t *bytes = test_bytes_of(set, &size_bytes);
    seenset *opened = NULL;
    assert_int_equal(
        seenset_open_bytes(&opened, bytes, size_bytes,
                           &(seenset_open_options){.flags = SEENSET_OPEN_COPY}),
        0);
    window_use_clock(opened);
    assert_true(window_has_stream(opened, 0, count));
    seenset_free(opened);
    free(bytes);
    clock_seconds += 1250;
    assert_int_equal(seenset_add_hash(set, test_mix(0)), 1);
    assert_int_equal(test_stats_of(set).table_count, 1);
    seenset_free(set);
}

/* Tables of several sizes, one from the future: a file is as good as the set.
 */
static void windows_by_age_grow_in_files(void **state)
{
    (void)state;
    for (uint32_t flags = 0; flags <= SEENSET_OPEN_COPY;
         flags += SEENSET_OPEN_COPY) {
        clock_seconds = 1700000000;
        seenset *set = window_make((seenset_options){
            .capacity_items = 100, .fp_rate = 1e-6, .window_seconds = 1000});
        (void)window_add_stream(set, 0, 1000);
        clock_seconds -= 5000;
        (void)window_add_stream(set, 1000, 1);
        assert_int_equal(test_stats_of(set).table_count, 2);
        clock_seconds += 1249;
        size_t size_bytes;
        uint8_t *bytes = test_bytes_of(set, &size_bytes);
        seenset *opened = NULL;
        assert_int_equal(
            seenset_open_bytes(&opened, bytes, size_bytes,
                               &(seenset_open_options){.flags = flags}),
            0);
        window_use_clock(opened);
        assert_true(window_has_stream(opened, 0, 1001));
        clock_seconds += 1;
        assert_int_equal(seenset_has_hash(set, test_mix(5)), 0);
        assert_int_equal(seenset_has_hash(opened, test_mix(5)), 0);
        assert_true(test_stats_of(opened).added_items == 0);
        seenset_free(opened);
        free(bytes);
        seenset_free(set);
    }
}

/* ---- a span that grew, in files ---- */

enum {
    FEW = 20,
    MANY = 2000
};

/* Three spans of 50 seconds: few keys, many more than were planned, few. */
static seenset *make_spans(void)
{
    static const uint64_t counts[] = {FEW, MANY, FEW};
    clock_seconds = 1700000000;
    seenset *set = window_make((seenset_options){
        .capacity_items = 100, .window_generations = 3, .window_seconds = 100});
    uint64_t next = 0;
    for (size_t i = 0; i < TEST_COUNT(counts); i++) {
        (void)window_add_stream(set, next, counts[i]);
        next += counts[i];
        clock_seconds += 50;
    }
    clock_seconds -= 50;
    return set;
}

static uint64_t count_seen(const seenset *set, uint64_t first, uint64_t count)
{
    uint64_t seen = 0;
    for (uint64_t i = 0; i < count; i++)
        seen += seenset_has_hash(set, test_mix(first + i)) == 1;
    return seen;
}

/* The opened set answers as the one that was saved, and forgets with it. */
static void check_ageing(const seenset *set, const seenset *opened)
{
    static const uint64_t firsts[] = {0, FEW, FEW + MANY},
                          counts[] = {FEW, MANY, FEW};
    uint64_t begun = clock_seconds;
    for (uint64_t later = 0; later <= 200; later += 10) {
        clock_seconds = begun + later;
        for (size_t i = 0; i < TEST_COUNT(counts); i++) {
            uint64_t seen = count_seen(set, firsts[i], counts[i]);
            assert_int_equal(count_seen(opened, firsts[i], counts[i]), seen);
            uint64_t age = 100 - 50 * i + later;
            assert_true(seen == counts[i] || age >= 100);
            assert_true(seen < counts[i] / 4 || age < 150);
        }
    }
    clock_seconds = begun;
}

static void a_span_that_grew_ages_out_of_its_file(void **state)
{
    static const unsigned ways[] = {SEENSET_OPEN_VIEW, SEENSET_OPEN_COPY,
                                    SEENSET_OPEN_APPEND};
    (void)state;
    test_folder folder;
    char path[TEST_PATH_BYTES];
    test_folder_make(&folder);
    test_path(path, &folder, "days");
    seenset *set = make_spans();
    assert_int_equal(seenset_save(set, path), SEENSET_OK);
    size_t size_bytes;
    uint8_t *bytes = test_read_file(path, &size_bytes);
    assert_int_equal(bytes[8], 6);
    free(bytes);
    for (size_t i = 0; i < TEST_COUNT(ways); i++) {
        seenset *opened = NULL;
        const seenset_open_options options = {.flags = ways[i]};
        assert_int_equal(seenset_open(&opened, path, &options), SEENSET_OK);
        window_use_clock(opened);
        check_ageing(set, opened);
        seenset_free(opened);
    }
    seenset_free(set);
    test_folder_remove(&folder);
}

/* When it is gone, the file is one that older versions read. */
static void a_file_without_a_span_that_grew_is_as_before(void **state)
{
    (void)state;
    seenset *set = make_spans();
    clock_seconds += 100;
    assert_int_equal(seenset_add_hash(set, test_mix(9999)), 1);
    size_t size_bytes;
    uint8_t *bytes = test_bytes_of(set, &size_bytes);
    assert_int_equal(bytes[8], 3);
    free(bytes);
    seenset_free(set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(windows_by_age_keep_the_promise),
        cmocka_unit_test(windows_by_age_take_any_number),
        cmocka_unit_test(windows_by_age_follow_the_keys),
        cmocka_unit_test(windows_by_age_say_that_memory_is_out),
        cmocka_unit_test(windows_by_age_never_run_out_of_tables),
        cmocka_unit_test(windows_by_age_grow_in_files),
        cmocka_unit_test(a_span_that_grew_ages_out_of_its_file),
        cmocka_unit_test(a_file_without_a_span_that_grew_is_as_before),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
