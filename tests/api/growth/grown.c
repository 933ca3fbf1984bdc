/*
 * grown.c - what is planned of a set that grows is what the set then is, at
 * every number of keys.
 *
 *     test_grown [KEYS]     first capacities of up to so many for the rates of
 *                           200 sets each; 1,000 if not given
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"
#include "seenset/extra/formulas.h"

static uint64_t most_first_items = 1000;

static seenset_plan_growth plan_grown(const seenset_plan *first, uint64_t items)
{
    seenset_plan_growth out;
    assert_int_equal(seenset_plan_grown(first, items, &out, sizeof out), 0);
    return out;
}

/* ---- against sets ---- */

/* What has to be equal. */
static bool is_as(const seenset_plan_growth *planned,
                  const seenset_stats *really)
{
    return planned->layout == really->layout &&
           planned->table_count == really->table_count &&
           planned->added_items == really->added_items &&
           planned->hash_count == really->hash_count &&
           planned->fp_rate == really->fp_rate;
}

/* A table of a fixed size has that; one that grows in place is near what is
 * expected of it: a step of its growth more, or less. */
static bool is_as_large(const seenset_plan_growth *planned,
                        const seenset_stats *really)
{
    double part = planned->expanded_items > 0 ? 0.06 : 0.0;
    return test_is_near((double)planned->capacity_items,
                        (double)really->capacity_items, 2.0 * part) &&
           test_is_near((double)planned->size_bits, (double)really->size_bits,
                        part) &&
           test_is_near((double)planned->memory_bytes,
                        (double)really->memory_bytes, part);
}

/* Of one table: a bit in each place, or eight in a block; of one that grows in
 * place an entry and a line. */
static uint32_t probes_of(const seenset_table_info *table)
{
    if (table->layout == SEENSET_LAYOUT_EXPANDABLE)
        return 2;
    return table->layout == SEENSET_LAYOUT_BLOOM ? table->hash_count
                                                 : table->hash_count / 8;
}

static void check_lookups(const seenset *set,
                          const seenset_plan_growth *planned)
{
    double asked = 0.0;
    uint32_t probes = 0;
    uint64_t expanded = 0;
    for (uint32_t i = 0; i < planned->table_count; i++) {
        seenset_table_info table = test_table_of(set, i);
        asked += (double)table.added_items * (double)(planned->table_count - i);
        probes += probes_of(&table);
        if (table.layout == SEENSET_LAYOUT_EXPANDABLE)
            expanded += table.added_items;
    }
    assert_int_equal(planned->expanded_items, expanded);
    assert_int_equal(planned->probe_count, probes);
    assert_true(test_is_near(planned->mean_tables_asked,
                             asked / (double)planned->added_items, 1e-12));
    assert_true(planned->mean_tables_asked >= 1.0 &&
                planned->mean_tables_asked <= planned->table_count);
}

/* Rates are those of the mean set; one set is near, where tables are large. */
static void check_rates(const seenset_plan_growth *planned,
                        const seenset_stats *really)
{
    assert_true(planned->expected_fp_rate <= planned->fp_rate);
    if (planned->added_items < 20000 || planned->first_capacity_items < 1000 ||
        planned->fp_rate < 0.01)
        return;
    assert_true(
        test_is_near(really->current_fp_rate, planned->expected_fp_rate, 0.2));
    assert_true(really->wrong_items < 1.0 ||
                test_is_near(really->wrong_items, planned->wrong_items, 0.2));
}

static void check_set(const seenset *set, const seenset_plan *first)
{
    seenset_stats really = test_stats_of(set);
    seenset_plan_growth planned = plan_grown(first, really.added_items);
    double items = (double)really.added_items;
    assert_true(is_as(&planned, &really));
    assert_true(is_as_large(&planned, &really));
    assert_int_equal(planned.first_capacity_items, first->capacity_items);
    assert_true(planned.bits_per_key == (double)planned.size_bits / items);
    assert_true(planned.floor_bits ==
                seenset_plan_floor_bits(really.added_items, first->fp_rate));
    check_lookups(set, &planned);
    check_rates(&planned, &really);
    /* planted: the figures of a set that goes on are others */
    planned = plan_grown(first, really.added_items * 4 + 5000);
    assert_false(is_as(&planned, &really));
    assert_false(is_as_large(&planned, &really));
}

/* Adds keys one by one, as long as fewer than `items` were new. */
static void grow_to(seenset *set, uint64_t items, uint64_t *next)
{
    seenset_info info;
    do {
        (void)seenset_add_hash(set, test_mix((*next)++));
        assert_int_equal(seenset_get_info(set, &info, sizeof info), 0);
    } while (info.added_items < items);
}

/* Looks when the first table is full, with a key more, and at some more keys
 * in each doubling from then on. */
static void check_growth(const seenset_plan *first, uint64_t most_items)
{
    seenset *set =
        test_make((seenset_options){.layout = first->layout,
                                    .on_full = SEENSET_ON_FULL_GROW,
                                    .capacity_items = first->capacity_items,
                                    .fp_rate = first->fp_rate});
    uint64_t next = 0, items = first->capacity_items;
    grow_to(set, items, &next);
    check_set(set, first);
    assert_int_equal(test_stats_of(set).table_count, 1);
    for (items++; items <= most_items; items += items / 3 + 1) {
        grow_to(set, items, &next);
        check_set(set, first);
    }
    seenset_free(set);
}

static void grown_plans_are_the_sets(void **state)
{
    static const struct {
        uint64_t first_items, most_items;
    } histories[] = {
        {1, 2000}, {10, 5000}, {317, 20000}, {1000, 32000}, {20000, 100000}};
    static const double rates[] = {0.3, 0.01, 1e-7, 1e-9, 1e-12};
    size_t round = 0;
    (void)state;
    for (seenset_layout layout = SEENSET_LAYOUT_BLOCKED; layout != 0;
         layout = test_next_layout(layout))
        for (size_t i = 0; i < TEST_COUNT(histories); i++)
            for (size_t j = round++ % TEST_STEP; j < TEST_COUNT(rates);
                 j += TEST_STEP)
                check_growth(
                    &(seenset_plan){.layout = layout,
                                    .capacity_items = histories[i].first_items,
                                    .fp_rate = rates[j]},
                    histories[i].most_items);
}

/* ---- the rates ---- */

enum {
    SETS = 60
};

/* Of so many sets with keys of their own: the mean of a figure. */
typedef struct means {
    double rate, wrong;
} means;

static means measure(const seenset_plan *first, uint64_t items)
{
    means sum = {0};
    for (uint64_t i = 0; i < SETS; i++) {
        seenset *set =
            test_make((seenset_options){.layout = first->layout,
                                        .capacity_items = first->capacity_items,
                                        .fp_rate = first->fp_rate});
        uint64_t next = i << 32;
        grow_to(set, items, &next);
        seenset_stats stats = test_stats_of(set);
        sum.rate += stats.current_fp_rate / SETS;
        sum.wrong += (double)(next - (i << 32) - items) / SETS;
        seenset_free(set);
    }
    return sum;
}

/* Rates of sets so small differ by a tenth, and their mean by a hundredth; the
 * keys taken for seen are counted, some hundred in all. */
static void check_means(const seenset_plan *first, uint64_t items)
{
    seenset_plan_growth planned = plan_grown(first, items);
    means found = measure(first, items);
    double counted = planned.wrong_items * SETS;
    assert_true(test_is_near(found.rate, planned.expected_fp_rate, 0.08));
    assert_true(fabs(found.wrong * SETS - counted) <= 6 * sqrt(counted) + 3);
    /* planted: those of another promise */
    seenset_plan other = *first;
    other.fp_rate *= 2.0;
    planned = plan_grown(&other, items);
    assert_false(test_is_near(found.rate, planned.expected_fp_rate, 0.08));
}

static void planned_rates_are_means_over_sets(void **state)
{
    (void)state;
    for (seenset_layout layout = SEENSET_LAYOUT_BLOCKED; layout != 0;
         layout = test_next_layout(layout)) {
        seenset_plan first = {
            .layout = layout, .capacity_items = 300, .fp_rate = 0.05};
        check_means(&first, 300);
        check_means(&first, 800);
        first.fp_rate = 1e-3;
        check_means(&first, 2100);
    }
}

/* Of 200 sets of each kind, how many are over a rate with twelve times the keys
 * that they were planned for. */
static uint64_t count_over(const seenset_plan *first, double rate)
{
    uint64_t over = 0;
    for (uint64_t i = 0; i < 200; i++) {
        seenset *set =
            test_make((seenset_options){.capacity_items = first->capacity_items,
                                        .fp_rate = first->fp_rate});
        uint64_t stream = (first->capacity_items + i) << 32;
        test_add_stream(set, stream, stream + first->capacity_items * 12);
        over += test_stats_of(set).current_fp_rate > rate;
        seenset_free(set);
    }
    return over;
}

/* One of them at most, as is expected. */
static void check_promise(uint64_t first_items, double fp_rate)
{
    seenset_plan first = {.capacity_items = first_items, .fp_rate = fp_rate};
    uint64_t over = count_over(&first, fp_rate);
    assert_true(over <= 1 || test_is_binomial(over, 200, 1.0 / 200));
    /* planted: what is expected in the mean is kept by half of them */
    double mean = plan_grown(&first, first_items * 12).expected_fp_rate;
    over = count_over(&first, mean * 0.97);
    assert_false(over <= 1 || test_is_binomial(over, 200, 1.0 / 200));
}

static void grown_sets_keep_their_promise(void **state)
{
    (void)state;
    for (uint64_t first = 10; first <= most_first_items; first *= 10) {
        check_promise(first, 0.3);
        check_promise(first, 0.01);
        check_promise(first, 1e-4);
    }
}

/* ---- where it ends ---- */

/* What seenset_add_hash returns, seenset_plan_grown returns beforehand. */
static void plans_end_where_sets_do(void **state)
{
    const seenset_plan first = {.capacity_items = 1000, .fp_rate = 1e-15};
    seenset_plan_growth out;
    seenset *set = test_make((seenset_options){
        .capacity_items = first.capacity_items, .fp_rate = first.fp_rate});
    uint64_t i = 0;
    int answer;
    (void)state;
    while ((answer = seenset_add_hash(set, test_mix(i))) == 1)
        i++;
    assert_int_equal(answer, SEENSET_ERATE);
    assert_int_equal(plan_grown(&first, i).added_items, i);
    assert_int_equal(seenset_plan_grown(&first, i + 1, &out, sizeof out),
                     SEENSET_ERATE);
    seenset_free(set);
}

/* From there on nothing is planned; and up to there, everything. */
static void check_far(seenset_layout layout, uint64_t first_items)
{
    const seenset_plan first = {
        .layout = layout, .capacity_items = first_items, .fp_rate = 0.1};
    seenset_plan_growth out;
    int error = 0;
    for (uint64_t items = 1; items <= SEENSET_MAX_SIZE_BITS; items *= 16) {
        int before = error;
        error = seenset_plan_grown(&first, items, &out, sizeof out);
        assert_true(before == 0 || error == before);
        assert_true(error == 0 || error == SEENSET_ERATE ||
                    error == SEENSET_ETOOBIG);
        if (error != 0)
            continue;
        assert_int_equal(out.added_items, items);
        assert_true(out.expected_fp_rate > 0 && out.expected_fp_rate <= 0.1);
        assert_true(out.bits_per_key > 0 && isfinite(out.bits_per_key));
    }
    assert_int_equal(
        seenset_plan_grown(&first, UINT64_C(1) << 28, &out, sizeof out), 0);
}

static void the_longest_growth_is_planned(void **state)
{
    (void)state;
    for (seenset_layout layout = SEENSET_LAYOUT_BLOCKED; layout != 0;
         layout = test_next_layout(layout)) {
        check_far(layout, 1);
        check_far(layout, 1000000);
        check_far(layout, UINT64_C(1) << 34);
    }
}

/* ---- arguments ---- */

static void check_refused(int error, seenset_plan first, uint64_t items)
{
    seenset_plan_growth out, before;
    memset(&out, 0x55, sizeof out);
    before = out;
    assert_int_equal(seenset_plan_grown(&first, items, &out, sizeof out),
                     error);
    assert_memory_equal(&out, &before, sizeof out);
}

static void plans_that_cannot_grow_are_refused(void **state)
{
    const seenset_plan sound = {.capacity_items = 1000, .fp_rate = 0.01};
    static const double no_rates[] = {0.0, 1.0, -0.1, 2.0, NAN, INFINITY};
    seenset_plan_growth out;
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(no_rates); i++)
        check_refused(
            SEENSET_EINVAL,
            (seenset_plan){.capacity_items = 1000, .fp_rate = no_rates[i]}, 5);
    check_refused(SEENSET_EINVAL, (seenset_plan){.fp_rate = 0.01}, 5);
    check_refused(SEENSET_EINVAL, sound, 0);
    check_refused(SEENSET_EINVAL, sound, SEENSET_MAX_SIZE_BITS + 1);
    check_refused(SEENSET_EINVAL,
                  (seenset_plan){.layout = (seenset_layout)77,
                                 .capacity_items = 1000,
                                 .fp_rate = 0.01},
                  5);
    check_refused(SEENSET_ETOOBIG,
                  (seenset_plan){.capacity_items = UINT64_MAX, .fp_rate = 0.01},
                  5);
    check_refused(SEENSET_ERATE,
                  (seenset_plan){.capacity_items = 1000, .fp_rate = 1e-17}, 5);
    for (int layout = SEENSET_LAYOUT_COUNTING; layout <= SEENSET_LAYOUT_SEALED;
         layout++)
        check_refused(SEENSET_EUNSUPPORTED,
                      (seenset_plan){.layout = (seenset_layout)layout,
                                     .capacity_items = 1000,
                                     .fp_rate = 0.01},
                      5);
    assert_int_equal(seenset_plan_grown(NULL, 5, &out, sizeof out),
                     SEENSET_EINVAL);
    assert_int_equal(seenset_plan_grown(&sound, 5, NULL, sizeof out),
                     SEENSET_EINVAL);
    assert_int_equal(seenset_plan_grown(&sound, 5, &out, 0), SEENSET_EINVAL);
}

/* A size that a plan was solved for is not that of a set that grows. */
static void grown_plans_read_three_fields(void **state)
{
    const seenset_plan given = {.capacity_items = 1000, .fp_rate = 0.01};
    seenset_plan solved = given;
    (void)state;
    assert_int_equal(seenset_plan_solve(&solved), 0);
    seenset_plan_growth a = plan_grown(&given, 5000);
    seenset_plan_growth b = plan_grown(&solved, 5000);
    assert_memory_equal(&a, &b, sizeof a);
    assert_true(plan_grown(&given, 1000).size_bits > solved.size_bits);
}

/* Older and newer programs have a shorter and a longer struct. */
static void grown_plans_fit_the_callers_struct(void **state)
{
    const seenset_plan first = {.capacity_items = 1000, .fp_rate = 0.01};
    const seenset_plan_growth whole = plan_grown(&first, 5000);
    uint8_t room[sizeof whole + 16];
    (void)state;
    for (size_t bytes = 1; bytes <= sizeof room; bytes++) {
        size_t known = bytes < sizeof whole ? bytes : sizeof whole;
        memset(room, 0x55, sizeof room);
        assert_int_equal(seenset_plan_grown(&first, 5000,
                                            (seenset_plan_growth *)(void *)room,
                                            bytes),
                         0);
        assert_memory_equal(room, &whole, known);
        for (size_t i = known; i < sizeof room; i++)
            assert_int_equal(room[i], i < bytes ? 0 : 0x55);
    }
}

int main(int argc, char **argv)
{
    if (argc > 1)
        most_first_items = strtoull(argv[1], NULL, 10);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grown_plans_are_the_sets),
        cmocka_unit_test(planned_rates_are_means_over_sets),
        cmocka_unit_test(grown_sets_keep_their_promise),
        cmocka_unit_test(plans_end_where_sets_do),
        cmocka_unit_test(the_longest_growth_is_planned),
        cmocka_unit_test(plans_that_cannot_grow_are_refused),
        cmocka_unit_test(grown_plans_read_three_fields),
        cmocka_unit_test(grown_plans_fit_the_callers_struct)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
