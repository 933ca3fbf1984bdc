/*
 * merge.c - two sets together: what is merged is never lost, what is
 * compared is as alike as its keys, and what differs is refused.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

static uint32_t tables_of(const seenset *set)
{
    return test_stats_of(set).table_count;
}

static seenset_table_info newest_of(const seenset *set)
{
    return test_table_of(set, tables_of(set) - 1);
}

/* ---- union of sets that grow ---- */

static void merge_takes_in_sets_that_grew(void **state)
{
    test_random random = {8};
    (void)state;
    for (int i = 0; i < 200; i++) {
        seenset_layout layout =
            i % 2 ? SEENSET_LAYOUT_BLOOM : SEENSET_LAYOUT_BLOCKED;
        seenset_options options = {.layout = layout, .capacity_items = 50};
        seenset *into = test_make(options);
        if (i % 3 == 0)
            options.capacity_items = 70;
        if (i % 5 == 0)
            options.fp_rate = 1e-4;
        seenset *from = test_make(options);
        uint64_t a = test_random_below(&random, 1u << (i % 12));
        uint64_t b = test_random_below(&random, 1u << (i % 13));
        test_add_stream(into, 0, a);
        test_add_stream(from, a / 2, a / 2 + b);
        seenset_table_info newest = newest_of(into);
        bool has_grown = newest.layout == SEENSET_LAYOUT_EXPANDABLE ||
                         newest_of(from).layout == SEENSET_LAYOUT_EXPANDABLE;
        assert_int_equal(seenset_merge(into, from), SEENSET_OK);
        assert_true(test_has_stream(into, 0, a) &&
                    test_has_stream(into, a / 2, a / 2 + b));
        if (has_grown) /* what grows in place takes what comes */
            assert_int_equal(newest_of(into).layout, SEENSET_LAYOUT_EXPANDABLE);
        else
            assert_int_equal(newest_of(into).capacity_items,
                             newest.capacity_items);
        /* and it goes on */
        test_add_stream(into, 10000, 10500);
        assert_true(test_has_stream(into, 0, a) &&
                    test_has_stream(into, 10000, 10500));
        seenset_free(into);
        seenset_free(from);
    }
}

/*
 * Two tables alike that each have room in the third, but not both: a set that
 * took in another one has such tables.
 */
static void merge_plans_all_tables_before_it_moves_one(void **state)
{
    seenset_options options = {.capacity_items = 1000, .fp_rate = 1e-6};
    seenset *a = test_make(options), *b = test_make(options),
            *c = test_make(options);
    (void)state;
    test_add_stream(a, 0, 600);
    test_add_stream(b, 600, 1200);
    test_add_stream(c, 1200, 1500);
    assert_int_equal(seenset_merge(a, b), SEENSET_OK);
    assert_int_equal(tables_of(a), 2);
    assert_int_equal(seenset_merge(c, a), SEENSET_OK);
    assert_true(test_has_stream(c, 0, 1500));
    assert_int_equal(tables_of(c), 2);
    seenset_free(a);
    seenset_free(b);
    seenset_free(c);
}

/* Many small sets merged make a long list, not a giant next table. */
static void merge_of_many_leaves_room_to_grow(void **state)
{
    seenset_options options = {.capacity_items = 100};
    seenset *into = test_make(options);
    (void)state;
    for (uint64_t i = 0; i < 40; i++) {
        seenset *from = test_make(options);
        test_add_stream(from, i * 100, i * 100 + 100);
        assert_int_equal(seenset_merge(into, from), SEENSET_OK);
        seenset_free(from);
    }
    assert_true(tables_of(into) >= 39);
    test_add_stream(into, 100000, 101000);
    assert_true(test_has_stream(into, 0, 4000));
    assert_true(test_has_stream(into, 100000, 101000));
    assert_true(test_stats_of(into).memory_bytes < 100000);
    seenset_free(into);
}

/*
 * A list has 64 tables at most, and folds before it is full: merging and adding
 * never end. Sets of one size, and of sizes that all differ.
 */
static void check_endless_merges(bool are_alike, uint64_t divisor)
{
    seenset_options options = {.capacity_items = 10, .fp_rate = 1e-6};
    seenset *into = test_make(options);
    uint64_t rounds = (are_alike ? 10000 : 2000) / divisor;
    for (uint64_t i = 0; i < rounds; i++) {
        if (!are_alike)
            options.capacity_items = 10 + i;
        seenset *from = test_make(options);
        test_add_stream(from, i * 10, i * 10 + 10);
        assert_int_equal(seenset_merge(into, from), SEENSET_OK);
        assert_true(test_has_stream(into, i * 10, i * 10 + 10));
        seenset_free(from);
    }
    assert_true(test_has_stream(into, 0, rounds * 10));
    assert_true(tables_of(into) <= 64);
    /* and says so */
    assert_true(test_stats_of(into).fp_rate > 100.0 / (double)divisor * 1e-6);
    assert_true(seenset_add(into, "a", 1) >= 0);
    for (uint64_t i = 0; i < 1000; i++)
        assert_true(seenset_add_hash(into, test_mix(rounds * 10 + i)) >= 0);
    assert_true(test_has_stream(into, 0, rounds * 10 + 1000));
    assert_true(tables_of(into) <= 64);
    seenset_free(into);
}

static void merge_never_ends(void **state)
{
    uint64_t divisor = *(const uint64_t *)*state;
    check_endless_merges(true, divisor);
    check_endless_merges(false, divisor);
}

/* Each allocation fails once; then `into` is what it was, byte for byte. */
static void check_memory_failures(seenset_options options, uint64_t keys)
{
    test_memory memory;
    seenset *from = test_make(options), *into = NULL;
    int error, failures = -1;
    test_add_stream(from, 0, keys);
    for (size_t fail_at = 1;; fail_at++) {
        test_memory_init(&memory);
        options.allocator = &memory.allocator;
        into = test_make(options);
        test_add_stream(into, 5, 8);
        seenset *before = NULL;
        assert_int_equal(seenset_copy(&before, into), SEENSET_OK);
        memory.calls = 0;
        memory.fail_at = fail_at;
        error = seenset_merge(into, from);
        failures++;
        if (error == SEENSET_OK) {
            seenset_free(before);
            break;
        }
        assert_int_equal(error, SEENSET_ENOMEM);
        assert_true(test_are_equal(into, before));
        seenset_free(before);
        seenset_free(into);
        assert_int_equal(memory.live_blocks, 0);
    }
    assert_true(failures >= 3);
    seenset_free(into);
    assert_int_equal(memory.live_blocks, 0);
    seenset_free(from);
}

static void merge_survives_every_failed_allocation(void **state)
{
    (void)state;
    check_memory_failures((seenset_options){.capacity_items = 10}, 150);
    check_memory_failures((seenset_options){.capacity_items = 100,
                                            .on_full = SEENSET_ON_FULL_ROTATE},
                          1000);
}

/* ---- union of windows ---- */

/* What either remembers is remembered, the last n keys of both. */
static void merge_of_windows_keeps_both(void **state)
{
    (void)state;
    for (uint64_t a = 0; a < 500; a += 70) {
        for (uint64_t b = 0; b < 500; b += 90) {
            seenset_options options = {.on_full = SEENSET_ON_FULL_ROTATE,
                                       .capacity_items = 200};
            seenset *into = test_make(options), *from = test_make(options);
            test_add_stream(into, 0, a);
            test_add_stream(from, 1000, 1000 + b);
            assert_int_equal(seenset_merge(into, from), SEENSET_OK);
            assert_true(test_has_stream(into, a > 200 ? a - 200 : 0, a));
            assert_true(test_has_stream(into, 1000 + (b > 200 ? b - 200 : 0),
                                        1000 + b));
            assert_in_range(tables_of(into), 1, 5);
            seenset_free(into);
            seenset_free(from);
        }
    }
}

/* ---- what differs ---- */

static void algebra_refuses_what_differs(void **state)
{
    seenset_overlap similarity;
    const seenset_options kinds[] = {
        {.on_full = SEENSET_ON_FULL_DEGRADE},
        {.on_full = SEENSET_ON_FULL_DEGRADE, .capacity_items = 5000},
        {.on_full = SEENSET_ON_FULL_DEGRADE, .layout = SEENSET_LAYOUT_BLOOM},
        {.on_full = SEENSET_ON_FULL_ROTATE},
        {.on_full = SEENSET_ON_FULL_ROTATE, .window_generations = 4},
        {.on_full = SEENSET_ON_FULL_ROTATE, .window_seconds = 60},
        {.layout = SEENSET_LAYOUT_COUNTING},
        {.layout = SEENSET_LAYOUT_COUNTING, .counter_bits = 5},
        {.layout = SEENSET_LAYOUT_COUNTING, .counter_bits = 16}};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(kinds); i++) {
        for (size_t j = 0; j < TEST_COUNT(kinds); j++) {
            seenset *a = test_make(kinds[i]), *b = test_make(kinds[j]);
            bool is_counting = kinds[i].layout == SEENSET_LAYOUT_COUNTING;
            int mismatch =
                is_counting ? SEENSET_EUNSUPPORTED : SEENSET_EMISMATCH;
            assert_int_equal(seenset_add(a, "a", 1), 1);
            assert_int_equal(seenset_merge(a, b),
                             i == j ? SEENSET_OK : SEENSET_EMISMATCH);
            if (i != j && (i < 3 || is_counting)) {
                assert_int_equal(seenset_intersect(a, b), mismatch);
                assert_int_equal(test_is_superset(a, b), mismatch);
                int overlaps =
                    seenset_get_overlap(a, b, &similarity, sizeof similarity);
                int expected = kinds[i].layout == kinds[j].layout
                                   ? SEENSET_OK
                                   : SEENSET_EMISMATCH;
                if (is_counting || kinds[j].layout == SEENSET_LAYOUT_COUNTING)
                    expected = SEENSET_EUNSUPPORTED;
                assert_int_equal(overlaps, expected);
            }
            assert_int_equal(seenset_has(a, "a", 1), 1);
            seenset_free(a);
            seenset_free(b);
        }
    }
    seenset *a = test_make((seenset_options){.capacity_items = 10});
    seenset *grown = test_make((seenset_options){.capacity_items = 10});
    test_add_stream(grown, 0, 100);
    assert_int_equal(seenset_intersect(a, grown), SEENSET_EUNSUPPORTED);
    bool contains = true;
    assert_int_equal(seenset_is_superset(grown, a, &contains),
                     SEENSET_EUNSUPPORTED);
    assert_true(contains);
    assert_int_equal(seenset_intersect(a, NULL), SEENSET_EINVAL);
    assert_int_equal(test_is_superset(NULL, a), SEENSET_EINVAL);
    assert_int_equal(seenset_get_overlap(a, a, NULL, 1), SEENSET_EINVAL);
    assert_int_equal(seenset_copy(NULL, a), SEENSET_EINVAL);
    assert_int_equal(seenset_copy(&a, NULL), SEENSET_EINVAL);
    assert_int_equal(seenset_clear(NULL), SEENSET_EINVAL);
    seenset_free(a);
    seenset_free(grown);
}

/* ---- intersection and containment ---- */

static void intersection_keeps_what_both_have(void **state)
{
    (void)state;
    for (seenset_layout layout = SEENSET_LAYOUT_BLOCKED; layout != 0;
         layout = test_next_layout(layout)) {
        seenset_options options = {.layout = layout, .capacity_items = 20000};
        seenset *a = test_make(options), *b = test_make(options),
                *both = test_make(options);
        test_add_stream(a, 0, 15000);
        test_add_stream(b, 10000, 20000);
        test_add_stream(both, 10000, 15000);
        double lower = fmin(test_stats_of(a).current_fp_rate,
                            test_stats_of(b).current_fp_rate);
        assert_int_equal(test_is_superset(a, both), 1);
        assert_int_equal(test_is_superset(b, both), 1);
        assert_int_equal(test_is_superset(a, b), 0);
        assert_int_equal(test_is_superset(both, a), 0);
        assert_int_equal(seenset_intersect(a, b), SEENSET_OK);
        assert_true(test_has_stream(a, 10000, 15000));
        assert_int_equal(test_is_superset(a, both), 1);
        assert_int_equal(test_is_superset(b, a), 1);
        assert_true(test_stats_of(a).current_fp_rate <= lower);
        assert_in_range(test_stats_of(a).added_items, 5000, 10000);
        uint64_t strangers = 0;
        for (uint64_t i = 0; i < 10000; i++)
            strangers += (uint64_t)seenset_has_hash(a, test_mix(i));
        assert_true(strangers < 200);
        /* a view cannot be changed */
        size_t size_bytes;
        uint8_t *bytes = test_bytes_of(a, &size_bytes);
        seenset *view = NULL;
        assert_int_equal(seenset_open_bytes(&view, bytes, size_bytes, NULL), 0);
        assert_int_equal(seenset_intersect(view, b), SEENSET_EREADONLY);
        assert_int_equal(test_is_superset(view, both), 1);
        seenset_free(view);
        free(bytes);
        seenset_free(a);
        seenset_free(b);
        seenset_free(both);
    }
}

/* ---- similarity ---- */

/* Jaccard estimates of one pair of sizes over many seeds. */
static void check_jaccard(seenset_layout layout, uint64_t only, uint64_t shared)
{
    enum {
        SEEDS = 60
    };
    double truth = (double)shared / (double)(2 * only + shared);
    double square = 0.0, stated = 0.0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        seenset_options options = {.layout = layout, .capacity_items = 20000};
        seenset *a = test_make(options), *b = test_make(options);
        uint64_t first = seed << 32;
        test_add_stream(a, first, first + only + shared);
        test_add_stream(b, first + only, first + 2 * only + shared);
        seenset_overlap similarity;
        assert_int_equal(
            seenset_get_overlap(a, b, &similarity, sizeof similarity),
            SEENSET_OK);
        double error = similarity.jaccard - truth;
        square += error * error;
        stated += similarity.jaccard_error;
        assert_true(fabs(error) <= 6.5 * similarity.jaccard_error);
        assert_true(test_is_near(similarity.union_items,
                                 (double)(2 * only + shared), 0.03));
        assert_true(fabs(similarity.intersection_items - (double)shared) <
                    600.0);
        seenset_free(a);
        seenset_free(b);
    }
    double empirical = sqrt(square / SEEDS);
    /* the spread of 60 is known within 9 %; six such errors, and a tenth that
     * blocks of uneven fill add */
    print_message("stated / measured: %.3f\n", stated / SEEDS / empirical);
    assert_true(stated / SEEDS >= 0.6 * empirical);
    assert_true(stated / SEEDS <= 1.6 * empirical);
}

static void similarity_is_within_its_error(void **state)
{
    (void)state;
    test_leave_to_real_machines();
    for (seenset_layout layout = SEENSET_LAYOUT_BLOCKED; layout != 0;
         layout = test_next_layout(layout)) {
        check_jaccard(layout, 8000, 1000);
        check_jaccard(layout, 5000, 5000);
        check_jaccard(layout, 500, 9000);
    }
}

static void similarity_at_the_ends(void **state)
{
    seenset_options options = {.capacity_items = 5000};
    seenset *a = test_make(options), *b = test_make(options);
    seenset_overlap similarity;
    (void)state;
    assert_int_equal(seenset_get_overlap(a, b, &similarity, sizeof similarity),
                     SEENSET_OK);
    assert_true(similarity.union_items == 0.0 && similarity.jaccard == 0.0 &&
                similarity.jaccard_error == 0.0);
    test_add_stream(a, 0, 3000);
    assert_int_equal(seenset_get_overlap(a, b, &similarity, sizeof similarity),
                     SEENSET_OK);
    assert_true(similarity.jaccard == 0.0);
    test_add_stream(b, 0, 3000);
    assert_int_equal(seenset_get_overlap(a, b, &similarity, sizeof similarity),
                     SEENSET_OK);
    assert_true(test_is_near(similarity.jaccard, 1.0, 1e-9));
    seenset_free(a);
    seenset_free(b);
}

/* Not even sets that grow, which is what sets do unless told otherwise. */
static void grown_sets_of_two_layouts_do_not_merge(void **state)
{
    (void)state;
    seenset_options options = {.layout = SEENSET_LAYOUT_BLOCKED,
                               .capacity_items = 100};
    seenset *lines = test_make(options);
    options.layout = SEENSET_LAYOUT_BLOOM;
    seenset *bits = test_make(options);
    test_add_stream(lines, 0, 1000);
    test_add_stream(bits, 5000, 6000);
    assert_int_equal(seenset_merge(lines, bits), SEENSET_EMISMATCH);
    assert_int_equal(seenset_merge(bits, lines), SEENSET_EMISMATCH);
    assert_true(test_has_stream(lines, 0, 1000));
    assert_true(test_has_stream(bits, 5000, 6000));
    seenset_free(lines);
    seenset_free(bits);
}

/* A table takes in another one up to its capacity, and not one key more. */
static void merges_fill_tables_to_the_last_key(void **state)
{
    (void)state;
    for (uint64_t more = 0; more < 2; more++) {
        seenset_options options = {.capacity_items = 10, .fp_rate = 1e-9};
        seenset *into = test_make(options), *from = test_make(options);
        test_add_numbers(into, 0, 4);
        test_add_numbers(from, 100, 106 + more);
        assert_int_equal(seenset_merge(into, from), SEENSET_OK);
        assert_int_equal(tables_of(into), 1 + more);
        seenset_free(into);
        seenset_free(from);
    }
}

/* Most keys were taken out: what is left goes into a small set, which keeps its
 * own rate, and keys can be taken out of that as well. */
static void sets_shrink_when_keys_were_taken_out(void **state)
{
    (void)state;
    const seenset_options large = {.layout = SEENSET_LAYOUT_FINGERPRINT,
                                   .on_full = SEENSET_ON_FULL_REFUSE,
                                   .capacity_items = 200000};
    seenset_options small = large;
    small.capacity_items = 10000;
    seenset *from = test_make(large), *into = test_make(small);
    for (uint64_t key = 0; key < 200000; key++)
        assert_true(seenset_add(from, &key, sizeof key) >= 0);
    for (uint64_t key = 10000; key < 200000; key++)
        assert_int_equal(seenset_remove(from, &key, sizeof key), 1);
    assert_int_equal(seenset_merge(into, from), SEENSET_OK);
    assert_true(test_stats_of(into).added_items ==
                test_stats_of(from).added_items);
    assert_true(test_stats_of(into).current_fp_rate < 0.012);
    for (uint64_t key = 0; key < 10000; key++)
        assert_int_equal(seenset_has(into, &key, sizeof key), 1);
    for (uint64_t key = 0; key < 5000; key++)
        assert_int_equal(seenset_remove(into, &key, sizeof key), 1);
    for (uint64_t key = 5000; key < 10000; key++)
        assert_int_equal(seenset_has(into, &key, sizeof key), 1);
    /* a larger one would need bits that the small one does not have */
    assert_int_equal(seenset_merge(from, into), SEENSET_EMISMATCH);
    seenset_free(from);
    seenset_free(into);
}

/* test_merge [n]: of the merges that never end, an n-th */
int main(int argc, char **argv)
{
    uint64_t divisor = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(merge_takes_in_sets_that_grew),
        cmocka_unit_test(merge_plans_all_tables_before_it_moves_one),
        cmocka_unit_test(merge_of_many_leaves_room_to_grow),
        cmocka_unit_test_prestate(merge_never_ends, &divisor),
        cmocka_unit_test(merge_survives_every_failed_allocation),
        cmocka_unit_test(merge_of_windows_keeps_both),
        cmocka_unit_test(algebra_refuses_what_differs),
        cmocka_unit_test(intersection_keeps_what_both_have),
        cmocka_unit_test(similarity_is_within_its_error),
        cmocka_unit_test(similarity_at_the_ends),
        cmocka_unit_test(grown_sets_of_two_layouts_do_not_merge),
        cmocka_unit_test(merges_fill_tables_to_the_last_key),
        cmocka_unit_test(sets_shrink_when_keys_were_taken_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
