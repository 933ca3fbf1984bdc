/*
 * unions.c - each kind of set x each overlap x each law of union (unions.h),
 * wrong ways to merge that the laws find, and unions of many sets.
 */
#include "unions.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- ways to merge ---- */

static int merge_nothing(seenset *into, const seenset *from)
{
    (void)into;
    (void)from;
    return SEENSET_OK;
}

/* Each merge leaves a key that nobody added. */
static int merge_and_more(seenset *into, const seenset *from)
{
    static uint64_t more = UINT64_C(1) << 60;
    int error = seenset_merge(into, from);
    more++;
    (void)seenset_add(into, &more, sizeof more);
    return error;
}

/* Each merge leaves as many keys more as it brings. */
static int merge_and_much_more(seenset *into, const seenset *from)
{
    int error = seenset_merge(into, from);
    uint64_t items = test_stats_of(from).added_items;
    for (uint64_t i = 0; i < items; i++) {
        uint64_t key = test_mix(UNION_FAULTY_KEYS + i);
        (void)seenset_add(into, &key, sizeof key);
    }
    return error;
}

/* The union of the first with itself. */
static int merge_itself(seenset *into, const seenset *from)
{
    (void)from;
    return seenset_merge(into, into);
}

/* ---- all of them ---- */

/* Each law of one trio. Returns how many are broken, after a line for each. */
static unsigned judge(const union_trio *in, const char *what)
{
    size_t law_count;
    const union_law *laws = union_laws(&law_count);
    bool is_of_two_sizes = in->of->name[0] == '\0';
    unsigned broken = 0;
    for (size_t l = 0; l < law_count; l++) {
        const char *wrong = NULL;
        if (!is_of_two_sizes || laws[l].is_for_two_sizes)
            wrong = laws[l].holds(in);
        if (wrong != NULL)
            print_error("%s, %s: %s\n", what, laws[l].name, wrong);
        broken += wrong != NULL;
    }
    return broken;
}

static void unions_keep_their_laws(void **state)
{
    static const unsigned shared_percents[] = {0, 1, 50, 99, 100};
    size_t kind_count, law_count;
    const union_kind *kinds = union_kinds(&kind_count);
    unsigned cells = 0, broken = 0;
    (void)state;
    (void)union_laws(&law_count);
    clock_seconds = 1700000000;
    for (size_t i = 0; i < kind_count; i++) {
        for (size_t j = 0; j < TEST_COUNT(shared_percents); j++) {
            union_trio in = union_make_trio(&kinds[i], shared_percents[j]);
            char what[80];
            snprintf(what, sizeof what, "%s, %u %% shared", kinds[i].name,
                     shared_percents[j]);
            broken += judge(&in, what);
            cells += (unsigned)law_count;
            union_free_trio(&in);
        }
    }
    print_message("%u cells of kinds x overlaps x laws\n", cells);
    assert_int_equal(broken, 0);
}

static union_kind grown_from(uint64_t capacity_items, uint64_t keys)
{
    return (union_kind){"", {.capacity_items = capacity_items}, keys};
}

/* Sets of different sizes: fewer laws, as tables of two shapes stay apart. */
static void unions_of_two_sizes_keep_their_laws(void **state)
{
    static const uint64_t capacities[] = {1, 50, 1000, 20000, 100000};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(capacities); i++) {
        for (size_t j = 0; j < TEST_COUNT(capacities); j++) {
            union_kind one = grown_from(capacities[i], 20000);
            union_kind other = grown_from(capacities[j], 20000);
            union_trio in = {.of = &one,
                             .a = union_make_of(&one, 0, 20000),
                             .b = union_make_of(&other, 10000, 30000),
                             .c = union_make_of(&one, 20000, 40000),
                             .n = 20000,
                             .first = 10000,
                             .merge = seenset_merge};
            char what[80];
            snprintf(what, sizeof what, "%u and %u", (unsigned)capacities[i],
                     (unsigned)capacities[j]);
            assert_int_equal(judge(&in, what), 0);
            union_free_trio(&in);
        }
    }
}

/* Each law finds one fault at least, and each fault is found. */
static void wrong_unions_are_seen(void **state)
{
    static union_merge *const faults[] = {merge_nothing, merge_and_more,
                                          merge_and_much_more, merge_itself};
    enum {
        MOST_LAWS = 16
    };
    const union_kind of = grown_from(1000, 4000);
    size_t law_count;
    const union_law *laws = union_laws(&law_count);
    bool is_found[MOST_LAWS] = {false};
    (void)state;
    assert_true(law_count <= MOST_LAWS);
    for (size_t f = 0; f < TEST_COUNT(faults); f++) {
        union_trio in = union_make_trio(&of, 50);
        bool is_any = false;
        in.merge = faults[f];
        for (size_t l = 0; l < law_count; l++) {
            bool is_seen = laws[l].holds(&in) != NULL;
            is_found[l] |= is_seen;
            is_any |= is_seen;
        }
        assert_true(is_any);
        union_free_trio(&in);
    }
    for (size_t l = 0; l < law_count; l++)
        if (!is_found[l])
            fail_msg("no fault breaks the law of %s", laws[l].name);
}

/* A source that comes a thousand times is a source that came once. */
static void merges_of_one_source_change_nothing(void **state)
{
    const union_kind of = grown_from(1000, 3000);
    seenset *from = union_make_of(&of, 0, of.keys), *all = union_make(&of);
    (void)state;
    assert_int_equal(seenset_merge(all, from), SEENSET_OK);
    seenset *once = union_copy(all);
    for (int i = 0; i < 1000; i++)
        assert_int_equal(seenset_merge(all, from), SEENSET_OK);
    assert_true(test_are_equal(all, once));
    seenset_free(from);
    seenset_free(all);
    seenset_free(once);
}

/* Twenty nights of a feed, half of each known from the night before. */
static void nightly_merges_count_right(void **state)
{
    static const uint64_t capacities[] = {1000, 20000, 60000};
    enum {
        NIGHT = 40000,
        NIGHTS = 20
    };
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(capacities); i++) {
        const union_kind of = grown_from(capacities[i], NIGHT);
        seenset *all = union_make(&of);
        double variance = 0.0;
        for (uint64_t night = 0; night < NIGHTS; night++) {
            uint64_t first = night * NIGHT / 2;
            seenset *from = union_make_of(&of, first, first + NIGHT);
            double error = union_stated_error(all, from);
            variance += error * error;
            assert_int_equal(seenset_merge(all, from), SEENSET_OK);
            seenset_free(from);
        }
        double truth = (double)NIGHT * (NIGHTS + 1) / 2;
        double said = test_stats_of(all).estimated_items;
        if (!union_is_right(said, truth, sqrt(variance)))
            fail_msg("%u: %.0f keys for %.0f", (unsigned)capacities[i], said,
                     truth);
        assert_true(union_has_keys(all, 0, (uint64_t)truth));
        seenset_free(all);
    }
}

/* What a set was made with stays, whatever its tables promise together. */
/* Small sets that grew to five times their size show little of what they share,
 * and these share nothing: neither what chance shows must add up, nor what was
 * guessed where bits show nothing. From the seventh on the bits of the small
 * tables together are nearly all set. */
static void merges_of_strangers_lose_few_of_the_count(void **state)
{
    enum {
        KEYS = 5000,
        SETS = 20
    };
    const union_kind of = grown_from(1000, KEYS);
    seenset *all = union_make(&of);
    double truth = (double)KEYS * SETS;
    (void)state;
    for (uint64_t i = 0; i < SETS; i++) {
        seenset *from = union_make_of(&of, i * KEYS, (i + 1) * KEYS);
        assert_int_equal(seenset_merge(all, from), SEENSET_OK);
        seenset_free(from);
    }
    double said = test_stats_of(all).estimated_items;
    print_message("%.0f keys for %.0f\n", said, truth);
    assert_true(said > 0.98 * truth && said < 1.02 * truth);
    seenset_free(all);
}

static void unions_know_what_they_were_made_with(void **state)
{
    const union_kind of = grown_from(1000, 5000);
    seenset *all = union_make(&of);
    (void)state;
    for (uint64_t i = 0; i < 5; i++) {
        seenset *from = union_make_of(&of, i * 5000, i * 5000 + 5000);
        assert_int_equal(seenset_merge(all, from), SEENSET_OK);
        seenset_free(from);
        seenset_info info;
        assert_int_equal(seenset_get_info(all, &info, sizeof info), SEENSET_OK);
        assert_true(info.made_fp_rate == 0.01);
        assert_true(i == 0 || info.fp_rate > 0.01);
    }
    seenset_free(all);
}

/* ---- keys that were taken for seen ---- */

/* Adds keys first to end - 1, and notes which were new. */
static void add_noting(seenset *set, uint64_t first, uint64_t end,
                       bool *is_known)
{
    for (uint64_t i = first; i < end; i++) {
        uint64_t key = test_mix(i);
        if (seenset_add(set, &key, sizeof key) == 1)
            is_known[i] = true;
    }
}

/*
 * Merges two sets that share so many of their keys. wrong_items then is at
 * least as many as are in neither set, and as many where they have the same
 * keys. Returns whether it is.
 */
static bool is_wrong_bounded(const union_kind *of, unsigned shared_percent,
                             union_merge *merge)
{
    uint64_t n = of->keys, first = n - n * shared_percent / 100;
    uint64_t end = first + n, unknown = 0;
    bool *is_known = calloc(end, sizeof *is_known);
    seenset *a = union_make(of), *b = union_make(of);
    assert_non_null(is_known);
    add_noting(a, 0, n, is_known);
    add_noting(b, first, end, is_known);
    for (uint64_t i = 0; i < end; i++)
        unknown += !is_known[i];
    assert_int_equal(merge(a, b), SEENSET_OK);
    double truth = (double)unknown, said = test_stats_of(a).wrong_items;
    double chance = 6.0 * sqrt(fmax(truth, said)) + 2.0;
    free(is_known);
    seenset_free(a);
    seenset_free(b);
    return said >= 0.98 * truth - chance &&
           (shared_percent < 100 || said <= 1.02 * truth + chance);
}

static void unions_bound_what_was_taken_for_seen(void **state)
{
    static const unsigned shared_percents[] = {0, 1, 50, 99, 100};
    const union_kind kinds[] = {
        {"fixed",
         {.capacity_items = 30000, .on_full = SEENSET_ON_FULL_DEGRADE},
         30000},
        grown_from(30000, 30000),
        grown_from(3000, 30000),
        grown_from(1, 30000),
        {"at 10 %", {.capacity_items = 3000, .fp_rate = 0.1}, 30000}};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(kinds); i++)
        for (size_t j = 0; j < TEST_COUNT(shared_percents); j++)
            if (!is_wrong_bounded(&kinds[i], shared_percents[j], seenset_merge))
                fail_msg("kind %u, %u %% shared", (unsigned)i,
                         shared_percents[j]);
    /* planted: the keys of b alone do not come in */
    assert_false(is_wrong_bounded(&kinds[4], 0, merge_nothing));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unions_keep_their_laws),
        cmocka_unit_test(unions_of_two_sizes_keep_their_laws),
        cmocka_unit_test(wrong_unions_are_seen),
        cmocka_unit_test(merges_of_one_source_change_nothing),
        cmocka_unit_test(nightly_merges_count_right),
        cmocka_unit_test(merges_of_strangers_lose_few_of_the_count),
        cmocka_unit_test(unions_know_what_they_were_made_with),
        cmocka_unit_test(unions_bound_what_was_taken_for_seen)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
