/*
 * overlap.c - what two sets have in common, of sizes and shapes that differ.
 *
 * Sets of streams: A has keys 0 to a, B has keys a - both to a - both + b. The
 * estimates are held against those numbers, in standard errors.
 */
#include <math.h>

#include "support.h"

typedef struct pair_case {
    const char *name;
    seenset_options a, b;
    uint64_t a_items, b_items, both;
} pair_case;

#define GROWS .on_full = SEENSET_ON_FULL_GROW

static const pair_case cases[] = {
    {"other sizes",
     {.capacity_items = 20000, .on_full = SEENSET_ON_FULL_DEGRADE},
     {.capacity_items = 150000, .on_full = SEENSET_ON_FULL_DEGRADE},
     20000,
     150000,
     7000},
    {"equal sizes",
     {.capacity_items = 20000},
     {.capacity_items = 20000},
     20000,
     10000,
     5000},
    {"other rates",
     {.capacity_items = 30000},
     {.capacity_items = 30000, .fp_rate = 1e-6},
     30000,
     30000,
     15000},
    {"grown",
     {.capacity_items = 100, GROWS},
     {.capacity_items = 777, GROWS},
     60000,
     50000,
     20000},
    {"grown and one table",
     {.capacity_items = 1000, GROWS, .fp_rate = 1e-5},
     {.capacity_items = 60000},
     40000,
     60000,
     40000},
    {"disjoint",
     {.capacity_items = 50000},
     {.capacity_items = 30000},
     50000,
     30000,
     0},
    {"one in the other",
     {.capacity_items = 5000},
     {.capacity_items = 80000},
     5000,
     80000,
     5000},
    {"bloom",
     {.layout = SEENSET_LAYOUT_BLOOM, .capacity_items = 20000},
     {.layout = SEENSET_LAYOUT_BLOOM, .capacity_items = 47001, .fp_rate = 1e-4},
     20000,
     40000,
     10000},
    {"split block",
     {.layout = SEENSET_LAYOUT_SPLIT_BLOCK, .capacity_items = 33333},
     {.layout = SEENSET_LAYOUT_SPLIT_BLOCK, .capacity_items = 77777},
     33333,
     70000,
     20000},
    {"empty", {.capacity_items = 1000}, {.capacity_items = 50000}, 0, 40000, 0},
};

#define CASE_COUNT (sizeof cases / sizeof cases[0])

/* A key that a grown set dropped as a false positive is in none of its
 * tables. In one table such a key is among those that its bits show. */
static double mistakes_of(const seenset *set)
{
    seenset_stats stats = test_stats_of(set);
    return stats.table_count > 1
               ? stats.wrong_items + 6 * sqrt(stats.wrong_items)
               : 0;
}

/* mistakes: NULL, or what the numbers may be short of. */
static seenset_overlap overlap_of(const pair_case *of, uint64_t offset,
                                  double *mistakes)
{
    seenset *a = test_make(of->a);
    seenset *b = test_make(of->b);
    seenset_overlap found = {0};
    uint64_t first = offset + of->a_items - of->both;
    test_add_stream(a, offset, offset + of->a_items);
    test_add_stream(b, first, first + of->b_items);
    assert_int_equal(seenset_get_overlap(a, b, &found, sizeof found),
                     SEENSET_OK);
    if (mistakes != NULL)
        *mistakes = mistakes_of(a) + mistakes_of(b);
    seenset_free(a);
    seenset_free(b);
    return found;
}

/* How many standard errors it is away. */
static double distance(double found, double error, double truth)
{
    assert_true(isfinite(found) && isfinite(error) && error >= 0);
    return fabs(found - truth) / (error + 1);
}

static void check_numbers(const pair_case *of, const seenset_overlap *is,
                          double mistakes)
{
    double a = (double)of->a_items, b = (double)of->b_items;
    double both = (double)of->both;
    double all[] = {
        distance(is->a_items, is->a_items_error, a),
        distance(is->b_items, is->b_items_error, b),
        distance(is->intersection_items, is->intersection_items_error, both),
        distance(is->union_items, is->union_items_error, a + b - both),
        distance(is->a_only_items, is->a_only_items_error, a - both),
        distance(is->b_only_items, is->b_only_items_error, b - both)};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (!(all[i] < 7 + mistakes / (is->a_items_error + 1)))
            fail_msg("%s: number %zu is %.1f errors away", of->name, i, all[i]);
    assert_true(is->jaccard >= 0 && is->jaccard <= 1);
    assert_true(fabs(is->jaccard - both / (a + b - both)) <
                7 * is->jaccard_error + mistakes / (a + b - both) + 1e-6);
    /* an error that allows anything tells nothing */
    assert_true(is->intersection_items_error < 0.05 * (a + b));
}

static void overlap_is_that_of_the_keys(void **state)
{
    (void)state;
    for (size_t i = 0; i < CASE_COUNT; i++) {
        double mistakes = 0;
        seenset_overlap found = overlap_of(&cases[i], 0, &mistakes);
        check_numbers(&cases[i], &found, mistakes);
    }
}

/*
 * The errors are those that are seen: over 60 pairs of sets the mean square of
 * (found - truth) / error is around 1. Beyond 0.2 and 2.5 it would be by a
 * chance under 1e-9 (chi-square, 60 degrees of freedom).
 */
static void errors_of_overlap_are_as_large_as_they_say(void **state)
{
    static const size_t tried[] = {0, 3, 7, 8};
    (void)state;
    for (size_t t = 0; t < sizeof tried / sizeof tried[0]; t++) {
        pair_case of = cases[tried[t]];
        double sum = 0;
        of.a_items /= 10;
        of.b_items /= 10;
        of.both /= 10;
        of.a.capacity_items = of.a.capacity_items / 10;
        of.b.capacity_items = of.b.capacity_items / 10;
        for (uint64_t i = 0; i < 60; i++) {
            seenset_overlap is = overlap_of(&of, i * 1000000, NULL);
            double z = (is.intersection_items - (double)of.both) /
                       is.intersection_items_error;
            sum += z * z / 60;
        }
        if (!(sum > 0.2 && sum < 2.5))
            fail_msg("%s: the mean square is %.2f", of.name, sum);
    }
}

/* The places of another system's scheme agree where sizes are equal. */
static void sets_of_a_scheme_overlap(void **state)
{
    const seenset_options options = {.scheme = SEENSET_SCHEME_MURMUR3_128,
                                     .size_bits = 400000,
                                     .hash_count = 5};
    seenset *a = test_make(options);
    seenset *b = test_make(options);
    seenset_overlap found;
    (void)state;
    for (uint64_t i = 0; i < 40000; i++) {
        assert_true(seenset_add(a, &i, sizeof i) >= 0);
        uint64_t other = i + 30000;
        assert_true(seenset_add(b, &other, sizeof other) >= 0);
    }
    assert_int_equal(seenset_get_overlap(a, b, &found, sizeof found),
                     SEENSET_OK);
    assert_true(distance(found.intersection_items,
                         found.intersection_items_error, 10000) < 7);
    assert_true(found.intersection_items_error < 2000);
    seenset_free(a);
    seenset_free(b);
}

/* Equal sets, and a set with itself: all of it. */
static void a_set_overlaps_itself(void **state)
{
    seenset *set = test_make((seenset_options){.capacity_items = 100});
    seenset_overlap found;
    (void)state;
    test_add_stream(set, 0, 30000);
    assert_int_equal(seenset_get_overlap(set, set, &found, sizeof found),
                     SEENSET_OK);
    assert_true(found.jaccard > 0.97);
    assert_true(found.a_only_items < 7 * found.a_only_items_error + 1);
    seenset_free(set);
}

/* A sum over pairs of tables that left one out, or counted one twice, is
 * noticed: the test's own check is tried on such numbers. */
static void the_check_notices_a_wrong_sum(void **state)
{
    seenset_overlap found = overlap_of(&cases[3], 0, NULL);
    double truth = (double)cases[3].both;
    (void)state;
    assert_true(distance(found.intersection_items,
                         found.intersection_items_error, truth) < 7);
    assert_false(distance(found.intersection_items * 0.8,
                          found.intersection_items_error, truth) < 7);
    assert_false(distance(found.intersection_items * 1.2,
                          found.intersection_items_error, truth) < 7);
}

static int overlap_error(seenset_options a_options, seenset_options b_options)
{
    seenset *a = test_make(a_options);
    seenset *b = test_make(b_options);
    seenset_overlap found = {.jaccard = 77};
    int error = seenset_get_overlap(a, b, &found, sizeof found);
    assert_true(error == SEENSET_OK || found.jaccard == 77);
    seenset_free(a);
    seenset_free(b);
    return error;
}

static void what_cannot_overlap_is_refused(void **state)
{
    const seenset_options plain = {.capacity_items = 1000};
    uint8_t secret[SEENSET_SECRET_BYTES] = {1};
    (void)state;
    assert_int_equal(
        overlap_error(plain, (seenset_options){.layout = SEENSET_LAYOUT_BLOOM}),
        SEENSET_EMISMATCH);
    assert_int_equal(overlap_error(plain, (seenset_options){.secret = secret}),
                     SEENSET_EMISMATCH);
    assert_int_equal(
        overlap_error(plain,
                      (seenset_options){.layout = SEENSET_LAYOUT_COUNTING}),
        SEENSET_EUNSUPPORTED);
    assert_int_equal(
        overlap_error(plain,
                      (seenset_options){.on_full = SEENSET_ON_FULL_ROTATE,
                                        .flags = SEENSET_FLAG_SLIDING}),
        SEENSET_EUNSUPPORTED);
    seenset_options scheme = {.scheme = SEENSET_SCHEME_MURMUR3_128,
                              .size_bits = 8000,
                              .hash_count = 3};
    seenset_options larger = scheme;
    larger.size_bits = 16000;
    assert_int_equal(overlap_error(scheme, larger), SEENSET_EMISMATCH);
    assert_int_equal(overlap_error(scheme, scheme), SEENSET_OK);
}

/* All bits set: nothing is known, and no number pretends otherwise. */
static void full_sets_tell_nothing(void **state)
{
    seenset *full = test_make((seenset_options){
        .layout = SEENSET_LAYOUT_BLOOM, .size_bits = 64, .hash_count = 8});
    seenset *other = test_make((seenset_options){.layout = SEENSET_LAYOUT_BLOOM,
                                                 .capacity_items = 100});
    seenset_overlap found;
    (void)state;
    test_add_stream(full, 0, 1000);
    test_add_stream(other, 0, 50);
    assert_int_equal(seenset_get_overlap(full, other, &found, sizeof found),
                     SEENSET_OK);
    assert_true(isinf(found.union_items) != 0);
    assert_true(isnan(found.intersection_items) != 0);
    assert_true(isinf(found.intersection_items_error) != 0);
    seenset_free(full);
    seenset_free(other);
}

/* ---- one standard error ---- */

typedef struct jaccard_case {
    seenset_options options;
    uint64_t only_a, only_b, both;
} jaccard_case;

/* Two sets of one shape. A key is a number. */
static seenset_overlap compare_once(const jaccard_case *of, uint64_t first)
{
    seenset *a, *b;
    seenset_overlap found = {0};
    assert_int_equal(seenset_new(&a, &of->options), 0);
    assert_int_equal(seenset_new(&b, &of->options), 0);
    for (uint64_t i = 0; i < of->only_a + of->both + of->only_b; i++) {
        if (i < of->only_a + of->both)
            (void)seenset_add_u64_many(a, &(uint64_t){first + i}, 1, NULL);
        if (i >= of->only_a)
            (void)seenset_add_u64_many(b, &(uint64_t){first + i}, 1, NULL);
    }
    assert_int_equal(seenset_get_overlap(a, b, &found, sizeof found), 0);
    seenset_free(a);
    seenset_free(b);
    return found;
}

static void jaccard_errors_are_those_of_400_pairs(void **state)
{
    static const jaccard_case all[] = {
#define BITS(m, k)                                                             \
    {.layout = SEENSET_LAYOUT_BLOOM, .size_bits = (m), .hash_count = (k)}
        {BITS(8192, 2), 20, 10, 10},
        {BITS(8192, 2), 200, 400, 300},
        {BITS(8192, 2), 1000, 1000, 50},
        {BITS(8192, 2), 10, 10, 2000},
        {BITS(20000, 7), 1000, 500, 1500},
        {{.capacity_items = 3000, .on_full = SEENSET_ON_FULL_DEGRADE},
         1000,
         1000,
         1000}};
    enum {
        PAIRS = 400
    };
    (void)state;
    for (size_t c = 0; c < sizeof all / sizeof all[0]; c++) {
        const jaccard_case *of = &all[c];
        double keys = (double)(of->only_a + of->only_b + of->both);
        double truth = (double)of->both / keys, square = 0, said = 0;
        for (uint64_t i = 0; i < PAIRS; i++) {
            seenset_overlap found = compare_once(of, i * 1000000 + c);
            square += pow(found.jaccard - truth, 2) / PAIRS;
            said += pow(found.jaccard_error, 2) / PAIRS;
        }
        double ratio = sqrt(said / square);
        print_message("case %zu: said / measured %.3f (%.2g)\n", c, ratio,
                      sqrt(square));
        /* the spread of 400 is known within 3.5 %; 6 such errors */
        assert_true(ratio > 0.79 && ratio < 1.27);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(overlap_is_that_of_the_keys),
        cmocka_unit_test(errors_of_overlap_are_as_large_as_they_say),
        cmocka_unit_test(sets_of_a_scheme_overlap),
        cmocka_unit_test(a_set_overlaps_itself),
        cmocka_unit_test(the_check_notices_a_wrong_sum),
        cmocka_unit_test(what_cannot_overlap_is_refused),
        cmocka_unit_test(full_sets_tell_nothing),
        cmocka_unit_test(jaccard_errors_are_those_of_400_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
