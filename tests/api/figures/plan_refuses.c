/*
 * plan_refuses.c - what the planner refuses, with its arguments untouched:
 * numbers out of their range, shapes that a layout does not have, too few
 * fields, and fields that contradict each other.
 */
#include <math.h>

#include "support.h"

static void check_solved(seenset_plan plan)
{
    assert_int_equal(seenset_plan_solve(&plan), SEENSET_OK);
    assert_true(plan.expected_fp_rate <= plan.fp_rate);
}

static void check_refused(seenset_plan plan, int error)
{
    seenset_plan before = plan;
    assert_int_equal(seenset_plan_solve(&plan), error);
    assert_memory_equal(&plan, &before, sizeof plan);
}

static void plan_refuses_rates_out_of_range(void **state)
{
    static const double rates[] = {-0.1,         1.0,      1.5,
                                   -HUGE_VAL,    HUGE_VAL, (double)NAN,
                                   -(double)NAN, -1e-300};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(rates); i++) {
        check_refused((seenset_plan){.capacity_items = 10, .fp_rate = rates[i]},
                      SEENSET_EINVAL);
        check_refused((seenset_plan){.size_bits = 512, .fp_rate = rates[i]},
                      SEENSET_EINVAL);
    }
}

static void plan_refuses_hash_counts_out_of_range(void **state)
{
    (void)state;
    for (uint32_t k = 1; k <= 300; k++) {
        bool is_bloom = k <= 255;
        bool is_blocked = k == 8 || k == 16 || k == 24;
        seenset_plan plan = {
            .capacity_items = 10, .size_bits = 100000, .hash_count = k};
        if (is_blocked)
            check_solved(plan);
        else
            check_refused(plan, SEENSET_EINVAL);
        plan.layout = SEENSET_LAYOUT_BLOOM;
        if (is_bloom)
            check_solved(plan);
        else
            check_refused(plan, SEENSET_EINVAL);
    }
}

/* A sealed table has a rate, a number of keys and three or four places. */
static void plan_refuses_sealed_tables_of_other_shapes(void **state)
{
    const seenset_plan sealed = {.layout = SEENSET_LAYOUT_SEALED,
                                 .capacity_items = 100,
                                 .fp_rate = 0.01};
    const double no_rates[] = {0.0, -0.1, 1.0, NAN};
    seenset_plan plan = sealed;
    (void)state;
    plan.size_bits = 1000;
    check_refused(plan, SEENSET_EINVAL);
    plan = sealed;
    plan.hash_count = 5;
    check_refused(plan, SEENSET_EINVAL);
    plan.hash_count = 2;
    check_refused(plan, SEENSET_EINVAL);
    plan = sealed;
    plan.fp_rate = 1e-10;
    check_refused(plan, SEENSET_ERATE);
    for (size_t i = 0; i < TEST_COUNT(no_rates); i++) {
        plan.fp_rate = no_rates[i];
        check_refused(plan, SEENSET_EINVAL);
    }
    plan = sealed;
    plan.capacity_items = UINT64_C(1) << 52;
    check_refused(plan, SEENSET_ETOOBIG);
    plan.capacity_items = 0;
    check_refused(plan, SEENSET_EINVAL);
}

static void plan_refuses_sizes_out_of_range(void **state)
{
    const uint64_t over[] = {SEENSET_MAX_SIZE_BITS + 1, UINT64_MAX};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(over); i++) {
        check_refused((seenset_plan){.capacity_items = over[i], .fp_rate = 0.1},
                      SEENSET_ETOOBIG);
        check_refused((seenset_plan){.size_bits = over[i], .fp_rate = 0.1},
                      SEENSET_ETOOBIG);
    }
    check_refused(
        (seenset_plan){.capacity_items = UINT64_C(1) << 51, .fp_rate = 0.001},
        SEENSET_ETOOBIG);
    /* the most bits there can be are not whole lines in three regions */
    check_refused((seenset_plan){.capacity_items = 10,
                                 .size_bits = UINT64_C(1) << 53,
                                 .hash_count = 24},
                  SEENSET_ETOOBIG);
}

static void plan_refuses_layouts_without_a_plan(void **state)
{
    (void)state;
    const seenset_layout layouts[] = {SEENSET_LAYOUT_EXPANDABLE,
                                      (seenset_layout)99};
    for (size_t i = 0; i < TEST_COUNT(layouts); i++)
        check_refused((seenset_plan){.layout = layouts[i],
                                     .capacity_items = 10,
                                     .fp_rate = 0.1},
                      SEENSET_EINVAL);
    assert_int_equal(seenset_plan_solve(NULL), SEENSET_EINVAL);
}

static void plan_refuses_too_little_and_too_much(void **state)
{
    (void)state;
    check_refused((seenset_plan){0}, SEENSET_EINVAL);
    check_refused((seenset_plan){.capacity_items = 10}, SEENSET_EINVAL);
    check_refused((seenset_plan){.fp_rate = 0.1}, SEENSET_EINVAL);
    check_refused((seenset_plan){.size_bits = 10}, SEENSET_EINVAL);
    check_refused((seenset_plan){.hash_count = 8}, SEENSET_EINVAL);
    check_refused((seenset_plan){.fp_rate = 0.1, .hash_count = 8},
                  SEENSET_EINVAL);
    check_refused((seenset_plan){.size_bits = 512, .hash_count = 8},
                  SEENSET_EINVAL);
    check_refused((seenset_plan){.capacity_items = 512, .hash_count = 8},
                  SEENSET_EINVAL);
    /* contradictions */
    seenset_plan plan = {
        .capacity_items = 1000, .fp_rate = 0.01, .size_bits = 5120};
    check_refused(plan, SEENSET_ERATE);
    plan.hash_count = 8;
    check_refused(plan, SEENSET_ERATE);
    plan.size_bits = 20480;
    check_solved(plan);
    /* a rate under n / 2^64 cannot be kept, however many bits there are */
    check_refused((seenset_plan){.capacity_items = 1000000, .fp_rate = 1e-14},
                  SEENSET_ERATE);
    check_refused((seenset_plan){.size_bits = 1 << 20, .fp_rate = 1e-20},
                  SEENSET_ERATE);
    check_solved((seenset_plan){.capacity_items = 1000000, .fp_rate = 1e-12});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plan_refuses_rates_out_of_range),
        cmocka_unit_test(plan_refuses_hash_counts_out_of_range),
        cmocka_unit_test(plan_refuses_sealed_tables_of_other_shapes),
        cmocka_unit_test(plan_refuses_sizes_out_of_range),
        cmocka_unit_test(plan_refuses_layouts_without_a_plan),
        cmocka_unit_test(plan_refuses_too_little_and_too_much),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
