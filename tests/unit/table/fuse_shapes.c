/*
 * fuse_shapes.c - the shapes of sealed tables: as small as promised, no place
 * of a hash outside of them, and those from a file are checked.
 */
#include "fuse_support.h"

static void fuse_is_as_small_as_promised(void **state)
{
    ss_fuse_shape shape;
    (void)state;
    for (double x = 1e6; x < 2e13; x *= 1.0007) {
        for (size_t i = 0; i < 2; i++) {
            uint64_t count = (uint64_t)x;
            uint64_t most = arities[i] == 3 ? 113 : 108; /* percent */
            assert_true(ss_fuse_shape_for(count, arities[i], 8, 0, &shape));
            assert_true(shape.slot_count * 100 <= most * count);
            assert_true(shape.slot_count * 100 >= (most - 3) * count);
            assert_true(ss_fuse_shape_is_sound(&shape));
        }
    }
}

/* At 2^33 keys: all sizes are past 32 bits, no place is outside, and places
 * are spread over the whole table. */
static void fuse_places_reach_all_of_a_large_table(void **state)
{
    enum {
        PARTS = 64
    };
    ss_fuse_shape shape;
    (void)state;
    for (size_t j = 0; j < 2; j++) {
        uint64_t counts[PARTS] = {0}, places[SS_FUSE_MAX_ARITY], last = 0;
        unsigned arity = arities[j];
        assert_true(ss_fuse_shape_for(UINT64_C(1) << 33, arity, 32, 0, &shape));
        assert_true(shape.slot_count > UINT64_C(1) << 33);
        assert_int_equal(ss_fuse_size_bits(&shape), shape.slot_count * 32);
        assert_true(ss_fuse_word_count(&shape) * 64 >= shape.slot_count * 32);
        for (uint64_t i = 0; i < 1000000; i++) {
            ss_fuse_places(ss_fuse_mix(test_mix(i), 0), arity,
                           shape.segment_length, ss_fuse_first_slots(&shape),
                           places);
            for (unsigned k = 0; k < arity; k++) {
                assert_true(places[k] < shape.slot_count);
                assert_int_equal(places[k] / shape.segment_length,
                                 places[0] / shape.segment_length + k);
                last = places[k] > last ? places[k] : last;
            }
            counts[places[0] / (ss_fuse_first_slots(&shape) / PARTS + 1)]++;
        }
        double chi = 0.0;
        for (size_t i = 0; i < PARTS; i++)
            chi += ((double)counts[i] - 15625.0) *
                   ((double)counts[i] - 15625.0) / 15625.0;
        assert_true(test_is_chi_square(chi, PARTS - 1));
        assert_true(last > shape.slot_count - shape.slot_count / 1000);
    }
}

static void fuse_shapes_have_limits(void **state)
{
    ss_fuse_shape shape;
    (void)state;
    for (unsigned arity = 0; arity < 10; arity++) {
        for (unsigned width = 0; width < 70; width++) {
            bool is_choice =
                (arity == 3 || arity == 4) && width >= 4 && width <= 32;
            assert_int_equal(ss_fuse_shape_for(9, arity, width, 0, &shape),
                             is_choice);
        }
    }
    assert_true(ss_fuse_shape_for(UINT64_C(1) << 49, 3, 8, 0, &shape));
    assert_false(ss_fuse_shape_for(UINT64_C(1) << 50, 3, 8, 0, &shape));
    assert_true(ss_fuse_shape_for(UINT64_C(1) << 50, 3, 7, 0, &shape));
    assert_true(ss_fuse_size_bits(&shape) <= SEENSET_MAX_SIZE_BITS);
    /* the spare bits count: 2^53 bits of slots of 4 bits are too many */
    shape = (ss_fuse_shape){.arity = 3,
                            .fingerprint_bits = 4,
                            .segment_length = 8,
                            .segment_count = (UINT64_C(1) << 48) - 2,
                            .slot_count = UINT64_C(1) << 51};
    assert_false(ss_fuse_shape_is_sound(&shape));
    shape.segment_count -= 2;
    shape.slot_count -= 2 * shape.segment_length;
    assert_true(ss_fuse_shape_is_sound(&shape));
    assert_false(ss_fuse_shape_for(UINT64_MAX, 3, 8, 0, &shape));
    assert_false(ss_fuse_shape_for(9, 3, 8, SS_FUSE_ATTEMPTS, &shape));
}

/* Is a table whose shape says so refused, by its fields or by its size? */
static bool is_refused(const ss_fuse_shape *shape, uint64_t size_bits)
{
    return !ss_fuse_shape_is_sound(shape) ||
           ss_fuse_size_bits(shape) != size_bits;
}

static void check_one_field_off(const ss_fuse_shape *good)
{
    static const uint64_t hostile[] = {
        0, 1, 2, 5, 7, 64, UINT64_C(1) << 32, UINT64_C(1) << 63, UINT64_MAX};
    uint64_t bits = ss_fuse_size_bits(good);
    assert_false(is_refused(good, bits));
    for (size_t i = 0; i < 2 * TEST_COUNT(hostile) + 2; i++) {
        uint64_t value = hostile[i / 2 % TEST_COUNT(hostile)];
        ss_fuse_shape bad[6];
        for (size_t j = 0; j < 6; j++)
            bad[j] = *good;
        bad[0].arity = i % 2 ? (uint32_t)value : 7 - good->arity;
        bad[1].fingerprint_bits =
            i % 2 ? (uint32_t)value : good->fingerprint_bits * 2;
        bad[2].segment_length = i % 2 ? value : good->segment_length * 2;
        bad[3].segment_count = i % 2 ? value : good->segment_count + value + 1;
        bad[4].slot_count = i % 2 ? value : good->slot_count - value - 1;
        bad[5].seed = SS_FUSE_ATTEMPTS + (i % 2 ? value / 2 : 0);
        for (size_t j = 0; j < 6; j++) {
            bool is_same = memcmp(&bad[j], good, sizeof *good) == 0;
            assert_true(is_same || is_refused(&bad[j], bits));
        }
    }
}

static void fuse_shapes_with_a_field_off_are_refused(void **state)
{
    static const uint64_t counts[] = {20, 1000, 1000000, UINT64_C(1) << 33};
    ss_fuse_shape shape;
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(counts) * 2 * WIDTHS; i++) {
        assert_true(ss_fuse_shape_for(counts[i / (2 * WIDTHS)], arities[i % 2],
                                      widths[i % WIDTHS], 7, &shape));
        check_one_field_off(&shape);
    }
    /* sums and products that wrap around to what they should be */
    shape = (ss_fuse_shape){.arity = 3,
                            .fingerprint_bits = 8,
                            .segment_length = 8,
                            .segment_count = UINT64_MAX,
                            .slot_count = 8};
    assert_false(ss_fuse_shape_is_sound(&shape));
    shape.segment_count = UINT64_C(1) << 61;
    shape.slot_count = 16;
    assert_false(ss_fuse_shape_is_sound(&shape));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fuse_is_as_small_as_promised),
        cmocka_unit_test(fuse_places_reach_all_of_a_large_table),
        cmocka_unit_test(fuse_shapes_have_limits),
        cmocka_unit_test(fuse_shapes_with_a_field_off_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
