/*
 * expected.c - a set that grows and is told how many keys are expected has a
 * table of its own for them, and keeps every promise it would keep without.
 */
#include <stdlib.h>

#include "support.h"

enum {
    FIRST = 1000,
    ALL = 200000,
    QUESTIONS = 1000000
};

static const double rate = 0.01;

static seenset *make_of_rate(double fp_rate, uint64_t items)
{
    seenset *set = test_make(
        (seenset_options){.capacity_items = FIRST, .fp_rate = fp_rate});
    assert_int_equal(seenset_expect(set, items), SEENSET_OK);
    return set;
}

static seenset *make_told(seenset_layout layout, uint64_t items)
{
    seenset *set = test_make((seenset_options){
        .layout = layout, .capacity_items = FIRST, .fp_rate = rate});
    assert_int_equal(seenset_expect(set, items), SEENSET_OK);
    return set;
}

static void check_promise(const seenset *set, uint64_t keys)
{
    assert_int_equal(test_count_stream(set, 0, keys), keys);
    uint64_t hits = test_count_stream(set, keys, keys + QUESTIONS);
    seenset_stats stats = test_stats_of(set);
    assert_true(stats.current_fp_rate <= rate);
    assert_true(test_is_binomial(hits, QUESTIONS, stats.current_fp_rate));
    assert_false(
        test_is_binomial(hits, QUESTIONS, stats.current_fp_rate * 1.3));
}

/* Two tables up to what was expected, and one that grows in place beyond. */
static void expected_keys_have_a_table_of_their_own(void **state)
{
    (void)state;
    for (seenset_layout layout = SEENSET_LAYOUT_BLOCKED; layout != 0;
         layout = test_next_layout(layout)) {
        seenset *set = make_told(layout, ALL);
        assert_int_equal(test_stats_of(set).table_count, 1);
        (void)test_add_stream(set, 0, ALL);
        seenset_stats stats = test_stats_of(set);
        assert_int_equal(stats.table_count, 2);
        assert_int_equal(test_table_of(set, 1).capacity_items, ALL - FIRST);
        assert_true(test_table_of(set, 1).cell_count > 0);
        check_promise(set, ALL);
        (void)test_add_stream(set, ALL, 2 * ALL);
        assert_int_equal(test_stats_of(set).table_count, 3);
        assert_int_equal(test_table_of(set, 2).cell_count, 0);
        check_promise(set, 2 * ALL);
        seenset_free(set);
    }
}

/* Told nothing, too little, or again that nothing is known: it grows in place
 * at once. Told late, or again, the last number counts. */
static void only_what_is_still_expected_counts(void **state)
{
    static const uint64_t little[] = {0, 1, FIRST};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(little); i++) {
        seenset *set = make_told(SEENSET_LAYOUT_BLOCKED, ALL);
        assert_int_equal(seenset_expect(set, little[i]), SEENSET_OK);
        (void)test_add_stream(set, 0, 2 * FIRST);
        assert_int_equal(test_stats_of(set).table_count, 2);
        assert_int_equal(test_table_of(set, 1).cell_count, 0);
        seenset_free(set);
    }
    seenset *set = make_told(SEENSET_LAYOUT_BLOCKED, 2 * FIRST);
    (void)test_add_stream(set, 0, FIRST + 1);
    assert_int_equal(seenset_expect(set, ALL), SEENSET_OK);
    (void)test_add_stream(set, FIRST + 1, ALL);
    assert_int_equal(test_stats_of(set).table_count, 3);
    assert_int_equal(test_table_of(set, 1).capacity_items, FIRST);
    assert_int_equal(test_table_of(set, 2).capacity_items, ALL - 2 * FIRST);
    check_promise(set, ALL);
    /* in place already: it stays so */
    (void)test_add_stream(set, ALL, ALL + 5 * FIRST);
    assert_int_equal(seenset_expect(set, 10 * ALL), SEENSET_OK);
    (void)test_add_stream(set, ALL + 5 * FIRST, 2 * ALL);
    assert_int_equal(test_stats_of(set).table_count, 4);
    seenset_free(set);
}

/* Hashes, integers and keys; in all tables there are, up to three. */
static void check_batches(double fp_rate)
{
    enum {
        BATCH = 777
    };
    static uint64_t hashes[BATCH];
    static seenset_key keys[BATCH];
    uint8_t bytes[8];
    static uint8_t answers[BATCH];
    test_random random = {1};
    seenset *one = make_of_rate(fp_rate, 20000);
    seenset *other = make_of_rate(fp_rate, 20000);
    for (int round = 0; round < 60; round++) {
        for (size_t i = 0; i < BATCH; i++)
            hashes[i] = test_mix(test_random_below(&random, 40000));
        assert_int_equal(seenset_add_hash_many(one, hashes, BATCH, answers), 0);
        for (size_t i = 0; i < BATCH; i++)
            assert_int_equal(seenset_add_hash(other, hashes[i]), answers[i]);
        assert_int_equal(seenset_has_hash_many(one, hashes, BATCH, answers), 0);
        for (size_t i = 0; i < BATCH; i++)
            assert_int_equal(answers[i], 1);
        assert_int_equal(seenset_add_u64_many(one, hashes, BATCH, answers), 0);
        for (size_t i = 0; i < BATCH; i++) {
            test_store(bytes, sizeof bytes, hashes[i]);
            assert_int_equal(seenset_add(other, bytes, sizeof bytes),
                             answers[i]);
        }
        for (size_t i = 0; i < BATCH; i++)
            keys[i] = (seenset_key){&hashes[i], i % 9};
        assert_int_equal(seenset_has_many(one, keys, BATCH, answers), 0);
        for (size_t i = 0; i < BATCH; i++)
            assert_int_equal(seenset_has(other, keys[i].data, keys[i].len),
                             answers[i]);
    }
    assert_int_equal(test_stats_of(one).table_count, 3);
    assert_true(test_are_equal(one, other));
    seenset_free(one);
    seenset_free(other);
}

static void batches_equal_singles(void **state)
{
    (void)state;
    check_batches(rate);
    check_batches(1e-6);
}

/* A table that cannot be allocated is done without, and no key is lost. */
static void without_memory_it_grows_in_place(void **state)
{
    test_memory memory;
    (void)state;
    test_memory_init(&memory);
    seenset *set = test_make((seenset_options){.capacity_items = FIRST,
                                               .allocator = &memory.allocator});
    assert_int_equal(seenset_expect(set, UINT64_C(1) << 40), SEENSET_OK);
    memory.most_bytes = 1 << 20;
    for (uint64_t i = 0; i < 3 * FIRST; i++)
        assert_true(seenset_add_hash(set, test_mix(i)) >= 0);
    for (uint64_t i = 0; i < 3 * FIRST; i++)
        assert_int_equal(seenset_has_hash(set, test_mix(i)), 1);
    assert_int_equal(test_stats_of(set).table_count, 2);
    assert_int_equal(test_table_of(set, 1).cell_count, 0);
    seenset_free(set);
    assert_int_equal(memory.live_blocks, 0);
}

/* In a file that is appended to, the table comes when it is due; a copy expects
 * what its set does, and a file's set nothing. */
static void files_and_copies(void **state)
{
    test_folder folder;
    char path[TEST_PATH_BYTES];
    const seenset_open_options to_append = {.flags = SEENSET_OPEN_APPEND};
    (void)state;
    test_folder_make(&folder);
    test_path(path, &folder, "set");
    seenset *set = make_told(SEENSET_LAYOUT_BLOCKED, ALL), *copy, *opened;
    (void)test_add_stream(set, 0, FIRST / 2);
    assert_int_equal(seenset_save(set, path), SEENSET_OK);
    assert_int_equal(seenset_copy(&copy, set), SEENSET_OK);
    (void)test_add_stream(copy, FIRST / 2, ALL);
    (void)test_add_stream(set, FIRST / 2, ALL);
    assert_true(test_are_equal(set, copy));
    for (int is_told = 0; is_told < 2; is_told++) {
        assert_int_equal(seenset_open(&opened, path, &to_append), SEENSET_OK);
        if (is_told)
            assert_int_equal(seenset_expect(opened, ALL), SEENSET_OK);
        (void)test_add_stream(opened, FIRST / 2, ALL);
        assert_true(test_are_equal(set, opened) == (bool)is_told);
        if (is_told)
            assert_int_equal(seenset_append(opened, path), SEENSET_OK);
        seenset_free(opened);
    }
    assert_int_equal(seenset_verify(path, NULL), SEENSET_OK);
    assert_int_equal(seenset_open(&opened, path, NULL), SEENSET_OK);
    assert_true(test_are_equal(set, opened));
    check_promise(opened, ALL);
    seenset_free(opened);
    seenset_free(copy);
    seenset_free(set);
    test_folder_remove(&folder);
}

static void mistakes_are_told(void **state)
{
    size_t size_bytes;
    seenset *view;
    seenset *fixed =
        test_make((seenset_options){.on_full = SEENSET_ON_FULL_DEGRADE});
    seenset *set = make_told(SEENSET_LAYOUT_BLOCKED, SEENSET_MAX_SIZE_BITS);
    uint8_t *bytes = test_bytes_of(set, &size_bytes);
    (void)state;
    assert_int_equal(seenset_expect(set, SEENSET_MAX_SIZE_BITS + 1),
                     SEENSET_EINVAL);
    assert_int_equal(seenset_expect(fixed, 1), SEENSET_EUNSUPPORTED);
    assert_int_equal(seenset_open_bytes(&view, bytes, size_bytes, NULL), 0);
    assert_int_equal(seenset_expect(view, 1), SEENSET_EREADONLY);
    seenset_free(view);
    free(bytes);
    seenset_free(set);
    seenset_free(fixed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(expected_keys_have_a_table_of_their_own),
        cmocka_unit_test(only_what_is_still_expected_counts),
        cmocka_unit_test(batches_equal_singles),
        cmocka_unit_test(without_memory_it_grows_in_place),
        cmocka_unit_test(files_and_copies),
        cmocka_unit_test(mistakes_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
