/*
 * plan.c - the planner: the figures that design and README quote, and every
 * combination of given fields against the others.
 */
#include <math.h>

#include "support.h"
#include "seenset/extra/formulas.h"

static seenset_plan solve(seenset_plan plan)
{
    assert_int_equal(seenset_plan_solve(&plan), SEENSET_OK);
    return plan;
}

static void plan_keeps_the_bits_per_key_of_the_design(void **state)
{
    static const struct {
        seenset_layout layout;
        double fp_rate;
        uint32_t given_count;
        uint32_t hash_count;
        double bits_per_key;
    } rows[] = {{SEENSET_LAYOUT_BLOOM, 1e-2, 0, 7, 9.59},
                {SEENSET_LAYOUT_BLOOM, 1e-3, 0, 10, 14.38},
                {SEENSET_LAYOUT_BLOOM, 1e-4, 0, 13, 19.17},
                {SEENSET_LAYOUT_BLOOM, 1e-6, 0, 20, 28.76},
                {SEENSET_LAYOUT_BLOCKED, 1e-2, 0, 8, 10.10},
                {SEENSET_LAYOUT_BLOCKED, 1e-3, 0, 8, 15.73},
                {SEENSET_LAYOUT_BLOCKED, 1e-4, 0, 16, 20.2},
                {SEENSET_LAYOUT_BLOCKED, 1e-6, 0, 16, 31.4},
                {SEENSET_LAYOUT_BLOCKED, 1e-6, 24, 24, 30.3}};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(rows); i++) {
        seenset_plan plan =
            solve((seenset_plan){.layout = rows[i].layout,
                                 .capacity_items = 10000000,
                                 .fp_rate = rows[i].fp_rate,
                                 .hash_count = rows[i].given_count});
        assert_int_equal(plan.hash_count, rows[i].hash_count);
        assert_true(fabs(plan.bits_per_key - rows[i].bits_per_key) < 0.1);
    }
}

/*
 * A billion keys. The textbook's m = -n ln p / ln(2)^2 is reached only with a
 * k that is no whole number, so the honest size is a hair above it.
 */
static void plan_says_what_a_billion_keys_take(void **state)
{
    static const struct {
        double fp_rate, gigabytes, floor_gigabytes;
    } rows[] = {{1e-2, 1.198, 0.830}, {1e-4, 2.396, 1.661}};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(rows); i++) {
        double p = rows[i].fp_rate;
        seenset_plan plan = solve((seenset_plan){.layout = SEENSET_LAYOUT_BLOOM,
                                                 .capacity_items = 1000000000,
                                                 .fp_rate = p});
        double textbook = -1e9 * log(p) / (log(2) * log(2));
        double bits = (double)plan.size_bits;
        assert_true(bits >= textbook && bits <= textbook * 1.002);
        assert_true(test_is_near(bits / 8e9, rows[i].gigabytes, 0.002));
        assert_true(test_is_near(plan.floor_bits / 8e9, rows[i].floor_gigabytes,
                                 0.001));
        assert_true(plan.expected_fp_rate <= p);
    }
}

/* "A billion URLs in 18 MB" is what some promise. */
static void plan_says_what_18_megabytes_hold(void **state)
{
    seenset_plan plan = {.layout = SEENSET_LAYOUT_BLOOM,
                         .size_bits = 144000000};
    (void)state;
    plan.fp_rate = 1e-2;
    assert_true(fabs((double)solve(plan).capacity_items / 1e6 - 15.0) < 0.05);
    plan.fp_rate = 1e-4;
    assert_true(fabs((double)solve(plan).capacity_items / 1e6 - 7.5) < 0.05);
    plan.fp_rate = 0.0;
    plan.capacity_items = 1000000000;
    assert_true(solve(plan).fp_rate > 0.9);
}

/* ---- any of them from the others ---- */

/* The rate that the planner takes: the expected one, or a little over it. */
static double rate_of(const seenset_plan *plan, uint64_t n, uint64_t m)
{
    seenset_plan given = {.layout = plan->layout,
                          .capacity_items = n,
                          .size_bits = m,
                          .hash_count = plan->hash_count};
    double expected =
        seenset_plan_fp_rate(plan->layout, n, m, plan->hash_count);
    assert_int_equal(seenset_plan_solve(&given), SEENSET_OK);
    assert_true(given.expected_fp_rate >= expected);
    return given.expected_fp_rate;
}

static uint64_t unit_of(const seenset_plan *plan)
{
    return plan->layout == SEENSET_LAYOUT_BLOCKED ? 64 * plan->hash_count : 1;
}

/* What a solved plan says of itself, whatever was given. */
static void check_sound(const seenset_plan *plan)
{
    double n = (double)plan->capacity_items, m = (double)plan->size_bits;
    assert_true(plan->expected_fp_rate <= plan->fp_rate);
    assert_true(plan->expected_fp_rate ==
                rate_of(plan, plan->capacity_items, plan->size_bits));
    assert_int_equal(plan->size_bits % unit_of(plan), 0);
    assert_true(test_is_near(plan->bits_per_key, m / n, 1e-12));
    if (plan->fp_rate < 1.0)
        assert_true(
            test_is_near(plan->floor_bits, n * -log2(plan->fp_rate), 1e-12));
}

/* The fewest bits: a unit less breaks the promise. */
static void check_fewest_bits(const seenset_plan *plan)
{
    uint64_t unit = unit_of(plan);
    check_sound(plan);
    if (plan->size_bits > unit)
        assert_true(rate_of(plan, plan->capacity_items,
                            plan->size_bits - unit) > plan->fp_rate);
}

/* The most keys: one more breaks it. */
static void check_most_items(const seenset_plan *plan)
{
    check_sound(plan);
    assert_true(rate_of(plan, plan->capacity_items + 1, plan->size_bits) >
                plan->fp_rate);
}

static void check_all_ways(seenset_plan given)
{
    seenset_plan full = solve(given), again, plan;
    check_fewest_bits(&full);
    again = solve(full); /* n, p, m, k: nothing to find */
    assert_true(again.size_bits == full.size_bits &&
                again.hash_count == full.hash_count &&
                again.expected_fp_rate == full.expected_fp_rate);
    plan = full;
    plan.size_bits = 0; /* n, p, k */
    plan = solve(plan);
    assert_true(plan.size_bits == full.size_bits);
    plan = full;
    plan.fp_rate = 0.0; /* n, m, k */
    plan = solve(plan);
    assert_true(plan.fp_rate == full.expected_fp_rate);
    plan = full;
    plan.capacity_items = 0; /* m, p, k */
    plan = solve(plan);
    check_most_items(&plan);
    assert_true(plan.capacity_items >= full.capacity_items);
    plan = full;
    plan.hash_count = 0; /* n, p, m: the smallest k */
    plan = solve(plan);
    check_sound(&plan);
    assert_true(plan.hash_count <= full.hash_count);
    plan = full;
    plan.hash_count = 0;
    plan.fp_rate = 0.0; /* n, m */
    plan = solve(plan);
    check_sound(&plan);
    assert_true(full.layout != SEENSET_LAYOUT_BLOOM ||
                plan.fp_rate <= full.expected_fp_rate * (1 + 1e-9) ||
                full.capacity_items < 1000);
    plan = full;
    plan.hash_count = 0;
    plan.capacity_items = 0; /* m, p */
    plan = solve(plan);
    check_most_items(&plan);
}

static void plan_ways_agree(void **state)
{
    test_random random = {7};
    (void)state;
    for (int i = 0; i < 3000; i += TEST_STEP) {
        seenset_plan given = {
            .layout = i % 2 ? SEENSET_LAYOUT_BLOOM : SEENSET_LAYOUT_BLOCKED,
            .capacity_items =
                (uint64_t)exp2(test_random_unit(&random) * (i % 3 ? 20 : 36)),
            .fp_rate = exp2(-0.1 - test_random_unit(&random) * 26)};
        if (i % 5 == 0 && given.layout == SEENSET_LAYOUT_BLOCKED)
            given.hash_count = 8 + 8 * (uint32_t)(i / 5 % 3);
        check_all_ways(given);
    }
}

static void plan_takes_any_hash_count_of_the_layout(void **state)
{
    (void)state;
    for (uint32_t k = 0; k <= 255; k++) {
        seenset_plan plan = {.layout = SEENSET_LAYOUT_BLOOM,
                             .capacity_items = 10,
                             .size_bits = 100000,
                             .hash_count = k};
        seenset_plan blocked = plan;
        plan = solve(plan);
        check_sound(&plan);
        if (k > 24 || k % 8 != 0)
            continue;
        blocked.layout = SEENSET_LAYOUT_BLOCKED;
        blocked = solve(blocked);
        check_sound(&blocked);
    }
}

static void plan_of_a_sealed_table_is_its_shape(void **state)
{
    static const double rates[] = {0.01, 1e-4, 1e-6};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(rates); i++) {
        for (uint32_t arity = 3; arity <= 4; arity++) {
            seenset_plan plan =
                solve((seenset_plan){.layout = SEENSET_LAYOUT_SEALED,
                                     .capacity_items = 1000000,
                                     .fp_rate = rates[i],
                                     .hash_count = arity});
            double bits = -log2(plan.expected_fp_rate);
            double most = arity == 3 ? 1.13 : 1.08;
            assert_true(plan.expected_fp_rate <= rates[i]);
            assert_true(plan.bits_per_key <= most * bits + 1e-6);
            assert_true(plan.bits_per_key >= bits);
        }
    }
}

/* A third of what counters of four bits take. */
static void plan_of_fingerprints_is_small(void **state)
{
    static const struct {
        double fp_rate, most_bits;
    } rows[] = {{0.01, 14.0}, {1e-4, 23.0}};
    (void)state;
    for (uint64_t items = 1000; items <= 1000000000; items *= 10) {
        for (size_t i = 0; i < TEST_COUNT(rows); i++) {
            seenset_plan plan = {.layout = SEENSET_LAYOUT_FINGERPRINT,
                                 .capacity_items = items,
                                 .fp_rate = rows[i].fp_rate};
            seenset_plan counting = {.layout = SEENSET_LAYOUT_COUNTING,
                                     .capacity_items = items,
                                     .fp_rate = rows[i].fp_rate};
            assert_int_equal(seenset_plan_solve(&plan), SEENSET_OK);
            assert_int_equal(seenset_plan_solve(&counting), SEENSET_OK);
            assert_true(plan.bits_per_key <= rows[i].most_bits);
            assert_true(4 * counting.bits_per_key > 2.7 * plan.bits_per_key);
        }
    }
}

/* ---- sizes and rates ---- */

static void plan_rounds_up_to_whole_lines(void **state)
{
    (void)state;
    for (uint64_t m = 1; m < 5000; m += 13) {
        for (uint32_t k = 8; k <= 24; k += 8) {
            seenset_plan plan = solve((seenset_plan){
                .capacity_items = 10, .size_bits = m, .hash_count = k});
            assert_true(plan.size_bits >= m && plan.size_bits < m + 64 * k);
            assert_int_equal(plan.size_bits % (64 * k), 0);
        }
    }
}

/* Counters are places like bits: a counting set is planned like a classic. */
static void plan_counts_counters_as_bits(void **state)
{
    (void)state;
    for (double p = 0.4; p > 1e-8; p *= 0.31) {
        seenset_plan classic = {.layout = SEENSET_LAYOUT_BLOOM,
                                .capacity_items = 12345,
                                .fp_rate = p};
        seenset_plan counting = classic;
        counting.layout = SEENSET_LAYOUT_COUNTING;
        classic = solve(classic);
        counting = solve(counting);
        check_sound(&counting);
        assert_int_equal(counting.layout, SEENSET_LAYOUT_COUNTING);
        assert_int_equal(counting.size_bits, classic.size_bits);
        assert_int_equal(counting.hash_count, classic.hash_count);
        assert_true(counting.fp_rate == classic.fp_rate);
    }
}

/* Figures computed with 50 digits; a bound over 1 says nothing. */
static void overflow_bounds_are_those_of_the_formula(void **state)
{
    static const struct {
        uint64_t n, m;
        uint32_t k, bits;
        double bound;
    } rows[] = {{1000000, 9592960, 7, 4, 6.3413550921231529e-7},
                {5000, 64681, 9, 5, 1.4361592058323083e-33},
                {100, 1000, 3, 3, 2.9122179624901663e-4},
                {1000, 100, 1, 2, 1.0},
                {1, 1, 255, 16, 0.0},
                {0, 100, 3, 2, 0.0}};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(rows); i++) {
        double bound = seenset_plan_overflow_bound(rows[i].n, rows[i].m,
                                                   rows[i].k, rows[i].bits);
        assert_true(bound == rows[i].bound ||
                    test_is_near(bound, rows[i].bound, 1e-12));
        assert_false(test_is_near(bound, rows[i].bound * 1.01 + 1e-300, 1e-12));
    }
    assert_true(isnan(seenset_plan_overflow_bound(1, 100, 3, 1)));
    assert_true(isnan(seenset_plan_overflow_bound(1, 100, 3, 17)));
    assert_true(isnan(seenset_plan_overflow_bound(1, 100, 0, 4)));
    assert_true(isnan(seenset_plan_overflow_bound(1, 100, 256, 4)));
    assert_true(isnan(seenset_plan_overflow_bound(1, 0, 3, 4)));
    assert_true(
        isnan(seenset_plan_overflow_bound(1, SEENSET_MAX_SIZE_BITS + 1, 3, 4)));
}

/* Only a layout that is named, and whose shape is m and k, has a rate. */
static void rates_are_of_a_layout_that_is_named(void **state)
{
    static const seenset_layout none[] = {
        SEENSET_LAYOUT_DEFAULT, SEENSET_LAYOUT_SEALED,
        SEENSET_LAYOUT_EXPANDABLE, (seenset_layout)99};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(none); i++) {
        assert_true(isnan(seenset_plan_fp_rate(none[i], 10, 1536, 3)));
        assert_true(isnan(seenset_plan_wrong_items(none[i], 10, 1536, 3)));
    }
    assert_true(seenset_plan_fp_rate(SEENSET_LAYOUT_BLOOM, 10, 1536, 3) > 0);
}

/* One bit: never set before the first key, and always after. */
static void rates_of_one_bit_are_0_and_1(void **state)
{
    (void)state;
    for (uint32_t k = 1; k <= 2; k++) {
        assert_true(seenset_plan_fp_rate(SEENSET_LAYOUT_BLOOM, 0, 1, k) == 0);
        assert_true(seenset_plan_fp_rate(SEENSET_LAYOUT_BLOOM, 1, 1, k) == 1);
    }
}

static void layouts_have_names(void **state)
{
    (void)state;
    assert_string_equal(seenset_layout_name(SEENSET_LAYOUT_BLOOM), "bloom");
    assert_string_equal(seenset_layout_name(SEENSET_LAYOUT_BLOCKED), "blocked");
    assert_string_equal(seenset_layout_name(SEENSET_LAYOUT_COUNTING),
                        "counting");
    assert_string_equal(seenset_layout_name(SEENSET_LAYOUT_SEALED), "sealed");
    assert_string_equal(seenset_layout_name(SEENSET_LAYOUT_EXPANDABLE),
                        "expandable");
    assert_string_equal(seenset_layout_name((seenset_layout)0), "unknown");
    assert_string_equal(seenset_layout_name((seenset_layout)99), "unknown");
}

/* The most keys that there can be is a capacity too. */
static void plans_go_up_to_the_most_items(void **state)
{
    (void)state;
    seenset_plan plan = {.layout = SEENSET_LAYOUT_BLOOM,
                         .size_bits = SEENSET_MAX_SIZE_BITS,
                         .hash_count = 1,
                         .fp_rate = 0.7};
    assert_int_equal(seenset_plan_solve(&plan), SEENSET_OK);
    assert_true(plan.capacity_items == SEENSET_MAX_SIZE_BITS);
}

/* A rate that is met exactly is kept; one that no key keeps is told. */
static void plans_keep_a_rate_that_is_met_exactly(void **state)
{
    (void)state;
    seenset_plan plan = {
        .layout = SEENSET_LAYOUT_BLOOM, .size_bits = 1024, .hash_count = 3};
    plan.fp_rate = rate_of(&plan, 100, 1024);
    assert_int_equal(seenset_plan_solve(&plan), SEENSET_OK);
    assert_true(plan.capacity_items == 100);
    plan.capacity_items = 0;
    plan.fp_rate = 1e-15;
    assert_int_equal(seenset_plan_solve(&plan), SEENSET_ERATE);
    assert_true(plan.capacity_items == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plan_keeps_the_bits_per_key_of_the_design),
        cmocka_unit_test(plan_says_what_a_billion_keys_take),
        cmocka_unit_test(plan_says_what_18_megabytes_hold),
        cmocka_unit_test(plan_ways_agree),
        cmocka_unit_test(plan_takes_any_hash_count_of_the_layout),
        cmocka_unit_test(plan_of_a_sealed_table_is_its_shape),
        cmocka_unit_test(plan_of_fingerprints_is_small),
        cmocka_unit_test(plan_rounds_up_to_whole_lines),
        cmocka_unit_test(plan_counts_counters_as_bits),
        cmocka_unit_test(overflow_bounds_are_those_of_the_formula),
        cmocka_unit_test(rates_are_of_a_layout_that_is_named),
        cmocka_unit_test(rates_of_one_bit_are_0_and_1),
        cmocka_unit_test(layouts_have_names),
        cmocka_unit_test(plans_go_up_to_the_most_items),
        cmocka_unit_test(plans_keep_a_rate_that_is_met_exactly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
