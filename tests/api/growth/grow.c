/*
 * grow.c - a set that grows keeps its promise however often it
 * grew, forgets nothing, and does in batches what it does key by key.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"
#include "seenset/extra/raw.h"

/* ---- the promise ---- */

/* Grown to `tables` full tables: 2^tables - 1 times the first capacity. */
static void check_promise(seenset_layout layout, uint32_t tables,
                          uint64_t capacity_items, double fp_rate)
{
    enum {
        QUESTIONS = 2000000
    };
    seenset *set = test_make((seenset_options){.layout = layout,
                                               .capacity_items = capacity_items,
                                               .fp_rate = fp_rate});
    uint64_t keys = capacity_items * ((UINT64_C(1) << tables) - 1);
    uint64_t news = test_add_stream(set, 0, keys);
    seenset_stats stats = test_stats_of(set);
    assert_int_equal(stats.table_count, tables > 1 ? 2 : 1);
    assert_int_equal(stats.added_items, news);
    assert_true(stats.fp_rate == fp_rate);
    assert_true(news <= keys && (double)news >= (double)keys * (1.0 - fp_rate));
    /* mistakes: one in 1/rate at most, and as many as the statistics say */
    double missed = (double)(keys - news);
    assert_true(fabs(stats.wrong_items - missed) <=
                0.1 * missed + 8.0 * sqrt(missed + 5.0));
    /* all keys, and no more strangers than was promised */
    assert_int_equal(test_count_stream(set, 0, keys), keys);
    uint64_t hits = test_count_stream(set, keys, keys + QUESTIONS);
    assert_true(test_is_binomial(hits, QUESTIONS, stats.current_fp_rate));
    assert_false(
        test_is_binomial(hits, QUESTIONS, stats.current_fp_rate * 1.3));
    double formula = test_formula_of(set);
    assert_true(formula <= fp_rate);
    /* tables of a few keys differ from their mean; large ones do not */
    double part = capacity_items < 1000 ? 0.5 : 0.1;
    assert_true(stats.current_fp_rate <= formula * (1.0 + part));
    if (tables == 1) /* the second keeps more in hand, for more keys */
        assert_true(test_is_near(stats.current_fp_rate, formula, part));
    assert_true((double)hits <= (double)QUESTIONS * fp_rate ||
                test_is_binomial(hits, QUESTIONS, fp_rate));
    seenset_free(set);
}

static void grown_sets_keep_the_promise(void **state)
{
    (void)state;
    test_leave_to_real_machines();
    for (seenset_layout layout = SEENSET_LAYOUT_BLOCKED; layout != 0;
         layout = test_next_layout(layout)) {
        check_promise(layout, 1, 100000, 0.01);
        check_promise(layout, 2, 100000, 0.01);
        check_promise(layout, 5, 20000, 0.01);
        check_promise(layout, 5, 20000, 0.001);
    }
}

static void sets_that_grew_20_times_keep_the_promise(void **state)
{
    (void)state;
    test_leave_to_real_machines();
    check_promise(SEENSET_LAYOUT_BLOCKED, 20, 4, 0.05);
    check_promise(SEENSET_LAYOUT_BLOOM, 20, 4, 0.05);
}

/* ---- keys at the edge of a table ---- */

/* A table that is full, and its keys once more: all seen, none added. */
static void full_tables_know_their_keys(void **state)
{
    enum {
        CAPACITY = 500
    };
    (void)state;
    for (int policy = SEENSET_ON_FULL_GROW; policy <= SEENSET_ON_FULL_ROTATE;
         policy++) {
        seenset *set = test_make((seenset_options){
            .on_full = (seenset_on_full)policy,
            .capacity_items = CAPACITY,
            .window_generations = policy == SEENSET_ON_FULL_ROTATE ? 2 : 0,
            .fp_rate = 1e-9});
        for (int i = 0; i < CAPACITY; i++)
            assert_int_equal(seenset_add(set, &i, sizeof i), 1);
        for (int i = 0; i < CAPACITY; i++)
            assert_int_equal(seenset_add(set, &i, sizeof i), 0);
        assert_int_equal(test_stats_of(set).table_count, 1);
        assert_int_equal(test_stats_of(set).added_items, CAPACITY);
        assert_int_equal(seenset_add(set, "new", 3), 1);
        assert_int_equal(test_stats_of(set).table_count, 2);
        seenset_free(set);
    }
}

/* Batches of all sizes, with repeats in them, over many growths. */
static void check_batches(seenset_options options, uint64_t universe)
{
    enum {
        MOST = 3000
    };
    static uint64_t hashes[MOST];
    static uint8_t answers[MOST];
    test_random random = {options.capacity_items};
    seenset *one = test_make(options), *other = test_make(options);
    for (size_t count = 1; count <= MOST; count += 1 + count / 3) {
        for (int round = 0; round < 4; round++) {
            for (size_t i = 0; i < count; i++)
                hashes[i] = test_mix(test_random_below(&random, universe));
            assert_int_equal(seenset_add_hash_many(one, hashes, count, answers),
                             0);
            for (size_t i = 0; i < count; i++)
                assert_int_equal(seenset_add_hash(other, hashes[i]),
                                 answers[i]);
            assert_int_equal(seenset_has_hash_many(one, hashes, count, answers),
                             0);
            for (size_t i = 0; i < count; i++)
                assert_int_equal(seenset_has_hash(other, hashes[i]),
                                 answers[i]);
            assert_true(test_are_equal(one, other));
        }
    }
    assert_true(test_stats_of(one).table_count >= 2);
    seenset_add_hash(other, 12345); /* planted: one key shows */
    assert_false(test_are_equal(one, other));
    seenset_free(one);
    seenset_free(other);
}

static void batches_equal_singles(void **state)
{
    (void)state;
    for (seenset_layout layout = SEENSET_LAYOUT_BLOCKED; layout != 0;
         layout = test_next_layout(layout)) {
        for (uint64_t capacity = 1; capacity <= 1000; capacity *= 10) {
            seenset_options options = {.layout = layout,
                                       .capacity_items = capacity};
            check_batches(options, 20000);
            options.on_full = SEENSET_ON_FULL_ROTATE;
            options.capacity_items = 4 * capacity;
            check_batches(options, 20000);
            check_batches(options, 6 * capacity + 4);
        }
    }
}

/* Answers that nobody wants change nothing else. */
static void batches_need_no_answers(void **state)
{
    enum {
        KEYS = 20000
    };
    static uint64_t hashes[KEYS];
    static uint8_t answers[KEYS];
    seenset *one = test_make((seenset_options){.capacity_items = 100});
    seenset *other = test_make((seenset_options){.capacity_items = 100});
    (void)state;
    for (uint64_t i = 0; i < KEYS; i++)
        hashes[i] = test_mix(i);
    assert_int_equal(seenset_add_hash_many(one, hashes, KEYS, NULL), 0);
    assert_int_equal(seenset_add_hash_parallel(other, hashes, KEYS, 2), 0);
    assert_true(test_are_equal(one, other));
    assert_int_equal(seenset_has_hash_many(one, hashes, KEYS, answers), 0);
    for (int i = 0; i < KEYS; i++)
        assert_int_equal(answers[i], 1);
    seenset_free(one);
    seenset_free(other);
}

/* ---- no room ---- */

/* Each allocation of a growth fails once: the key is not there, all else is,
 * and afterwards it goes on. */
static void growth_survives_every_failed_allocation(void **state)
{
    test_memory memory;
    size_t failures = 0;
    (void)state;
    test_memory_init(&memory);
    seenset *set = test_make((seenset_options){
        .capacity_items = 10, .fp_rate = 1e-6, .allocator = &memory.allocator});
    for (uint64_t i = 0; i < 3000; i++) {
        memory.calls = 0;
        for (memory.fail_at = 1;; memory.fail_at++) {
            seenset_stats before = test_stats_of(set);
            size_t blocks = memory.live_blocks;
            memory.calls = 0;
            int answer = seenset_add_hash(set, test_mix(i));
            if (answer >= 0)
                break;
            uint64_t hash = test_mix(i);
            uint8_t is_new = 7;
            failures++;
            assert_int_equal(answer, SEENSET_ENOMEM);
            memory.most_bytes = 0;
            assert_int_equal(seenset_add_hash_many(set, &hash, 1, &is_new),
                             SEENSET_ENOMEM);
            memory.most_bytes = SIZE_MAX;
            assert_int_equal(is_new, SEENSET_ANSWER_REFUSED);
            assert_int_equal(seenset_has_hash(set, hash), 0);
            assert_int_equal(seenset_add_hash(set, test_mix(i / 2)), 0);
            seenset_stats after = test_stats_of(set);
            assert_int_equal(after.set_bits, before.set_bits);
            assert_int_equal(after.added_items, before.added_items);
            assert_int_equal(after.table_count, before.table_count);
            /* it may keep what it got before the one that failed */
            assert_in_range(memory.live_blocks, blocks, blocks + 4);
        }
    }
    assert_true(failures >= 8);
    for (uint64_t i = 0; i < 3000; i++)
        assert_int_equal(seenset_has_hash(set, test_mix(i)), 1);
    seenset_free(set);
    assert_int_equal(memory.live_blocks, 0);
    assert_int_equal(memory.live_bytes, 0);
}

/* Tables of 64-bit hashes cannot keep any rate for ever. */
static void growth_ends_where_the_promise_would(void **state)
{
    seenset *set =
        test_make((seenset_options){.capacity_items = 1000, .fp_rate = 1e-15});
    uint64_t i = 0;
    int answer;
    (void)state;
    while ((answer = seenset_add_hash(set, test_mix(i))) == 1)
        i++;
    assert_int_equal(answer, SEENSET_ERATE);
    assert_in_range(i, 1000, 1000000);
    assert_true(test_formula_of(set) <= 1e-15);
    for (uint64_t j = 0; j < i; j++)
        assert_int_equal(seenset_add_hash(set, test_mix(j)), 0);
    assert_int_equal(seenset_has_hash(set, test_mix(i)), 0);
    seenset_free(set);
}

/* ---- on disk, and what it tells ---- */

static void grown_sets_come_back(void **state)
{
    test_folder folder;
    char path[TEST_PATH_BYTES];
    (void)state;
    test_folder_make(&folder);
    test_path(path, &folder, "grown");
    for (seenset_layout layout = SEENSET_LAYOUT_BLOCKED; layout != 0;
         layout = test_next_layout(layout)) {
        seenset *set = test_make(
            (seenset_options){.layout = layout, .capacity_items = 50});
        seenset *copy = NULL, *view = NULL;
        (void)test_add_stream(set, 0, 20000);
        assert_int_equal(seenset_save(set, path), SEENSET_OK);
        assert_int_equal(seenset_verify(path, NULL), SEENSET_OK);
        assert_int_equal(
            seenset_open(&copy, path,
                         &(seenset_open_options){.flags = SEENSET_OPEN_COPY}),
            0);
        assert_int_equal(seenset_open(&view, path, NULL), 0);
        assert_true(test_are_equal(set, copy) && test_are_equal(set, view));
        assert_int_equal(test_count_stream(view, 0, 20000), 20000);
        assert_int_equal(seenset_add(view, "x", 1), SEENSET_EREADONLY);
        assert_int_equal(test_stats_of(view).table_count, 2);
        /* both go on growing alike */
        (void)test_add_stream(set, 20000, 60000);
        (void)test_add_stream(copy, 20000, 60000);
        assert_true(test_are_equal(set, copy));
        assert_int_equal(test_stats_of(copy).table_count, 2);
        seenset_free(view);
        seenset_free(copy);
        seenset_free(set);
    }
    test_folder_remove(&folder);
}

static void statistics_add_up(void **state)
{
    seenset *set = test_make((seenset_options){.capacity_items = 1000});
    (void)state;
    uint64_t news = test_add_stream(set, 0, 6500);
    seenset_stats stats = test_stats_of(set);
    assert_int_equal(stats.on_full, SEENSET_ON_FULL_GROW);
    assert_int_equal(stats.table_count, 2);
    assert_true(stats.capacity_items >= news &&
                stats.capacity_items < 2 * news);
    assert_int_equal(stats.added_items, news);
    assert_true(test_is_near(stats.estimated_items, (double)news, 0.05));
    uint64_t size_bits = 0, set_bits = 0;
    for (uint32_t i = 0; i < 2; i++) {
        seenset_table_info table = test_table_of(set, i);
        uint64_t count = 0;
        assert_int_equal(
            seenset_count_cells(set, i, 0, table.cell_count, &count), 0);
        size_bits += table.size_bits;
        set_bits += count;
    }
    assert_int_equal(stats.size_bits, size_bits);
    assert_true(stats.set_bits > set_bits); /* the second has no cells */
    assert_true(stats.memory_bytes >= size_bits / 8 &&
                stats.memory_bytes < size_bits / 8 + 4096);
    seenset_free(set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grown_sets_keep_the_promise),
        cmocka_unit_test(sets_that_grew_20_times_keep_the_promise),
        cmocka_unit_test(full_tables_know_their_keys),
        cmocka_unit_test(batches_equal_singles),
        cmocka_unit_test(batches_need_no_answers),
        cmocka_unit_test(growth_survives_every_failed_allocation),
        cmocka_unit_test(growth_ends_where_the_promise_would),
        cmocka_unit_test(grown_sets_come_back),
        cmocka_unit_test(statistics_add_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
