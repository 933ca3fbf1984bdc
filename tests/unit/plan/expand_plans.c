/*
 * expand_plans.c - a table that grows in place is what was planned: its rate,
 * slots and memory, at every size; and its widths keep the rate for ever.
 *
 *     test_expand_plans [keys]     so many in the largest, 800,000 if not given
 */
#include <math.h>
#include <stdlib.h>

#include "expand/expand.h"
#include "lines/line.h"
#include "plan/expand.h"
#include "plan/expand_walk.h"
#include "support.h"

static double most_keys = 800000;

static const double rates[] = {0.4,  0.2,  0.007, 0.0049,
                               5e-5, 1e-7, 5e-10, 5e-13};
static const uint64_t first_items[] = {1, 1000, 100000, 1000000, 1000000000};

static ss_expand_options plan(double rate, uint64_t first)
{
    ss_expand_options made = {.load = SS_EXPAND_LOAD};
    assert_int_equal(ss_plan_expand(rate, first, made.load, made.widths), 0);
    return made;
}

static ss_plan_expand_state state_at(const ss_expand_options *made,
                                     double items)
{
    ss_plan_expand_state state;
    ss_plan_expand_at(made->widths, made->load, items, &state);
    return state;
}

/* ---- against tables ---- */

/* Chance decides which segments have grown, parted or been cut already: a
 * table of a few segments has a part of a step more, or less. A cut by three
 * bits makes the rate of a segment's slots eight times as high. */
static bool has_few_segments(double items)
{
    return items > 10000 && items < 2000000;
}

/* The largest tables take 2 MiB at once. */
static bool is_as(const ss_expand *expand, const ss_plan_expand_state *planned,
                  double items)
{
    bool has_few = has_few_segments(items);
    double bytes = (double)ss_expand_bytes(expand);
    double off = (has_few ? 0.05 : 0.01) * bytes;
    off += bytes > 0x1p26 ? 0x1p21 : 0.0;
    return test_is_near(ss_expand_rate(expand), planned->rate,
                        has_few ? 0.1 : 0.001) &&
           test_is_near((double)expand->stored, planned->slots, 0.001) &&
           test_is_near((double)ss_expand_room(expand), planned->room,
                        has_few ? 0.07 : 0.01) &&
           fabs(bytes - planned->bytes) <= off;
}

static void check_table(const ss_expand *expand, const ss_expand_options *made,
                        double items)
{
    ss_plan_expand_state planned = state_at(made, items);
    assert_true(is_as(expand, &planned, items));
    /* planted: a few keys more, and slots a bit wider */
    planned = state_at(made, items * 1.06);
    assert_false(is_as(expand, &planned, items));
    ss_expand_options other = *made;
    for (size_t i = 0; i < SS_EXPAND_DEPTHS; i++)
        other.widths[i]++;
    planned = state_at(&other, items);
    assert_false(is_as(expand, &planned, items));
}

/* Adds until so many were new. */
static void grow_to(ss_expand *expand, uint64_t *next, double *items,
                    double most)
{
    while (*items < most) {
        int is_new = ss_expand_add(expand, test_mix((*next)++));
        assert_true(is_new >= 0);
        *items += is_new;
    }
}

/* At the end of each generation, and in its middle; what is seen by mistake is
 * counted, a hundred and more at the end. */
static void check_growth(const ss_expand_options *made)
{
    ss_expand *expand;
    uint64_t next = 0;
    double items = 0.0;
    assert_int_equal(ss_expand_new(&expand, made), SEENSET_OK);
    ss_walk walk = ss_walk_begin(made->widths, made->load);
    for (; walk.items < most_keys; ss_walk_grow(&walk)) {
        double begin = walk.items;
        ss_walk_fill(&walk, most_keys);
        grow_to(expand, &next, &items, floor((begin + walk.items) / 2.0));
        check_table(expand, made, items);
        grow_to(expand, &next, &items, walk.items);
        check_table(expand, made, items);
    }
    ss_plan_expand_state planned = state_at(made, items);
    double wrong = (double)next - items;
    assert_true(fabs(wrong - planned.wrong_items) <=
                6.0 * sqrt(planned.wrong_items) + 3.0 +
                    planned.rate * planned.wrong_items);
    ss_expand_free(expand);
}

static void tables_become_what_was_planned(void **state)
{
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(rates); i++) {
        ss_expand_options made = plan(rates[i], 1000);
        check_growth(&made);
    }
    /* those that are never cut, that are as wide from the beginning on, and
     * whose load is another */
    ss_expand_options plain = {.widths = {15}, .load = 200};
    for (size_t i = 1; i < SS_EXPAND_DEPTHS; i++)
        plain.widths[i] = 15;
    check_growth(&plain);
}

/* ---- the rate, for ever ---- */

/* The rate with as many keys as the plan is for. */
static double last_rate(const uint8_t *widths, double fp_rate)
{
    double most = (double)ss_plan_expand_items(fp_rate);
    ss_walk walk = ss_walk_begin(widths, SS_EXPAND_LOAD);
    for (ss_walk_fill(&walk, most);
         walk.items < most && walk.unit_bits < SS_WALK_BITS_MAX;
         ss_walk_fill(&walk, most))
        ss_walk_grow(&walk);
    assert_true(walk.items == most);
    return ss_walk_rate(&walk);
}

static uint8_t narrower(uint8_t width)
{
    uint8_t next = width;
    while (ss_line_slots(next) == ss_line_slots(width))
        next--;
    return next;
}

/* The last generations of 2^53 keys have the least of the rate: it is used as
 * far as that of the next narrower list does not fit. */
static void check_list(double rate, uint64_t first)
{
    ss_expand_options made = plan(rate, first);
    ss_expand *expand;
    assert_int_equal(ss_expand_new(&expand, &made), SEENSET_OK);
    ss_expand_free(expand);
    assert_true(last_rate(made.widths, rate) <= rate);
    /* planted: slots of which more are in a line */
    bool is_narrower = true;
    for (size_t i = 0; i < SS_EXPAND_DEPTHS; i++) {
        made.widths[i] = narrower(made.widths[i]);
        is_narrower = is_narrower && made.widths[i] >= SS_WIDTH_MIN;
    }
    assert_true(!is_narrower || last_rate(made.widths, rate) > rate);
}

static void widths_keep_the_rate_for_ever(void **state)
{
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(rates); i++)
        for (size_t j = 0; j < TEST_COUNT(first_items); j++)
            check_list(rates[i], first_items[j]);
    for (double rate = 0.99; rate > 1e-7; rate *= 0.93)
        check_list(rate, 1000);
}

static void rates_that_hashes_cannot_keep_are_refused(void **state)
{
    static const double refused[] = {1e-19, 1e-300, 0.0, -1.0, 1.0, NAN};
    uint8_t widths[SS_EXPAND_DEPTHS] = {0};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(refused); i++)
        assert_int_equal(
            ss_plan_expand(refused[i], 1000, SS_EXPAND_LOAD, widths),
            SEENSET_ERATE);
    assert_int_equal(widths[0], 0);
}

/* A list for 1 %: what most sets have is as narrow as can be; and slots are
 * cut later where the first table is large. */
static void lists_are_narrow_where_most_sets_are(void **state)
{
    (void)state;
    ss_expand_options small = plan(0.007, 1000), large = plan(0.0049, 1000000);
    for (uint32_t bits = 19; bits <= 25; bits++)
        assert_true(small.widths[bits] == 14 && large.widths[bits] == 14);
    assert_int_equal(small.widths[17], 14);
    assert_true(large.widths[18] > 14);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        most_keys = strtod(argv[1], NULL);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_become_what_was_planned),
        cmocka_unit_test(widths_keep_the_rate_for_ever),
        cmocka_unit_test(rates_that_hashes_cannot_keep_are_refused),
        cmocka_unit_test(lists_are_narrow_where_most_sets_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
