/*
 * growth_limits.c - sets that grow, where their numbers have to be set: rates and
 * capacities at their ends, and tables as older versions planned them.
 * tests/api/growth/grow.c has what can be seen from outside.
 */
#include <stdlib.h>

#include "file/header/header.h"
#include "halving.h"
#include "set/set.h"
#include "support.h"

/* Planted: a second table that has several times the rate breaks it. */
static void growth_without_a_share_is_caught(void **state)
{
    seenset *set = test_make((seenset_options){.capacity_items = 1000});
    (void)state;
    (void)test_add_stream(set, 0, 1000);
    set->fp_rate *= 8.0;
    (void)test_add_stream(set, 1000, 200000);
    set->fp_rate /= 8.0;
    assert_int_equal(test_stats_of(set).table_count, 2);
    uint64_t hits = test_count_stream(set, 100000000, 101000000);
    assert_false(hits <= 10000 || test_is_binomial(hits, 1000000, 0.01));
    seenset_free(set);
}

/* ---- the ends of numbers ---- */

/* After the largest first table that there can be, too. */
static void growth_goes_on_after_the_largest_table(void **state)
{
    seenset *set =
        test_make((seenset_options){.capacity_items = 1, .fp_rate = 0.5});
    (void)state;
    set->generations[0].capacity_items = SEENSET_MAX_SIZE_BITS;
    set->generations[0].added_items = SEENSET_MAX_SIZE_BITS;
    assert_int_equal(seenset_add_hash(set, test_mix(0)), 1);
    assert_int_equal(set->generation_count, 2);
    seenset_free(set);
}

/* A rate that halves to 0 would mean that none is asked for. */
static void growth_needs_a_rate(void **state)
{
    (void)state;
    seenset *set = test_make((seenset_options){.capacity_items = 10});
    test_add_numbers(set, 0, 10);
    set->fp_rate = 0x1p-1074;
    assert_int_equal(seenset_add(set, "new", 3), SEENSET_ERATE);
    assert_int_equal(set->generation_count, 1);
    seenset_free(set);
}

/* ---- of older versions ---- */

/* Sets whose tables were planned for p/2, p/4, ...: still of the kind that was
 * asked for, though that would be another first table now, and they go on. */
static void check_halving(seenset_options options)
{
    enum {
        KEYS = 3000
    };
    seenset *set = test_make_halving(options), *copy = NULL;
    size_t size_bytes;
    ss_header header;
    for (uint64_t i = 0; i < KEYS; i++) {
        test_grow_halving(set);
        assert_true(seenset_add_hash(set, test_mix(i)) >= 0);
    }
    ss_header_describe(&header, set);
    assert_true(ss_header_fits(&header, &options));
    uint8_t *bytes = test_bytes_of(set, &size_bytes);
    assert_int_equal(
        seenset_open_bytes(&copy, bytes, size_bytes,
                           &(seenset_open_options){.flags = SEENSET_OPEN_COPY}),
        0);
    (void)test_add_stream(copy, KEYS, 10 * KEYS);
    assert_int_equal(test_count_stream(copy, 0, 10 * KEYS), 10 * KEYS);
    /* their tables may have taken all of p, or more: in the mean they had not
     */
    assert_true(test_formula_of(copy) <= options.fp_rate);
    /* either way round with one whose first table is another */
    for (int i = 0; i < 2; i++) {
        seenset *other = test_make(options), *old = NULL;
        assert_int_equal(seenset_copy(&old, copy), SEENSET_OK);
        (void)test_add_stream(other, 20 * KEYS, 21 * KEYS);
        seenset *into = i == 0 ? old : other;
        assert_int_equal(seenset_merge(into, i == 0 ? other : old), SEENSET_OK);
        (void)test_add_stream(into, 21 * KEYS, 22 * KEYS);
        assert_int_equal(test_count_stream(into, 0, 10 * KEYS), 10 * KEYS);
        assert_int_equal(test_count_stream(into, 20 * KEYS, 22 * KEYS),
                         2 * KEYS);
        seenset_free(other);
        seenset_free(old);
    }
    options.capacity_items++; /* planted: it was made for another number */
    assert_false(ss_header_fits(&header, &options));
    free(bytes);
    seenset_free(copy);
    seenset_free(set);
}

static void sets_of_older_versions_go_on(void **state)
{
    (void)state;
    for (seenset_layout layout = SEENSET_LAYOUT_BLOCKED; layout != 0;
         layout = test_next_layout(layout)) {
        if (layout == SEENSET_LAYOUT_SPLIT_BLOCK)
            continue; /* older versions do not have it */
        for (uint64_t n = 1; n <= 2000; n = n * 5 + 5) {
            seenset_options options = {
                .layout = layout, .capacity_items = n, .fp_rate = 0.01};
            check_halving(options);
            options.fp_rate = 1e-6;
            check_halving(options);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(growth_without_a_share_is_caught),
        cmocka_unit_test(growth_goes_on_after_the_largest_table),
        cmocka_unit_test(growth_needs_a_rate),
        cmocka_unit_test(sets_of_older_versions_go_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
