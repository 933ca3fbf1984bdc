/*
 * saturation.c - what a set reports of itself, from nearly empty to far past
 * full: every layout, policy and scheme.
 *
 * Three figures are compared with the truth at each fill: estimated_items with
 * the keys that were offered, current_fp_rate with the answers for other keys,
 * and wrong_items with the new keys that were answered "seen". Each is within
 * its stated error, or is marked as unknown: estimated_items is infinite where
 * all bits are set or many slots of fingerprints were cut; is_wrong_at_least is
 * set where hardly any key is new.
 *
 * Everything is taken down first (saturation_looks.c) and judged after that, so
 * that a fault can be planted in what was taken down: a figure that is off by a
 * tenth, and a flag that is missing.
 *
 * With the argument `table` the tables of docs/lab/testing.md are printed.
 */
#include "saturation.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Taken down once: all tests judge the same. */
static row rows[MOST_ROWS];
static size_t row_count;

/* ---- the judge ---- */

static double wrong_error(double wrong)
{
    return 0.1 * wrong + sqrt(wrong) + 0.5;
}

static bool is_wrong_right(const look *at)
{
    if (!isfinite(at->wrong) || at->wrong < 0)
        return false;
    if (at->is_at_least)
        return at->wrong <= at->true_wrong;
    return fabs(at->wrong - at->true_wrong) <=
           DEVIATIONS * wrong_error(at->wrong);
}

static bool are_items_right(const look *at)
{
    if (at->is_all_set)
        return isinf(at->items);
    if (isinf(at->items)) /* keys that are alike now are not told apart */
        return at->is_cut && at->is_at_least;
    double most = DEVIATIONS * at->items_error + 0.5;
    return at->items >= at->least_items - most &&
           at->items <= at->most_items + most;
}

/* All seeds together, so that the bound is narrow. */
static bool is_rate_right(const row *of, size_t fill)
{
    double rate = 0.0;
    uint64_t hits = 0;
    for (size_t seed = 0; seed < SEEDS; seed++) {
        rate += of->looks[seed][fill].rate / SEEDS;
        hits += of->looks[seed][fill].hits;
    }
    if (!(rate > 0.0 && rate < 1.0))
        return rate == 0.0 ? hits == 0
                           : rate == 1.0 && hits == SEEDS * STRANGERS;
    return test_is_binomial(hits, SEEDS * STRANGERS, rate);
}

/* All fills together, too: low rates need more strangers. */
static bool are_rates_right(const row *of)
{
    double rate = 0.0;
    uint64_t hits = 0;
    for (size_t seed = 0; seed < SEEDS; seed++)
        for (size_t fill = 0; fill < FILL_COUNT; fill++) {
            rate += of->looks[seed][fill].rate / (SEEDS * FILL_COUNT);
            hits += of->looks[seed][fill].hits;
        }
    return test_is_binomial(hits, SEEDS * FILL_COUNT * STRANGERS, rate);
}

/* How many cells of a row are wrong. */
static unsigned count_faults(const row *of, bool is_told)
{
    unsigned faults = !are_rates_right(of);
    for (size_t fill = 0; fill < FILL_COUNT; fill++) {
        bool is_right = is_rate_right(of, fill);
        for (size_t seed = 0; seed < SEEDS; seed++) {
            const look *at = &of->looks[seed][fill];
            bool is_this =
                is_wrong_right(at) && are_items_right(at) && at->is_same;
            if (is_told && !(is_this && is_right))
                print_error("%s x %g: %g items of %g to %g (%g), rate %g (%g), "
                            "wrong %g%s of %g\n",
                            of->name, fills[fill], at->items, at->least_items,
                            at->most_items, at->items_error, at->rate,
                            (double)at->hits / STRANGERS, at->wrong,
                            at->is_at_least ? " at least" : "", at->true_wrong);
            is_right &= is_this;
        }
        faults += !is_right;
    }
    return faults;
}

static void figures_are_true_or_unknown(void **state)
{
    unsigned faults = 0;
    (void)state;
    for (size_t i = 0; i < row_count; i++)
        faults += count_faults(&rows[i], true);
    assert_true(row_count > 30);
    assert_int_equal(faults, 0);
}

/* ---- planted faults ---- */

typedef enum plant {
    ITEMS_MORE,
    ITEMS_LESS,
    RATE_MORE,
    RATE_LESS,
    FLAG_MISSING,
    PLANT_COUNT
} plant;

/* Whether anything was changed. */
static bool change(look *at, plant what)
{
    double part = what == ITEMS_MORE || what == RATE_MORE ? 1.1 : 0.9;
    if (what == FLAG_MISSING) {
        bool was = at->is_at_least;
        at->is_at_least = false;
        return was;
    }
    if (what == ITEMS_MORE || what == ITEMS_LESS)
        at->items *= part;
    else
        at->rate = fmin(at->rate * part, 1.0);
    return true;
}

/* A set that refuses is never far past full: the number is near without the
 * flag, too. */
static bool must_show(const row *of, plant what)
{
    return what != FLAG_MISSING || !of->looks[0][FILL_COUNT - 1].is_refused;
}

static void faults_are_found(void **state)
{
    unsigned missing = 0;
    (void)state;
    for (size_t i = 0; i < row_count; i++) {
        for (int what = 0; what < PLANT_COUNT; what++) {
            row planted = rows[i];
            bool is_changed = false;
            for (size_t seed = 0; seed < SEEDS; seed++)
                for (size_t fill = 0; fill < FILL_COUNT; fill++)
                    is_changed |=
                        change(&planted.looks[seed][fill], (plant)what);
            is_changed &= must_show(&rows[i], (plant)what);
            bool is_found = count_faults(&planted, false) > 0;
            if (is_changed && !is_found)
                print_error("%s: fault %d is not found\n", rows[i].name, what);
            missing += is_changed && !is_found;
        }
    }
    assert_int_equal(missing, 0);
}

/* The stated error of wrong_items is over a tenth, so that a tenth shows in the
 * sum of all sets only. */
static void wrong_items_are_right_together(void **state)
{
    double told = 0.0, truth = 0.0;
    (void)state;
    for (size_t i = 0; i < row_count; i++)
        for (size_t seed = 0; seed < SEEDS; seed++) {
            const look *last = NULL; /* a set's looks are not independent */
            for (size_t fill = 0; fill < FILL_COUNT; fill++)
                if (!rows[i].looks[seed][fill].is_at_least)
                    last = &rows[i].looks[seed][fill];
            told += last != NULL ? last->wrong : 0.0;
            truth += last != NULL ? last->true_wrong : 0.0;
        }
    print_message("wrong items: %.0f of %.0f\n", told, truth);
    assert_true(test_is_near(told, truth, 0.05));
    assert_false(test_is_near(1.1 * told, truth, 0.05));
    assert_false(test_is_near(0.9 * told, truth, 0.05));
}

/* ---- the tables of the page ---- */

enum {
    FEW = 100 /* of so few a part says nothing */
};

static double part_off(double told, double truth)
{
    return fabs(told - truth) / truth;
}

/* How far off a figure of one set is; below 0: too few to say. */
static double off(const look *at, int figure)
{
    double middle = fmin(fmax(at->items, at->least_items), at->most_items);
    if (figure == 0)
        return middle > 0.0 ? part_off(at->items, middle) : 0.0;
    if (figure == 1)
        return at->hits < FEW
                   ? -1.0
                   : part_off(at->rate, (double)at->hits / STRANGERS);
    return at->true_wrong < FEW ? -1.0 : part_off(at->wrong, at->true_wrong);
}

static bool is_unknown(const look *at, int figure)
{
    return figure == 0 ? isinf(at->items) : figure == 2 && at->is_at_least;
}

static void print_cell(const row *of, size_t fill, int figure)
{
    double most = -1.0;
    bool is_full = true, is_any_unknown = false;
    for (size_t seed = 0; seed < SEEDS; seed++) {
        const look *at = &of->looks[seed][fill];
        is_full &= at->is_refused;
        is_any_unknown |= is_unknown(at, figure);
        most = fmax(most, off(at, figure));
    }
    if (is_any_unknown)
        printf(" unknown |");
    else if (most < 0.0)
        printf(" few |");
    else
        printf(" %.1f%s |", 100.0 * most, is_full ? "=" : "");
}

static void print_tables(void)
{
    static const char *const names[] = {"estimated_items", "current_fp_rate",
                                        "wrong_items"};
    for (int figure = 0; figure < 3; figure++) {
        printf("\n| %s |", names[figure]);
        for (size_t fill = 0; fill < FILL_COUNT; fill++)
            printf(" %g |", fills[fill]);
        printf("\n|---|");
        for (size_t fill = 0; fill < FILL_COUNT; fill++)
            printf("---|");
        for (size_t i = 0; i < row_count; i++) {
            printf("\n| %s |", rows[i].name);
            for (size_t fill = 0; fill < FILL_COUNT; fill++)
                print_cell(&rows[i], fill, figure);
        }
        printf("\n");
    }
}

static int take_all(void **state)
{
    (void)state;
    row_count = saturation_take(rows);
    return 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_are_true_or_unknown),
        cmocka_unit_test(wrong_items_are_right_together),
        cmocka_unit_test(faults_are_found),
        cmocka_unit_test(refusals_are_as_stated),
        cmocka_unit_test(ones_are_unknown),
    };
    int failed = cmocka_run_group_tests(tests, take_all, NULL);
    if (argc > 1 && strcmp(argv[1], "table") == 0)
        print_tables();
    return failed;
}
