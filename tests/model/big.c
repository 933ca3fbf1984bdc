/*
 * big.c - sets of more than 2^32 bits: every part of the table is used,
 * evenly, and an index cut to 32 bits would show.
 *
 *     test_big BITS      (as a power of two; 33)
 */
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "hash/xxh3.h"
#include "set/set.h"
#include "support.h"

enum {
    SLICES = 64,
    KEYS = 400000
};

static bool is_even(const uint64_t counts[SLICES])
{
    double total = 0.0, chi = 0.0;
    for (int i = 0; i < SLICES; i++)
        total += (double)counts[i];
    for (int i = 0; i < SLICES; i++) {
        double off = (double)counts[i] - total / SLICES;
        chi += off * off / (total / SLICES);
    }
    return test_is_chi_square(chi, SLICES - 1);
}

/*
 * The choices of place in each slice: the set bits of a classic filter, the
 * lines that were used of a blocked one. So few that hardly two meet.
 */
static void count_slices(const ss_table *table, uint64_t counts[SLICES])
{
    uint64_t words = ss_table_word_count(table) / SLICES;
    memset(counts, 0, SLICES * sizeof *counts);
    for (uint64_t i = 0; i < words * SLICES; i += 8) {
        uint64_t bits = ss_bits_count_all(table->words + i, 8);
        bool is_bloom = table->layout->traits->id == SEENSET_LAYOUT_BLOOM;
        counts[i / words] += is_bloom ? bits : bits != 0;
    }
}

static void check_big(seenset_layout layout, uint32_t hash_count,
                      uint64_t size_bits)
{
    seenset_options options = {.layout = layout,
                               .size_bits = size_bits,
                               .capacity_items = 500000000,
                               .hash_count = hash_count};
    seenset *set = NULL;
    seenset_stats stats;
    uint64_t counts[SLICES];
    assert_int_equal(seenset_new(&set, &options), SEENSET_OK);
    for (uint64_t i = 0; i < KEYS; i++)
        assert_int_equal(seenset_add(set, &i, sizeof i), 1);
    for (uint64_t i = 0; i < KEYS; i++)
        assert_int_equal(seenset_has(set, &i, sizeof i), 1);
    for (uint64_t i = KEYS; i < 2 * KEYS; i++)
        assert_int_equal(seenset_has(set, &i, sizeof i), 0);
    count_slices(&ss_set_newest(set)->table, counts);
    assert_true(is_even(counts));
    assert_int_equal(seenset_get_stats(set, &stats, sizeof stats), SEENSET_OK);
    assert_true(stats.size_bits >= size_bits);
    assert_int_equal(stats.added_items, KEYS);
    assert_true(stats.set_bits <= (uint64_t)KEYS * hash_count);
    assert_true(test_is_near(stats.estimated_items, KEYS, 0.01));
    seenset_free(set);
}

static void big_bloom_uses_all_of_it(void **state)
{
    check_big(SEENSET_LAYOUT_BLOOM, 7, *(const uint64_t *)*state);
}

static void big_blocked_uses_all_of_it(void **state)
{
    check_big(SEENSET_LAYOUT_BLOCKED, 8, *(const uint64_t *)*state);
}

static void big_blocked_of_two_lines_uses_all_of_it(void **state)
{
    check_big(SEENSET_LAYOUT_BLOCKED, 16, *(const uint64_t *)*state);
}

/* Planted: indices that wrap at 2^32, a little before the end, and honest
 * ones. */
static void big_oracle_sees_a_short_index(void **state)
{
    const uint64_t size_bits = *(const uint64_t *)*state;
    const uint64_t ends[] = {UINT64_C(1) << 32, size_bits - size_bits / 32,
                             size_bits};
    for (size_t i = 0; i < TEST_COUNT(ends); i++) {
        uint64_t counts[SLICES] = {0};
        for (uint64_t key = 0; key < KEYS; key++) {
            uint64_t index = ss_hash_range(test_mix(key), size_bits) % ends[i];
            counts[index / (size_bits / SLICES)]++;
        }
        assert_true(is_even(counts) == (ends[i] == size_bits));
    }
}

int main(int argc, char **argv)
{
    unsigned shift = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 33;
    uint64_t size_bits = UINT64_C(1) << shift;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(big_bloom_uses_all_of_it, &size_bits),
        cmocka_unit_test_prestate(big_blocked_uses_all_of_it, &size_bits),
        cmocka_unit_test_prestate(big_blocked_of_two_lines_uses_all_of_it,
                                  &size_bits),
        cmocka_unit_test_prestate(big_oracle_sees_a_short_index, &size_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
