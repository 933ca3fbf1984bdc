/*
 * sizes.c - sizes at their ends: the largest, those that nothing has, and none.
 *
 * Each has brought other filters down: a product of sizes that wrapped around,
 * a shift by a width that was given, a division by a count of 0.
 */
#include <math.h>

#include "support.h"

/* m counters of 16 bits: all of it is asked for, or nothing, where that is more
 * than there are addresses. */
static void products_of_sizes_do_not_wrap(void **state)
{
    (void)state;
    test_memory memory;
    seenset *set = NULL;
    test_memory_init(&memory);
    memory.most_bytes = 1 << 20;
    seenset_options options = {.layout = SEENSET_LAYOUT_COUNTING,
                               .counter_bits = 16,
                               .size_bits = SEENSET_MAX_SIZE_BITS,
                               .hash_count = 1,
                               .capacity_items = 1,
                               .allocator = &memory.allocator};
    assert_int_equal(seenset_new(&set, &options), SEENSET_ENOMEM);
    if (SIZE_MAX < UINT64_MAX)
        assert_true(memory.largest_bytes < 1 << 20);
    else
        assert_true(memory.largest_bytes == SEENSET_MAX_SIZE_BITS * 2);
    assert_int_equal(memory.live_blocks, 0);
}

static void counters_of_no_width_are_refused(void **state)
{
    static const uint32_t widths[] = {1, 17, 31, 63, 64, 65, 128, UINT32_MAX};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(widths); i++) {
        seenset_options options = {.layout = SEENSET_LAYOUT_COUNTING,
                                   .counter_bits = widths[i]};
        seenset *set = NULL;
        assert_int_equal(seenset_new(&set, &options), SEENSET_EINVAL);
        assert_null(set);
    }
}

static void figures_of_nothing_are_0(void **state)
{
    (void)state;
    for (int layout = SEENSET_LAYOUT_BLOCKED; layout <= SEENSET_LAYOUT_COUNTING;
         layout++) {
        seenset *set =
            test_make((seenset_options){.layout = (seenset_layout)layout,
                                        .on_full = SEENSET_ON_FULL_DEGRADE});
        seenset_stats stats = test_stats_of(set);
        seenset_overlap similarity;
        assert_true(fabs(stats.fill) + fabs(stats.current_fp_rate) +
                        fabs(stats.estimated_items) + fabs(stats.wrong_items) ==
                    0.0);
        if (layout != SEENSET_LAYOUT_COUNTING) {
            assert_int_equal(
                seenset_get_overlap(set, set, &similarity, sizeof similarity),
                SEENSET_OK);
            assert_true(similarity.jaccard + similarity.jaccard_error == 0.0);
        }
        seenset_free(set);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_of_sizes_do_not_wrap),
        cmocka_unit_test(counters_of_no_width_are_refused),
        cmocka_unit_test(figures_of_nothing_are_0),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
