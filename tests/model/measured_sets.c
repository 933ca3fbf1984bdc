/*
 * measured_sets.c - the rate that is promised is the rate that one set
 * has, not only what sets have in the mean.
 *
 * A cell is a layout, a rate p and a way to get to so many keys; in each, 200
 * sets of keys of their own are made. A set's true rate is known from its
 * bits, and fresh keys count it once more. What is promised:
 *
 *     fixed    the mean over sets is at most p
 *     grown    199 of 200 sets keep p, from any first capacity
 *     merged   two grown sets into one: 199 of 200 keep the sum of what both
 *              promised; two fixed ones: the mean is at most p
 *
 * A set's rate only rises while keys are added, so one that keeps p at the end
 * kept it at every size.
 *
 *     build/release/tests/test_measured_sets           5,000 keys a set
 *     build/release/tests/test_measured_sets 100000    and a table of all cells
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "halving.h"
#include "set/set.h"
#include "support.h"

static uint64_t keys_a_set = 5000;
static bool is_shown = false;

enum {
    SETS = 200,
    BATCH = 500,
    QUESTIONS = 2000
};

static const double rates[] = {1e-1, 1e-2, 1e-3};

/* ---- one set ---- */

/* Hash number i of set number `number`. */
static uint64_t hash_of(uint64_t number, uint64_t i)
{
    return test_mix(number << 32 | i);
}

/* Adds hashes first to end - 1, or counts those that are seen. */
static uint64_t run_hashes(seenset *set, uint64_t number, uint64_t first,
                           uint64_t end, bool is_adding)
{
    uint64_t hashes[BATCH], seen = 0;
    uint8_t answers[BATCH];
    for (uint64_t done = first; done < end; done += BATCH) {
        size_t count = end - done < BATCH ? (size_t)(end - done) : BATCH;
        for (size_t i = 0; i < count; i++)
            hashes[i] = hash_of(number, done + i);
        int error = is_adding
                        ? seenset_add_hash_many(set, hashes, count, answers)
                        : seenset_has_hash_many(set, hashes, count, answers);
        assert_int_equal(error, SEENSET_OK);
        for (size_t i = 0; i < count; i++)
            seen += answers[i];
    }
    return seen;
}

typedef enum way {
    FIXED,
    GROWN,
    MERGED,
    GROWN_MERGED,
    HALVING /* planted: grown as sets once were */
} way;

static const char *const way_names[] = {"fixed", "grown", "merged",
                                        "grown, merged", "halving"};

typedef struct cell {
    seenset_layout layout;
    double fp_rate;
    way made;
    uint64_t first_capacity; /* of sets that grow */
} cell;

static seenset *make_one(const cell *of, uint64_t number, uint64_t first,
                         uint64_t end)
{
    bool is_grown = of->first_capacity > 0;
    seenset_options options = {
        .layout = of->layout,
        .on_full = is_grown ? SEENSET_ON_FULL_GROW : SEENSET_ON_FULL_DEGRADE,
        .capacity_items = is_grown ? of->first_capacity : keys_a_set,
        .fp_rate = of->fp_rate};
    if (of->made != HALVING) {
        seenset *set = test_make(options);
        (void)run_hashes(set, number, first, end, true);
        return set;
    }
    seenset *set = test_make_halving(options);
    while (first < end) {
        test_grow_halving(set);
        const ss_generation *newest = ss_set_newest(set);
        uint64_t room = newest->capacity_items - newest->added_items;
        uint64_t stop = room < end - first ? first + room : end;
        (void)run_hashes(set, number, first, stop, true);
        first = stop;
    }
    return set;
}

static seenset *make_set(const cell *of, uint64_t number)
{
    if (of->made != MERGED && of->made != GROWN_MERGED)
        return make_one(of, number, 0, keys_a_set);
    seenset *set = make_one(of, number, 0, keys_a_set / 2);
    seenset *other = make_one(of, number, keys_a_set / 2, keys_a_set);
    assert_int_equal(seenset_merge(set, other), SEENSET_OK);
    seenset_free(other);
    return set;
}

/* ---- a cell ---- */

typedef struct measured {
    uint32_t over; /* sets over what they promised */
    double worst;  /* the highest rate, in parts of the promise */
    double mean;   /* of the rates */
    double deviation;
    uint64_t hits; /* fresh keys seen, of SETS * QUESTIONS */
    double bits_a_key;
} measured;

static double promised_of(const cell *of)
{
    return of->fp_rate * (of->made == GROWN_MERGED ? 2.0 : 1.0);
}

static measured measure(const cell *of)
{
    double sum = 0.0, squares = 0.0;
    measured all = {0};
    for (uint64_t number = 0; number < SETS; number++) {
        seenset *set = make_set(of, number);
        seenset_stats stats = test_stats_of(set);
        double rate = stats.current_fp_rate;
        double part = rate / promised_of(of);
        bool is_merged = of->made == MERGED || of->made == GROWN_MERGED;
        assert_true(is_merged ? stats.fp_rate >= of->fp_rate &&
                                    stats.fp_rate <= promised_of(of)
                              : stats.fp_rate == of->fp_rate);
        assert_int_equal(run_hashes(set, number, 0, keys_a_set, false),
                         keys_a_set);
        all.hits +=
            run_hashes(set, number, keys_a_set, keys_a_set + QUESTIONS, false);
        all.over += part > 1.0;
        all.worst = fmax(all.worst, part);
        all.bits_a_key +=
            (double)stats.size_bits / (double)keys_a_set / (double)SETS;
        sum += rate;
        squares += rate * rate;
        seenset_free(set);
    }
    all.mean = sum / SETS;
    all.deviation = sqrt(fmax(squares / SETS - all.mean * all.mean, 0.0) *
                         SETS / (SETS - 1));
    return all;
}

static void show(const cell *of, const measured *got)
{
    if (is_shown)
        printf("%-8s %-5g %-13s from %5llu: %3u of %d over, mean %.3f p, worst "
               "%.3f of the promise, %.2f bits a key\n",
               seenset_layout_name(of->layout), of->fp_rate,
               way_names[of->made], (unsigned long long)of->first_capacity,
               got->over, SETS, got->mean / of->fp_rate, got->worst,
               got->bits_a_key);
}

/* Can chance alone put so many of the sets over, when it does one in 200? */
static bool is_promise_kept(uint64_t over, uint64_t sets)
{
    return (double)over <= (double)sets / 200.0 ||
           test_is_binomial(over, sets, 1.0 / 200.0);
}

/* Fresh keys count what the bits say: 200 sets asked are 200 different coins,
 * and their hits vary less than those of one coin with the mean chance. */
static void check_hits(const cell *of, const measured *got)
{
    assert_true(
        test_is_binomial(got->hits, (uint64_t)SETS * QUESTIONS, got->mean));
    if (got->mean > 5e-3) /* planted: enough were asked to know it */
        assert_false(test_is_binomial(got->hits, (uint64_t)SETS * QUESTIONS,
                                      got->mean * 1.5));
    (void)of;
}

/*
 * The mean of 200 is the formula's: Student's t of 199 degrees of freedom is
 * within 6.5 but for 6e-10.
 */
static bool is_mean_near(const measured *got, double expected)
{
    return fabs(got->mean - expected) <= 6.5 * got->deviation / sqrt(SETS);
}

static void check_fixed(const cell *of)
{
    seenset_plan plan = {.layout = of->layout,
                         .capacity_items = keys_a_set,
                         .fp_rate = of->fp_rate};
    measured got = measure(of);
    show(of, &got);
    check_hits(of, &got);
    assert_int_equal(seenset_plan_solve(&plan), SEENSET_OK);
    assert_true(plan.expected_fp_rate <= of->fp_rate);
    assert_true(is_mean_near(&got, plan.expected_fp_rate));
    assert_false(is_mean_near(&got, plan.expected_fp_rate * 1.1));
}

/* ---- all cells ---- */

static void fixed_sets_have_the_rate_in_the_mean(void **state)
{
    (void)state;
    for (seenset_layout layout = SEENSET_LAYOUT_BLOCKED; layout != 0;
         layout = test_next_layout(layout)) {
        for (size_t i = 0; i < TEST_COUNT(rates); i++) {
            cell of = {.layout = layout, .fp_rate = rates[i]};
            check_fixed(&of);
            of.made = MERGED;
            check_fixed(&of);
        }
    }
}

/* Every first capacity; returns how many sets there were, and were over. */
static uint64_t count_over(way made, bool is_each_kept, uint64_t *sets)
{
    uint64_t over = 0;
    *sets = 0;
    for (seenset_layout layout = SEENSET_LAYOUT_BLOCKED; layout != 0;
         layout = test_next_layout(layout)) {
        for (size_t i = 0; i < TEST_COUNT(rates); i++) {
            for (uint64_t first = 10; first < keys_a_set && first <= 10000;
                 first *= 10) {
                cell of = {layout, rates[i], made, first};
                measured got = measure(&of);
                show(&of, &got);
                check_hits(&of, &got);
                assert_true(!is_each_kept || is_promise_kept(got.over, SETS));
                over += got.over;
                *sets += SETS;
            }
        }
    }
    return over;
}

static void grown_sets_keep_the_rate_in_199_of_200(void **state)
{
    uint64_t sets;
    (void)state;
    uint64_t over = count_over(GROWN, true, &sets);
    assert_true(is_promise_kept(over, sets));
}

static void merged_sets_keep_the_sum_in_199_of_200(void **state)
{
    uint64_t sets;
    (void)state;
    uint64_t over = count_over(GROWN_MERGED, true, &sets);
    assert_true(is_promise_kept(over, sets));
}

/* Planted: shares of p/2, p/4, ..., which keep p in the mean only. */
static void growth_by_halving_is_caught(void **state)
{
    uint64_t sets;
    (void)state;
    uint64_t over = count_over(HALVING, false, &sets);
    assert_false(is_promise_kept(over, sets));
    cell classic = {SEENSET_LAYOUT_BLOOM, 1e-2, HALVING, 10};
    measured got = measure(&classic);
    assert_false(is_promise_kept(got.over, SETS));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fixed_sets_have_the_rate_in_the_mean),
        cmocka_unit_test(grown_sets_keep_the_rate_in_199_of_200),
        cmocka_unit_test(merged_sets_keep_the_sum_in_199_of_200),
        cmocka_unit_test(growth_by_halving_is_caught),
    };
    if (argc > 1) {
        keys_a_set = strtoull(argv[1], NULL, 10);
        is_shown = true;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
