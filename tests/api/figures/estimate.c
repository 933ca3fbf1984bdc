/* estimate.c - the figures of a set at once; tests/model/estimates.c holds them
 * against the audit after any history */
#include <stdlib.h>

#include "support.h"

static seenset_estimate estimate_of(const seenset *set)
{
    seenset_estimate estimate;
    assert_int_equal(seenset_get_estimate(set, &estimate, sizeof estimate),
                     SEENSET_OK);
    return estimate;
}

static void check_is_audit(const seenset *set)
{
    seenset_estimate estimate = estimate_of(set);
    seenset_stats audit = test_stats_of(set);
    assert_int_equal(estimate.is_counted, 1);
    assert_int_equal(estimate.capacity_items, audit.capacity_items);
    assert_int_equal(estimate.added_items, audit.added_items);
    assert_int_equal(estimate.size_bits, audit.size_bits);
    assert_int_equal(estimate.set_bits, audit.set_bits);
    assert_true(estimate.fill == audit.fill);
    assert_true(estimate.fp_rate == audit.fp_rate);
    assert_true(estimate.current_fp_rate == audit.current_fp_rate);
    assert_true(estimate.fp_rate_error == 0.0);
    assert_true(estimate.estimated_items == audit.estimated_items);
    assert_true(estimate.wrong_items == audit.wrong_items);
}

static void estimate_of_a_small_set_is_the_audit(void **state)
{
    seenset_open_options options = {.flags = SEENSET_OPEN_VIEW};
    (void)state;
    for (size_t i = 0; i < TEST_GOLDEN_COUNT; i++) {
        seenset *set = test_golden_make(&test_goldens[i]), *view;
        size_t size_bytes;
        uint8_t *bytes = test_bytes_of(set, &size_bytes);
        check_is_audit(set);
        options.secret = test_goldens[i].options.secret;
        options.index_function = test_goldens[i].options.index_function;
        options.index_context = test_goldens[i].options.index_context;
        assert_int_equal(seenset_open_bytes(&view, bytes, size_bytes, &options),
                         SEENSET_OK);
        check_is_audit(view);
        seenset_free(view);
        seenset_free(set);
        free(bytes);
    }
}

/* ---- over 4 MiB ---- */

enum {
    LARGE_BITS = 6 << 23
};

static void add_hashes(seenset *set, uint64_t first, uint64_t end)
{
    uint64_t hashes[512];
    for (; first < end; first += TEST_COUNT(hashes)) {
        for (size_t i = 0; i < TEST_COUNT(hashes); i++)
            hashes[i] = test_mix(first + i);
        assert_int_equal(
            seenset_add_hash_many(set, hashes, TEST_COUNT(hashes), NULL),
            SEENSET_OK);
    }
}

/* 4 MiB of bits are counted, and a byte more is not. */
static void sets_of_4_mib_are_counted(void **state)
{
    const uint64_t most = UINT64_C(4) << 23;
    (void)state;
    for (uint64_t over = 0; over <= 8; over += 8) {
        const seenset_options options = {.layout = SEENSET_LAYOUT_BLOOM,
                                         .size_bits = most + over,
                                         .hash_count = 1};
        seenset *set;
        assert_int_equal(seenset_new(&set, &options), SEENSET_OK);
        assert_int_equal(estimate_of(set).is_counted, over == 0);
        seenset_free(set);
    }
}

static void check_is_near_audit(const seenset *set, double most)
{
    seenset_estimate estimate = estimate_of(set);
    seenset_stats audit = test_stats_of(set);
    assert_int_equal(estimate.is_counted, 0);
    assert_int_equal(estimate.added_items, audit.added_items);
    assert_true(
        test_is_near((double)estimate.set_bits, (double)audit.set_bits, 0.01));
    assert_true(test_is_near(estimate.fill, audit.fill, 0.01));
    assert_true(
        test_is_near(estimate.estimated_items, audit.estimated_items, 0.01));
    assert_true(test_is_near(estimate.wrong_items, audit.wrong_items, 0.01));
    assert_true(
        test_is_near(estimate.current_fp_rate, audit.current_fp_rate, most));
    assert_true(estimate.fp_rate_error > 0.0);
    assert_true(6 * estimate.fp_rate_error <= most);
}

static void estimate_of_a_large_set_is_near_the_audit(void **state)
{
    static const seenset_options kinds[] = {
        {.layout = SEENSET_LAYOUT_BLOCKED, .hash_count = 8},
        {.flags = SEENSET_FLAG_SHARED, .fp_rate = 0.005},
        {.layout = SEENSET_LAYOUT_BLOOM, .hash_count = 16},
        {.layout = SEENSET_LAYOUT_COUNTING, .hash_count = 16},
        {.layout = SEENSET_LAYOUT_SPLIT_BLOCK, .fp_rate = 0.005},
    };
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(kinds); i += TEST_STEP) {
        seenset_options options = kinds[i];
        options.size_bits = LARGE_BITS;
        seenset *set = test_make(options);
        uint64_t keys = test_table_of(set, 0).capacity_items;
        add_hashes(set, 0, keys);
        check_is_near_audit(set, 0.01);
        seenset_free(set);
    }
}

/* The keys that were added tell nothing of what an intersection has left; the
 * part of the bits that is read does. */
static void estimate_of_an_intersection_is_near_the_audit(void **state)
{
    const seenset_options options = {.layout = SEENSET_LAYOUT_BLOCKED,
                                     .size_bits = LARGE_BITS,
                                     .hash_count = 8};
    seenset *a = test_make(options), *b = test_make(options);
    (void)state;
    add_hashes(a, 0, LARGE_BITS / 12);
    add_hashes(b, LARGE_BITS / 20, LARGE_BITS / 10);
    assert_int_equal(seenset_intersect(a, b), SEENSET_OK);
    check_is_near_audit(a, 0.05);
    seenset_free(a);
    seenset_free(b);
}

/* 10 bits a key are a rate of 1 %. From there on more is read of a table: this
 * one is larger than that. */
enum {
    MERGED_BITS = 18 << 23,
    MERGED_KEYS = MERGED_BITS / 10
};

static seenset *make_merged(seenset_layout layout)
{
    const seenset_options options = {.layout = layout,
                                     .on_full = SEENSET_ON_FULL_DEGRADE,
                                     .size_bits = MERGED_BITS,
                                     .hash_count = 8};
    seenset *into = test_make(options), *from = test_make(options);
    add_hashes(into, 0, MERGED_KEYS / 2);
    add_hashes(from, MERGED_KEYS / 4, MERGED_KEYS);
    assert_int_equal(seenset_merge(into, from), SEENSET_OK);
    seenset_free(from);
    return into;
}

/* Also near by what the estimate itself reports. */
static void check_error(const seenset *set)
{
    seenset_estimate estimate = estimate_of(set);
    check_is_near_audit(set, 0.01);
    assert_true(test_is_near(estimate.current_fp_rate,
                             test_stats_of(set).current_fp_rate,
                             6 * estimate.fp_rate_error));
}

static void check_opened(const seenset *set, uint32_t flags)
{
    const seenset_open_options options = {.flags = flags};
    size_t size_bytes;
    uint8_t *bytes = test_bytes_of(set, &size_bytes);
    seenset *opened;
    assert_int_equal(seenset_open_bytes(&opened, bytes, size_bytes, &options),
                     SEENSET_OK);
    check_error(opened);
    seenset_free(opened);
    free(bytes);
}

/* After a merge added_items is a number of distinct keys, and no longer one of
 * adds that were answered "new". At a rate of 1 % these differ in the rate by
 * about 1 % of it, and later by more. */
static void estimate_after_a_merge_is_near_the_audit(void **state)
{
    static const seenset_layout layouts[] = {SEENSET_LAYOUT_BLOCKED,
                                             SEENSET_LAYOUT_BLOOM};
    (void)state;
    test_leave_to_real_machines();
    for (size_t i = 0; i < TEST_COUNT(layouts); i++) {
        seenset *set = make_merged(layouts[i]);
        check_error(set);
        check_opened(set, SEENSET_OPEN_COPY);
        check_opened(set, SEENSET_OPEN_VIEW);
        for (uint64_t more = 1; more <= 4; more++) {
            add_hashes(set, MERGED_KEYS, MERGED_KEYS + MERGED_KEYS / 8 * more);
            check_error(set);
        }
        seenset_free(set);
    }
}

/* A table that grows is counted while it is small. */
static void estimate_is_of_all_tables(void **state)
{
    seenset *set = test_make((seenset_options){.capacity_items = 1000000});
    seenset_estimate before, after;
    (void)state;
    test_leave_to_real_machines();
    add_hashes(set, 0, 900000);
    before = estimate_of(set);
    check_is_audit(set);
    add_hashes(set, 900000, 8000000);
    after = estimate_of(set);
    assert_int_equal(after.is_counted, 1);
    assert_true(after.size_bits > 5 * before.size_bits);
    assert_true(after.set_bits > 5 * before.set_bits);
    check_is_audit(set);
    seenset_free(set);
}

/* Where the first table is too large to be counted it is modelled, and what the
 * other one says is added to that. */
static void estimate_of_a_grown_set_is_modelled(void **state)
{
    seenset *set = test_make((seenset_options){.capacity_items = 5000000});
    (void)state;
    test_leave_to_real_machines();
    add_hashes(set, 0, 5500000);
    assert_int_equal(test_stats_of(set).table_count, 2);
    check_is_near_audit(set, 0.01);
    add_hashes(set, 5500000, 9000000);
    check_is_near_audit(set, 0.01);
    seenset_estimate after = estimate_of(set);
    assert_true(after.size_bits > test_table_of(set, 0).size_bits * 2);
    seenset_free(set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(estimate_of_a_small_set_is_the_audit),
        cmocka_unit_test(sets_of_4_mib_are_counted),
        cmocka_unit_test(estimate_of_a_large_set_is_near_the_audit),
        cmocka_unit_test(estimate_of_an_intersection_is_near_the_audit),
        cmocka_unit_test(estimate_after_a_merge_is_near_the_audit),
        cmocka_unit_test(estimate_is_of_all_tables),
        cmocka_unit_test(estimate_of_a_grown_set_is_modelled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
