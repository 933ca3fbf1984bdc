/* limits.c - the formulas where a table has no keys, a part of one, or far too
 * many */
#include <math.h>

#include "plan/shape.h"
#include "plan/sizing.h"
#include "support.h"

typedef struct shape {
    seenset_layout layout;
    uint64_t block_bits; /* of the table, for each of its blocks */
    uint32_t k;
} shape;

static const shape shapes[] = {{SEENSET_LAYOUT_BLOCKED, 512, 8},
                               {SEENSET_LAYOUT_BLOCKED, 1024, 16},
                               {SEENSET_LAYOUT_BLOCKED, 1536, 24},
                               {SEENSET_LAYOUT_SPLIT_BLOCK, 256, 8}};

/* Nothing that is not there is wrongly found in a table without keys. */
static void bound_of_no_keys_is_0(void **state)
{
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(shapes); i++) {
        const shape *of = &shapes[i];
        assert_true(ss_plan_bound(of->layout, 0, of->block_bits, of->k) == 0.0);
        assert_true(ss_plan_bound(of->layout, 1, of->block_bits, of->k) > 0.0);
        ss_plan_state none =
            ss_plan_expect(of->layout, 0, of->block_bits, of->k);
        assert_true(none.keys == 0.0 && none.rate == 0.0 && none.fill == 0.0);
    }
}

/* A mean may be a part of a key. So few in one block that chance decides
 * nothing: its bound is a number all the same, and below that of one key. */
static void bound_of_a_part_of_a_key_is_a_number(void **state)
{
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(shapes); i++) {
        const ss_sizing *sizing = ss_sizing_find(shapes[i].layout);
        double m = (double)shapes[i].block_bits, last = 0.0;
        for (double n = 0.01; n < 1.5; n *= 10.0) {
            double bound = sizing->bound(n, 0.0, m, shapes[i].k);
            assert_true(bound > last && bound < 1.0);
            last = bound;
        }
    }
}

/* From 480 keys a block on every place is as good as taken: chance has no part
 * in it, and the rate does not fall. */
static void crowded_blocks_are_full(void **state)
{
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(shapes); i++) {
        for (uint64_t blocks = 1; blocks <= 3; blocks++) {
            const shape *of = &shapes[i];
            uint64_t m = blocks * of->block_bits;
            double most = 480.0 * (double)blocks;
            ss_plan_state full =
                ss_plan_expect_keys(of->layout, most, 0.0, m, of->k);
            ss_plan_state over =
                ss_plan_expect_keys(of->layout, most + 1.0, 0.0, m, of->k);
            assert_true(full.spread > 0.0 && full.spread < 0.02);
            assert_true(over.spread == 0.0);
            assert_true(full.rate > 0.98 && over.rate >= full.rate);
            assert_true(over.rate <= 1.0 && over.fill >= full.fill);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bound_of_no_keys_is_0),
        cmocka_unit_test(bound_of_a_part_of_a_key_is_a_number),
        cmocka_unit_test(crowded_blocks_are_full),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
