/*
 * counters.c - the counters of a counting set as seenset_get_counters stores
 * them, of every width; and in a damaged file.
 */
#include <stdlib.h>
#include <string.h>

#include "support.h"
#include "seenset/extra/raw.h"

static seenset *make(seenset_options options)
{
    options.layout = SEENSET_LAYOUT_COUNTING;
    return test_make(options);
}

/* A key's k counters, where all others are 0, are those its bits would be. */
static void counters_are_those_of_the_keys(void **state)
{
    uint16_t counters[500];
    (void)state;
    for (uint32_t bits = 2; bits <= 16; bits++) {
        seenset_options options = {.counter_bits = bits,
                                   .size_bits = TEST_COUNT(counters),
                                   .hash_count = 5,
                                   .capacity_items = 50};
        seenset *set = make(options);
        uint16_t truth[TEST_COUNT(counters)] = {0};
        uint32_t full = (1u << bits) - 1;
        for (uint64_t key = 0; key < 300; key++) {
            uint64_t x = test_mix(key % 97);
            (void)seenset_add_hash(set, x);
            for (int i = 0; i < 5; i++) {
                uint16_t *at = &truth[test_range(x, TEST_COUNT(truth))];
                *at = (uint16_t)(*at + (*at < full));
                x = test_next_index(x);
            }
        }
        for (uint64_t first = 0; first < 500; first += 125)
            assert_int_equal(
                seenset_get_counters(set, 0, first, 125, counters + first),
                SEENSET_OK);
        assert_memory_equal(counters, truth, sizeof truth);
        counters[77] ^= 1; /* planted */
        assert_true(memcmp(counters, truth, sizeof truth) != 0);
        seenset_free(set);
    }
}

static void counters_past_the_end_are_refused(void **state)
{
    seenset *set = make((seenset_options){.capacity_items = 100});
    seenset *bits = test_make((seenset_options){0});
    uint64_t size = test_stats_of(set).size_bits;
    uint16_t counters[2] = {7, 7};
    (void)state;
    assert_int_equal(seenset_get_counters(set, 0, size, 0, NULL), SEENSET_OK);
    assert_int_equal(seenset_get_counters(set, 0, size - 1, 2, counters),
                     SEENSET_EINVAL);
    assert_int_equal(seenset_get_counters(set, 0, UINT64_MAX, 2, counters),
                     SEENSET_EINVAL);
    assert_int_equal(seenset_get_counters(set, 1, 0, 1, counters),
                     SEENSET_EINVAL);
    assert_int_equal(seenset_get_counters(bits, 0, 0, 1, counters),
                     SEENSET_EUNSUPPORTED);
    assert_int_equal(counters[0], 7);
    seenset_free(bits);
    seenset_free(set);
}

/* Counter 2978 of 11 bits is 10 bits in block 0 of a file, and one in block 1.
 * Where block 1 is damaged, nothing is known of its keys. */
static void counters_in_two_blocks_need_both(void **state)
{
    const uint64_t cell = 2978, cells = 3000;
    uint64_t hash = UINT64_MAX / cells * cell + UINT64_MAX / cells / 2;
    seenset *view = NULL, *set = make((seenset_options){.counter_bits = 11,
                                                        .size_bits = cells,
                                                        .hash_count = 1,
                                                        .capacity_items = 10});
    uint16_t counter = 0;
    size_t size_bytes;
    (void)state;
    assert_int_equal(seenset_add_hash(set, hash), 1);
    assert_int_equal(seenset_get_counters(set, 0, cell, 1, &counter), 0);
    assert_int_equal(counter, 1);
    assert_int_equal(seenset_clear(set), SEENSET_OK);
    uint8_t *bytes = test_bytes_of(set, &size_bytes);
    for (int is_damaged = 0; is_damaged <= 1; is_damaged++) {
        bytes[test_header_bytes(bytes) + 4100] ^= (uint8_t)is_damaged;
        int error = seenset_open_bytes(&view, bytes, size_bytes, NULL);
        if (is_damaged && test_views_are_copies()) {
            assert_int_equal(error, SEENSET_ECORRUPT);
            continue;
        }
        assert_int_equal(error, 0);
        assert_int_equal(seenset_has_hash(view, hash),
                         is_damaged ? SEENSET_ECORRUPT : 0);
        assert_int_equal(seenset_get_counters(view, 0, cell, 1, &counter),
                         is_damaged ? SEENSET_ECORRUPT : 0);
        assert_int_equal(seenset_has_hash(view, 0), 0); /* in block 0 */
        seenset_free(view);
    }
    free(bytes);
    seenset_free(set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counters_are_those_of_the_keys),
        cmocka_unit_test(counters_past_the_end_are_refused),
        cmocka_unit_test(counters_in_two_blocks_need_both),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
