/*
 * promise.c - the bound of a table is one that 199 of 200 tables keep,
 * what tables leave is within the budget, and where there is nothing to bound,
 * plans are what they were.
 *
 *     build/release/tests/test_promise           a table in ten, in seconds
 *     build/release/tests/test_promise 20000     as many tables a shape
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan/shape.h"
#include "set/promise.h"
#include "support.h"
#include "table/layouts.h"

static uint64_t most_tables = 1000;

/* Keys that a shape's tables are given, all together. */
enum {
    KEYS_A_SHAPE = 100000
};

/* ---- the bound ---- */

/* The true rate of a table that answered n random hashes by "new". */
static double rate_of_random(ss_table *table, uint64_t n, test_random *random)
{
    memset(table->words, 0,
           (size_t)ss_table_word_count(table) * sizeof *table->words);
    for (uint64_t news = 0; news < n;)
        news += table->layout->add(table, test_random_next(random));
    return ss_table_sample(table).rate + (double)n * 0x1p-64;
}

typedef struct tally {
    uint64_t tables;
    uint64_t over;      /* over their bound */
    uint64_t over_mean; /* planted: over what is expected of them */
} tally;

/* Can so many of `trials` be over what one in 200 is over? Few always can. */
static bool is_rare(uint64_t over, uint64_t trials)
{
    return (double)over <= (double)trials / 200.0 ||
           test_is_binomial(over, trials, 1.0 / 200.0);
}

static void check_shape(tally *all, const seenset_plan *plan)
{
    uint64_t n = plan->capacity_items, tables = most_tables;
    uint64_t affordable = most_tables * KEYS_A_SHAPE / 1000 / n;
    test_random random = {n * plan->hash_count + plan->size_bits};
    double bound =
        ss_plan_bound(plan->layout, n, plan->size_bits, plan->hash_count);
    seenset *set =
        test_make((seenset_options){.layout = plan->layout,
                                    .on_full = SEENSET_ON_FULL_DEGRADE,
                                    .size_bits = plan->size_bits,
                                    .hash_count = plan->hash_count});
    uint64_t over = 0;
    assert_true(bound >= plan->expected_fp_rate && bound <= 1.0);
    if (tables > affordable)
        tables = affordable + 20;
    for (uint64_t i = 0; i < tables; i++) {
        double rate = rate_of_random(&set->generations[0].table, n, &random);
        over += rate > bound * (1.0 + 1e-9);
        all->over_mean += rate > plan->expected_fp_rate;
    }
    if (!is_rare(over, tables))
        fail_msg("%s n=%llu m=%llu k=%u: %llu of %llu tables are over %g",
                 seenset_layout_name(plan->layout), (unsigned long long)n,
                 (unsigned long long)plan->size_bits, plan->hash_count,
                 (unsigned long long)over, (unsigned long long)tables, bound);
    all->over += over;
    all->tables += tables;
    seenset_free(set);
}

static void bounds_hold_for_199_of_200_tables(void **state)
{
    static const double rates[] = {0.5,  0.25, 0.1,  0.05, 0.01,
                                   5e-3, 1e-3, 1e-4, 1e-6, 1e-9};
    static const uint64_t sizes[] = {
        1, 2, 3, 5, 7, 10, 20, 50, 100, 200, 500, 1000, 3000, 10000, 100000};
    tally all = {0};
    (void)state;
    for (seenset_layout layout = SEENSET_LAYOUT_BLOCKED; layout != 0;
         layout = test_next_layout(layout)) {
        for (size_t i = 0; i < TEST_COUNT(rates) * TEST_COUNT(sizes); i++) {
            seenset_plan plan = {.layout = layout,
                                 .capacity_items = sizes[i % TEST_COUNT(sizes)],
                                 .fp_rate = rates[i / TEST_COUNT(sizes)]};
            assert_int_equal(seenset_plan_solve(&plan), SEENSET_OK);
            check_shape(&all, &plan);
        }
    }
    assert_true(is_rare(all.over, all.tables));
    /* planted: what is expected of a table is no bound */
    assert_false(is_rare(all.over_mean, all.tables));
    printf("%llu of %llu tables are over their bound, %llu over their mean\n",
           (unsigned long long)all.over, (unsigned long long)all.tables,
           (unsigned long long)all.over_mean);
}

/* A lower side: with many keys a bound is close to the rate. */
static void bounds_are_close_where_there_are_many_keys(void **state)
{
    (void)state;
    for (seenset_layout layout = SEENSET_LAYOUT_BLOCKED; layout != 0;
         layout = test_next_layout(layout)) {
        for (double p = 0.01; p > 1e-12; p /= 10.0) {
            seenset_plan plan = {
                .layout = layout, .capacity_items = 1000000, .fp_rate = p};
            assert_int_equal(seenset_plan_solve(&plan), SEENSET_OK);
            double bound = ss_plan_bound(plan.layout, plan.capacity_items,
                                         plan.size_bits, plan.hash_count);
            assert_true(bound > plan.expected_fp_rate &&
                        bound < plan.expected_fp_rate * 1.07);
        }
    }
}

/* ---- the first table ---- */

static seenset_plan first_of(seenset_layout layout, uint64_t n, double budget)
{
    seenset_plan plan = {.layout = layout, .capacity_items = n};
    assert_int_equal(ss_promise_plan_first(&plan, budget), SEENSET_OK);
    assert_int_equal(plan.capacity_items, n);
    assert_int_equal(plan.layout, layout);
    return plan;
}

/* First tables of the usual sizes are what they were before there were bounds:
 * of half the rate. */
static void first_tables_of_many_keys_have_half_the_rate(void **state)
{
    static const double rates[] = {0.1, 0.01, 1e-3, 1e-6, 1e-9, 1e-11};
    (void)state;
    for (seenset_layout layout = SEENSET_LAYOUT_BLOCKED; layout != 0;
         layout = test_next_layout(layout)) {
        for (size_t i = 0; i < TEST_COUNT(rates); i++) {
            if (layout == SEENSET_LAYOUT_SPLIT_BLOCK && rates[i] < 1e-3)
                continue; /* few keys a block: bounds are further off */
            for (uint64_t n = 100000; n <= 10000000; n *= 10) {
                seenset_plan half = {.layout = layout,
                                     .capacity_items = n,
                                     .fp_rate = rates[i] / 2.0};
                assert_int_equal(seenset_plan_solve(&half), SEENSET_OK);
                seenset_plan first = first_of(half.layout, n, rates[i]);
                assert_memory_equal(&first, &half, sizeof half);
            }
        }
    }
    seenset_plan million = first_of(SEENSET_LAYOUT_BLOCKED, 1000000, 0.01);
    assert_int_equal(million.size_bits, 11610112);
    assert_int_equal(million.hash_count, 8);
    million = first_of(SEENSET_LAYOUT_BLOOM, 1000000, 0.01);
    assert_int_equal(million.size_bits, 11034682);
    assert_int_equal(million.hash_count, 8);
    /* planted: ten keys do not average out */
    seenset_plan ten = first_of(SEENSET_LAYOUT_BLOOM, 10, 0.01);
    assert_true(ten.fp_rate < 0.004);
}

enum {
    MOST_TABLES = 64
};

/* A table as the plan says, without its words. */
static ss_generation table_of(const seenset_plan *plan)
{
    return (ss_generation){
        .table = ss_table_make(ss_layout_find(plan->layout, false),
                               plan->size_bits, plan->hash_count, 1, NULL),
        .capacity_items = plan->capacity_items,
        .fp_rate = plan->fp_rate};
}

/* One bit is set by the first key, and then nothing is left to chance. */
static void one_bit_has_no_spread(void **state)
{
    (void)state;
    for (uint32_t k = 1; k <= 2; k++) {
        ss_plan_state full = ss_plan_expect(SEENSET_LAYOUT_BLOOM, 1, 1, k);
        assert_true(ss_plan_bound(SEENSET_LAYOUT_BLOOM, 1, 1, k) == 1.0);
        assert_true(full.fill == 1.0 && full.rate == 1.0 && full.spread == 0.0);
    }
}

/* The first table's bound, and what the one that grows in place keeps. */
static void check_budget(seenset_layout layout, uint64_t n, double budget)
{
    seenset_plan plan = {.layout = layout, .capacity_items = n};
    uint8_t widths[SS_EXPAND_DEPTHS];
    double left = 0.0;
    int error = ss_promise_plan_first(&plan, budget);
    if (error != SEENSET_OK) {
        assert_true(error == SEENSET_ERATE || error == SEENSET_ETOOBIG);
        return;
    }
    ss_generation first = table_of(&plan);
    double bound = ss_plan_bound(layout, n, plan.size_bits, plan.hash_count);
    assert_true(plan.fp_rate > 0.0 && plan.fp_rate <= budget / 2.0);
    assert_true(plan.expected_fp_rate <= plan.fp_rate);
    error = ss_promise_plan_expand(budget, &first, 1, &left, widths);
    if (error != SEENSET_OK) {
        assert_int_equal(error, SEENSET_ERATE);
        assert_true(budget * 0.375 < 0x1p-63); /* not one key's hash */
        return;
    }
    assert_true(bound + left <= budget * (1.0 + 0x1p-50));
    assert_true(left >= budget * 0.375 * (1.0 - 0x1p-50));
}

static void bounds_stay_within_the_budget(void **state)
{
    static const double budgets[] = {1.0 - 0x1p-53, 0.99,  0.9,   0.5,
                                     0.1,           0.01,  1e-3,  1e-6,
                                     1e-9,          1e-12, 1e-15, 1e-18};
    (void)state;
    for (seenset_layout layout = SEENSET_LAYOUT_BLOCKED; layout != 0;
         layout = test_next_layout(layout))
        for (size_t i = 0; i < TEST_COUNT(budgets); i++)
            for (uint64_t n = 1; n <= 1000; n = n * 3 + n % 2)
                check_budget(layout, n, budgets[i]);
}

/* Each plan that there was before bounds, there still is, but for tables next
 * to the largest; others are refused. */
static void first_tables_exist_where_they_did(void **state)
{
    uint32_t refused = 0;
    (void)state;
    for (seenset_layout layout = SEENSET_LAYOUT_BLOCKED; layout != 0;
         layout = test_next_layout(layout)) {
        for (double p = 0.999; p > 0x1p-64; p *= 0.37) {
            for (uint64_t n = 1; n <= UINT64_C(1) << 48; n *= 8) {
                seenset_plan half = {
                    .layout = layout, .capacity_items = n, .fp_rate = p / 2.0};
                seenset_plan first = {.layout = layout, .capacity_items = n};
                int error = ss_promise_plan_first(&first, p);
                assert_int_equal(error, seenset_plan_solve(&half));
                refused += error != SEENSET_OK;
                /* untouched */
                assert_true(error == SEENSET_OK || first.size_bits == 0);
            }
        }
    }
    assert_true(refused > 100);
}

/* Tables that took more than there was, as merges bring: the next one takes
 * what a single table would have left, since less would keep nothing. */
static void spent_budgets_go_on(void **state)
{
    seenset_plan large = {
        .layout = SEENSET_LAYOUT_BLOOM, .capacity_items = 100, .fp_rate = 0.01};
    ss_generation tables[MOST_TABLES];
    uint8_t widths[SS_EXPAND_DEPTHS];
    double left;
    (void)state;
    assert_int_equal(seenset_plan_solve(&large), SEENSET_OK);
    for (uint32_t count = 1; count < MOST_TABLES; count++) {
        tables[count - 1] = table_of(&large);
        int error = ss_promise_plan_expand(0.01, tables, count, &left, widths);
        assert_int_equal(error, SEENSET_OK);
        assert_true(left == 0.01 * (count == 1 ? 0.5 : 0.375));
    }
    /* a rate that halves to 0 would mean that none is asked for */
    seenset_plan plan = {.layout = SEENSET_LAYOUT_BLOOM, .capacity_items = 1};
    assert_int_equal(ss_promise_plan_first(&plan, 5e-324), SEENSET_ERATE);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounds_hold_for_199_of_200_tables),
        cmocka_unit_test(bounds_are_close_where_there_are_many_keys),
        cmocka_unit_test(first_tables_of_many_keys_have_half_the_rate),
        cmocka_unit_test(one_bit_has_no_spread),
        cmocka_unit_test(bounds_stay_within_the_budget),
        cmocka_unit_test(first_tables_exist_where_they_did),
        cmocka_unit_test(spent_budgets_go_on),
    };
    if (argc > 1)
        most_tables = strtoull(argv[1], NULL, 10);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
