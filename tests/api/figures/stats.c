/* stats.c - the figures and the bits of every kind of set */
#include <math.h>

#include "support.h"
#include "seenset/extra/raw.h"

/* What only some kinds of sets have is 0 of the others. */
static void check_kind(const seenset *set, seenset_options made,
                       uint32_t fingerprint_bits)
{
    seenset_stats stats = test_stats_of(set);
    bool is_counting = made.layout == SEENSET_LAYOUT_COUNTING;
    assert_int_equal(stats.counter_bits, is_counting ? made.counter_bits : 0);
    assert_true(is_counting || stats.overflow_bound == 0.0);
    assert_int_equal(stats.full_counters, 0);
    assert_int_equal(stats.fingerprint_bits, fingerprint_bits);
    assert_int_equal(stats.window_generations, made.window_generations);
    assert_int_equal(stats.window_seconds, 0);
    assert_int_equal(stats.is_keyed, 0);
    assert_int_equal(stats.is_read_only, 0);
    assert_int_equal(stats.scheme,
                     made.scheme == 0 ? SEENSET_SCHEME_CHAIN : made.scheme);
}

/* Of the golden ones; a slot that can be taken out has a bit more. */
static uint32_t fingerprint_bits_of(const seenset *set, seenset_layout layout)
{
    return layout == SEENSET_LAYOUT_SEALED
               ? (uint32_t)lround(-log2(test_stats_of(set).current_fp_rate))
           : layout == SEENSET_LAYOUT_FINGERPRINT
               ? test_stats_of(set).hash_count - 1
               : 0;
}

static void fields_that_do_not_apply_are_zero(void **state)
{
    const seenset_key key = {"a", 1};
    seenset *sealed = NULL;
    (void)state;
    for (size_t i = 0; i < TEST_GOLDEN_COUNT; i++) {
        seenset *set = test_golden_make(&test_goldens[i]);
        check_kind(set, test_goldens[i].options,
                   fingerprint_bits_of(set, test_goldens[i].options.layout));
        seenset_free(set);
    }
    assert_int_equal(seenset_build_sealed(&sealed, NULL, &key, 1, NULL, NULL),
                     SEENSET_OK);
    uint32_t bits = test_stats_of(sealed).fingerprint_bits;
    assert_int_equal(bits, 7);
    check_kind(sealed, (seenset_options){.layout = SEENSET_LAYOUT_SEALED},
               bits);
    seenset_free(sealed);
}

/* Bits are asked for table by table. */
static void bits_are_of_one_table(void **state)
{
    seenset *set = test_make((seenset_options){.capacity_items = 10});
    seenset_info info;
    uint8_t bit = 7;
    (void)state;
    test_add_numbers(set, 0, 10);
    assert_int_equal(seenset_get_bits(set, 0, 0, 1, &bit), SEENSET_OK);
    assert_in_range(bit, 0, 1);
    test_add_numbers(set, 10, 11);
    assert_int_equal(seenset_get_info(set, &info, sizeof info), SEENSET_OK);
    assert_int_equal(info.table_count, 2);
    bit = 7;
    assert_int_equal(seenset_get_bits(set, 1, 0, 1, &bit),
                     SEENSET_EUNSUPPORTED);
    assert_int_equal(seenset_get_bits(set, 2, 0, 1, &bit), SEENSET_EINVAL);
    assert_int_equal(bit, 7);
    seenset_free(set);
}

/* Positions and counts were ints: guava#1119 and guava#1067 (only 2^31 bits
 * were ever used), fastfilter_cpp#7 (sizes overflowed at 500 million keys). */
static void arguments_are_not_narrowed(void **state)
{
    (void)state;
    const uint64_t over = (UINT64_C(1) << 32) + 1;
    uint8_t bits[8] = {0};
    seenset_plan plan = {.capacity_items = over, .fp_rate = 0.01};
    assert_int_equal(seenset_plan_solve(&plan), SEENSET_OK);
    assert_true(plan.capacity_items == over && plan.size_bits > 9 * over);
    plan = (seenset_plan){.size_bits = over * 512, .fp_rate = 0.01};
    assert_int_equal(seenset_plan_solve(&plan), SEENSET_OK);
    assert_true(plan.capacity_items > over);
    seenset *set =
        test_make((seenset_options){.on_full = SEENSET_ON_FULL_DEGRADE});
    assert_int_equal(seenset_get_bits(set, 0, 0, 8, bits), SEENSET_OK);
    assert_int_equal(seenset_get_bits(set, 0, over - 1, 1, bits),
                     SEENSET_EINVAL);
    assert_int_equal(seenset_get_bits(set, 0, 0, over, bits), SEENSET_EINVAL);
    assert_int_equal(seenset_get_bits(set, 0, UINT64_MAX, 2, bits),
                     SEENSET_EINVAL);
    assert_int_equal(seenset_get_bits(set, 0, 8, UINT64_MAX - 4, bits),
                     SEENSET_EINVAL);
    seenset_free(set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_that_do_not_apply_are_zero),
        cmocka_unit_test(bits_are_of_one_table),
        cmocka_unit_test(arguments_are_not_narrowed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
