/*
 * small_sets.c - what thousands of small sets take: few bytes beside their
 * tables, two blocks each, and what a set of the same options was that had to
 * be planned first. Bytes are counted by an allocator, so nothing here is a
 * matter of time.
 */
#include <stdlib.h>
#include <string.h>

#include "support.h"

enum {
    SETS = 10000,
    MOST_BESIDE = 512
};

static uint64_t tables_bytes(const seenset *set)
{
    uint64_t bytes = 0;
    seenset_info info = {0};
    seenset_get_info(set, &info, sizeof info);
    for (uint32_t i = 0; i < info.table_count; i++)
        bytes += test_table_of(set, i).memory_bytes;
    return bytes;
}

/* Bytes of a set beside its table, by the allocator and by its own figure. */
static uint64_t beside(const test_memory *memory, const seenset *set)
{
    assert_true(memory->live_bytes == test_stats_of(set).memory_bytes);
    return memory->live_bytes - tables_bytes(set);
}

static void small_sets_take_512_bytes_beside_their_tables(void **state)
{
    test_memory memory;
    seenset **sets = calloc(SETS, sizeof(seenset *));
    seenset_options options = {.capacity_items = 1000,
                               .allocator = &memory.allocator};
    uint64_t tables = 0;
    (void)state;
    test_memory_init(&memory);
    memory.is_bare = true;
    for (size_t i = 0; i < SETS; i++) {
        assert_int_equal(seenset_new(&sets[i], &options), SEENSET_OK);
        tables += tables_bytes(sets[i]);
    }
    assert_true(memory.live_bytes - tables <= (size_t)SETS * MOST_BESIDE);
    assert_int_equal(memory.live_blocks, 2 * SETS);
    assert_int_equal(memory.calls, 2 * SETS);
    for (size_t i = 0; i < SETS; i++)
        seenset_free(sets[i]);
    assert_int_equal(memory.live_bytes, 0);
    free(sets);
}

/* Of each policy, and however it came to be. */
static void small_sets_of_any_kind_take_no_more(void **state)
{
    const seenset_options kinds[] = {
        {.capacity_items = 1},
        {.capacity_items = 1000, .layout = SEENSET_LAYOUT_BLOOM},
        {.capacity_items = 1000, .layout = SEENSET_LAYOUT_SPLIT_BLOCK},
        {.capacity_items = 1000, .layout = SEENSET_LAYOUT_COUNTING},
        {.capacity_items = 1000, .on_full = SEENSET_ON_FULL_REFUSE},
        {.capacity_items = 1000, .on_full = SEENSET_ON_FULL_ROTATE},
        {.capacity_items = 1000, .flags = SEENSET_FLAG_SHARED}};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(kinds); i++) {
        test_memory memory;
        seenset_options options = kinds[i];
        seenset_open_options how = {.flags = SEENSET_OPEN_COPY,
                                    .allocator = &memory.allocator};
        seenset *set, *copy, *opened;
        size_t size_bytes;
        test_memory_init(&memory);
        options.allocator = &memory.allocator;
        set = test_make(options);
        assert_true(beside(&memory, set) <= MOST_BESIDE);
        assert_int_equal(seenset_copy(&copy, set), SEENSET_OK);
        uint8_t *bytes = test_bytes_of(set, &size_bytes);
        seenset_free(set);
        assert_true(beside(&memory, copy) <= MOST_BESIDE);
        seenset_free(copy);
        assert_int_equal(seenset_open_bytes(&opened, bytes, size_bytes, &how),
                         SEENSET_OK);
        assert_true(beside(&memory, opened) <= MOST_BESIDE);
        seenset_free(opened);
        assert_int_equal(memory.live_blocks, 0);
        free(bytes);
    }
}

/* Tables that come later have room apart from the set. */
static void sets_that_grow_return_all_they_took(void **state)
{
    test_memory memory;
    (void)state;
    test_memory_init(&memory);
    seenset *set = test_make((seenset_options){.capacity_items = 10,
                                               .allocator = &memory.allocator});
    for (uint64_t i = 0; i < 5000; i += 100) {
        test_add_stream(set, i, i + 100);
        (void)beside(&memory, set);
    }
    assert_true(test_has_stream(set, 0, 5000));
    seenset_free(set);
    assert_int_equal(memory.live_blocks, 0);
}

/* ---- equal options, equal sets ---- */

static seenset_options nth_options(size_t i)
{
    static const double rates[] = {0.0, 0.5, 0.01, 1e-4, 1e-6};
    static const seenset_on_full policies[] = {
        SEENSET_ON_FULL_DEFAULT, SEENSET_ON_FULL_DEGRADE,
        SEENSET_ON_FULL_REFUSE, SEENSET_ON_FULL_ROTATE};
    seenset_options options = {
        .capacity_items = 1 + i * i * i % 5000,
        .fp_rate = rates[i % TEST_COUNT(rates)],
        .on_full = policies[i / 5 % TEST_COUNT(policies)],
        .layout = i % 3 == 0 ? SEENSET_LAYOUT_BLOOM : SEENSET_LAYOUT_DEFAULT};
    if (options.on_full == SEENSET_ON_FULL_ROTATE)
        options.window_generations = 2 + (uint32_t)(i % 4);
    return options;
}

/*
 * Whatever was made in between: a set is the same, bit by bit, whether its plan
 * was remembered or not. The first pass plans, as no two options are equal; in
 * the second every set is made twice.
 */
static void sets_of_equal_options_are_equal(void **state)
{
    enum {
        KINDS = 120
    };
    static seenset *first[KINDS];
    (void)state;
    for (size_t i = 0; i < KINDS; i++)
        first[i] = test_make(nth_options(i));
    for (size_t i = 0; i < KINDS; i++) {
        seenset *planned = test_make(nth_options(i));
        seenset *remembered = test_make(nth_options(i));
        assert_true(test_are_equal(planned, first[i]));
        assert_true(test_are_equal(remembered, first[i]));
        if (i > 0) /* planted: one of other options is another */
            assert_false(test_are_equal(remembered, first[i - 1]));
        seenset_free(planned);
        seenset_free(remembered);
    }
    for (size_t i = 0; i < KINDS; i++)
        seenset_free(first[i]);
}

/* Options that no plan fits are refused each time they are given. */
static void errors_are_returned_each_time(void **state)
{
    seenset *set = NULL;
    seenset_options options = {.capacity_items = SEENSET_MAX_SIZE_BITS,
                               .fp_rate = 1e-6};
    (void)state;
    for (int i = 0; i < 3; i++)
        assert_true(seenset_new(&set, &options) < 0);
    assert_null(set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_sets_take_512_bytes_beside_their_tables),
        cmocka_unit_test(small_sets_of_any_kind_take_no_more),
        cmocka_unit_test(sets_that_grow_return_all_they_took),
        cmocka_unit_test(sets_of_equal_options_are_equal),
        cmocka_unit_test(errors_are_returned_each_time)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
