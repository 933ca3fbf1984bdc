/*
 * union.c - a set takes in another of one table: it then has the keys of both,
 * bit for bit as if they had been added, and refuses a set of another shape.
 * merge.c is about sets of several tables.
 */
#include <stdlib.h>

#include "support.h"

static void add_range(seenset *set, uint64_t first, uint64_t end)
{
    for (uint64_t i = first; i < end; i++)
        assert_true(seenset_add(set, &i, 8) >= 0);
}

static void set_merge_is_the_union(void **state)
{
    (void)state;
    for (seenset_layout layout = SEENSET_LAYOUT_BLOCKED; layout != 0;
         layout = test_next_layout(layout)) {
        seenset_options options = {.layout = layout,
                                   .on_full = SEENSET_ON_FULL_DEGRADE,
                                   .capacity_items = 10000};
        seenset *a = test_make(options), *b = test_make(options),
                *both = test_make(options);
        size_t a_bytes, both_bytes;
        add_range(a, 0, 6000);
        add_range(b, 4000, 10000);
        add_range(both, 0, 10000);
        assert_int_equal(seenset_merge(a, b), SEENSET_OK);
        uint8_t *one = test_bytes_of(a, &a_bytes);
        uint8_t *other = test_bytes_of(both, &both_bytes);
        assert_int_equal(a_bytes, both_bytes);
        assert_memory_equal(one + 192, other + 192, a_bytes - 192);
        assert_true(
            test_is_near((double)test_stats_of(a).added_items, 10000, 0.02));
        assert_true(test_stats_of(b).added_items <= 6000);
        free(one);
        free(other);
        /* with itself: nothing changes */
        seenset_stats before = test_stats_of(a);
        assert_int_equal(seenset_merge(a, a), SEENSET_OK);
        assert_int_equal(test_stats_of(a).added_items, before.added_items);
        seenset_free(a);
        seenset_free(b);
        seenset_free(both);
    }
}

static void set_merge_with_an_empty_one_is_exact(void **state)
{
    seenset *a = test_make((seenset_options){0}),
            *b = test_make((seenset_options){0});
    (void)state;
    add_range(b, 0, 5000);
    uint64_t added = test_stats_of(b).added_items;
    assert_int_equal(seenset_merge(a, b), SEENSET_OK);
    assert_int_equal(test_stats_of(a).added_items, added);
    assert_int_equal(test_stats_of(a).set_bits, test_stats_of(b).set_bits);
    seenset_free(b);
    b = test_make((seenset_options){0});
    assert_int_equal(seenset_merge(a, b), SEENSET_OK);
    assert_int_equal(test_stats_of(a).added_items, added);
    seenset_free(a);
    seenset_free(b);
}

static void set_merge_refuses_what_differs(void **state)
{
    seenset *a =
        test_make((seenset_options){.on_full = SEENSET_ON_FULL_DEGRADE});
    const seenset_options others[] = {
        {.layout = SEENSET_LAYOUT_BLOOM},
        {.layout = SEENSET_LAYOUT_COUNTING},
        {0},
        {.on_full = SEENSET_ON_FULL_DEGRADE, .capacity_items = 1000001 + 1000},
        {.on_full = SEENSET_ON_FULL_DEGRADE, .fp_rate = 0.001},
        {.hash_count = 16,
         .size_bits = test_stats_of(a).size_bits,
         .capacity_items = 1000}};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(others); i++) {
        seenset *b = test_make(others[i]);
        assert_int_equal(seenset_merge(a, b), SEENSET_EMISMATCH);
        assert_int_equal(test_stats_of(a).set_bits, 0);
        seenset_free(b);
    }
    assert_int_equal(seenset_merge(a, NULL), SEENSET_EINVAL);
    assert_int_equal(seenset_merge(NULL, a), SEENSET_EINVAL);
    seenset_stats stats;
    assert_int_equal(seenset_get_stats(a, NULL, sizeof(seenset_stats)),
                     SEENSET_EINVAL);
    assert_int_equal(seenset_get_stats(NULL, &stats, sizeof stats),
                     SEENSET_EINVAL);
    seenset_free(a);
}

/* A full set takes a merge all the same, and then refuses. */
static void set_merge_fills_a_set_that_refuses(void **state)
{
    seenset_options options = {.capacity_items = 100,
                               .fp_rate = 1e-6,
                               .on_full = SEENSET_ON_FULL_REFUSE};
    seenset *a = test_make(options), *b = test_make(options);
    (void)state;
    add_range(a, 0, 100);
    add_range(b, 100, 200);
    assert_int_equal(seenset_merge(a, b), SEENSET_OK);
    for (uint64_t i = 0; i < 200; i++)
        assert_int_equal(seenset_has(a, &i, 8), 1);
    assert_int_equal(seenset_add(a, "other", 5), SEENSET_EFULL);
    assert_true(test_stats_of(a).added_items >= 150);
    seenset_free(a);
    seenset_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(set_merge_is_the_union),
        cmocka_unit_test(set_merge_with_an_empty_one_is_exact),
        cmocka_unit_test(set_merge_refuses_what_differs),
        cmocka_unit_test(set_merge_fills_a_set_that_refuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
