/*
 * plan_scheme.c - plans of index schemes: the sizes that another system takes,
 * and what is refused.
 */
#include "support.h"

static const uint32_t factors[] = {31, 131, 1313, 13131};

static const seenset_scheme_arguments seed = {.seed = 77},
                                      list = {.seeds = factors,
                                              .seed_count = 4};

static seenset_plan solve(seenset_scheme scheme, uint64_t n, double p,
                          const seenset_scheme_arguments *arguments)
{
    seenset_plan plan = {.capacity_items = n, .fp_rate = p};
    assert_int_equal(seenset_plan_solve_scheme(&plan, scheme, arguments),
                     SEENSET_OK);
    assert_true(plan.expected_fp_rate <= p);
    assert_true(plan.layout == SEENSET_LAYOUT_BLOOM);
    assert_int_equal(plan.capacity_items, n);
    return plan;
}

static void plans_have_sizes_of_the_scheme(void **state)
{
    (void)state;
    seenset_plan plan = solve(SEENSET_SCHEME_POLYNOMIAL, 1000000, 0.01, NULL);
    assert_int_equal(plan.size_bits, 1 << 24);
    assert_int_equal(plan.hash_count, 7);
    assert_true(plan.expected_fp_rate < 0.001);
    /* 13 hashes would be best, and it has 7, and then 4 */
    plan = solve(SEENSET_SCHEME_POLYNOMIAL, 1000000, 1e-4, NULL);
    assert_int_equal(plan.hash_count, 7);
    plan = solve(SEENSET_SCHEME_POLYNOMIAL, 1000000, 1e-4, &list);
    assert_int_equal(plan.hash_count, 4);
    plan = solve(SEENSET_SCHEME_MURMUR2A_FNV1A, 1000, 0.01, NULL);
    assert_int_equal(plan.hash_count, 2);
    plan = solve(SEENSET_SCHEME_CLICKHOUSE_TOKENBF, 1001, 0.01, NULL);
    assert_int_equal(plan.size_bits % 8, 0);
    plan = solve(SEENSET_SCHEME_MURMUR3_128, 1000000, 0.01, NULL);
    seenset_plan classic = {.layout = SEENSET_LAYOUT_BLOOM,
                            .capacity_items = 1000000,
                            .fp_rate = 0.01};
    assert_int_equal(seenset_plan_solve(&classic), SEENSET_OK);
    assert_memory_equal(&plan, &classic, sizeof plan);
}

/* The parameters of its index bloom_filter(p): where its rule's answer changes,
 * next to that, and past the end of its table. */
static void plans_of_clickhouse_are_its_own(void **state)
{
    static const struct {
        double p;
        uint32_t bits, k;
    } rows[] = {{0.99, 2, 2},          {0.283, 2, 2},      {0.2829, 3, 2},
                {0.237, 3, 2},         {0.2369, 19, 13},   {0.2344, 19, 13},
                {0.2213, 19, 13},      {0.221, 19, 13},    {0.2209, 4, 2},
                {0.147, 4, 3},         {0.1, 5, 3},        {0.092, 5, 3},
                {0.0919, 6, 2},        {0.0918, 6, 2},     {0.05, 7, 3},
                {0.025, 8, 4},         {0.0217, 8, 5},     {0.0216, 8, 6},
                {0.0215, 9, 4},        {0.01, 10, 5},      {0.00819, 10, 7},
                {0.001, 15, 7},        {0.00099, 15, 8},   {0.000111, 19, 12},
                {0.000110999, 19, 13}, {0.000109, 19, 13}, {1e-9, 19, 13}};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(rows); i++) {
        seenset_plan plan = {.capacity_items = 32768, .fp_rate = rows[i].p};
        assert_int_equal(seenset_plan_solve_scheme(
                             &plan, SEENSET_SCHEME_CLICKHOUSE_BLOOM, NULL),
                         SEENSET_OK);
        assert_int_equal(plan.size_bits, 32768 * rows[i].bits);
        assert_int_equal(plan.hash_count, rows[i].k);
        bool is_kept = plan.expected_fp_rate <= rows[i].p;
        assert_true(plan.fp_rate ==
                    (is_kept ? rows[i].p : plan.expected_fp_rate));
        assert_int_equal(/* all is given, and agrees */
                         seenset_plan_solve_scheme(
                             &plan, SEENSET_SCHEME_CLICKHOUSE_BLOOM, NULL),
                         SEENSET_OK);
    }
    seenset_plan plan = {.capacity_items = 1001, .fp_rate = 0.025};
    assert_int_equal(
        seenset_plan_solve_scheme(&plan, SEENSET_SCHEME_CLICKHOUSE_BLOOM, NULL),
        SEENSET_OK);
    assert_int_equal(plan.size_bits, 8008);
    /* a k that is given: the size that keeps p */
    plan = (seenset_plan){
        .capacity_items = 1000, .fp_rate = 1e-9, .hash_count = 15};
    assert_int_equal(
        seenset_plan_solve_scheme(&plan, SEENSET_SCHEME_CLICKHOUSE_BLOOM, NULL),
        SEENSET_OK);
    assert_true(plan.expected_fp_rate <= 1e-9 && plan.size_bits > 40000);
    plan = (seenset_plan){.capacity_items = 1000, .fp_rate = 0.025};
    assert_int_equal(seenset_plan_solve_scheme(
                         &plan, SEENSET_SCHEME_CLICKHOUSE_TOKENBF, NULL),
                     SEENSET_OK); /* planted: sizes of no rule */
    assert_int_not_equal(plan.size_bits, 8000);
}

static void plans_that_no_scheme_has_are_refused(void **state)
{
    seenset_plan plan = {.capacity_items = 100, .fp_rate = 0.01}, was = plan;
    (void)state;
    assert_int_equal(seenset_plan_solve_scheme(NULL, 0, NULL), SEENSET_EINVAL);
    assert_int_equal(seenset_plan_solve_scheme(&plan, 1000, NULL),
                     SEENSET_EINVAL);
    assert_int_equal(
        seenset_plan_solve_scheme(&plan, SEENSET_SCHEME_MD5_DIVMOD, &seed),
        SEENSET_EINVAL);
    assert_memory_equal(&plan, &was, sizeof plan);
    plan.layout = SEENSET_LAYOUT_SEALED;
    assert_int_equal(
        seenset_plan_solve_scheme(&plan, SEENSET_SCHEME_MD5_DIVMOD, NULL),
        SEENSET_EUNSUPPORTED);
    plan = was;
    plan.layout = (seenset_layout)99;
    assert_int_equal(
        seenset_plan_solve_scheme(&plan, SEENSET_SCHEME_MD5_DIVMOD, NULL),
        SEENSET_EINVAL);
    plan = was;
    plan.fp_rate = 1.5;
    assert_int_equal(
        seenset_plan_solve_scheme(&plan, SEENSET_SCHEME_MD5_DIVMOD, NULL),
        SEENSET_EINVAL);
    plan = (seenset_plan){.size_bits = 1000, .fp_rate = 0.01};
    assert_int_equal(
        seenset_plan_solve_scheme(&plan, SEENSET_SCHEME_POLYNOMIAL, NULL),
        SEENSET_EINVAL);
    plan.size_bits = 1024;
    assert_int_equal(
        seenset_plan_solve_scheme(&plan, SEENSET_SCHEME_POLYNOMIAL, NULL),
        SEENSET_OK);
    /* the chain takes any size: any plan */
    plan = (seenset_plan){.capacity_items = 100, .fp_rate = 0.01};
    assert_int_equal(
        seenset_plan_solve_scheme(&plan, SEENSET_SCHEME_CHAIN, &seed),
        SEENSET_OK);
    assert_int_equal(plan.layout, SEENSET_LAYOUT_BLOCKED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plans_have_sizes_of_the_scheme),
        cmocka_unit_test(plans_of_clickhouse_are_its_own),
        cmocka_unit_test(plans_that_no_scheme_has_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
