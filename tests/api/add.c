/* add.c - adding writes what it should, and no further */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

/* What is fetched ahead ends with the batch; a sanitizer sees a step too far.
 */
static void batches_are_read_to_their_end_only(void **state)
{
    static const seenset_layout layouts[] = {
        SEENSET_LAYOUT_BLOCKED, SEENSET_LAYOUT_BLOOM, SEENSET_LAYOUT_COUNTING};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(layouts); i++) {
        seenset *set = test_make((seenset_options){.layout = layouts[i]});
        for (size_t count = 1; count < 100; count++) {
            uint64_t *hashes = malloc(count * sizeof *hashes);
            uint8_t *answers = malloc(count);
            assert_true(hashes != NULL && answers != NULL);
            for (size_t k = 0; k < count; k++)
                hashes[k] = test_mix(k);
            assert_int_equal(seenset_add_hash_many(set, hashes, count, answers),
                             0);
            assert_int_equal(seenset_has_hash_many(set, hashes, count, answers),
                             0);
            for (size_t k = 0; k < count; k++)
                assert_int_equal(answers[k], 1);
            free(hashes);
            free(answers);
        }
        seenset_free(set);
    }
}

static void add_keys(seenset *set, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        assert_true(seenset_add(set, &i, sizeof i) >= 0);
}

static void assert_has_keys(const seenset *set, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        assert_int_equal(seenset_has(set, &i, sizeof i), 1);
}

/* Do the keys' bits stay what they are when so many are added, and added again?
 */
static bool is_unchanged_by(seenset *set, uint64_t count)
{
    size_t before_bytes, after_bytes;
    uint8_t *before = test_bytes_of(set, &before_bytes);
    add_keys(set, count);
    uint8_t *after = test_bytes_of(set, &after_bytes);
    assert_int_equal(before_bytes, after_bytes);
    bool is_same = memcmp(before, after, before_bytes) == 0;
    free(before);
    free(after);
    return is_same;
}

/* table[i] += bit for a bit that was set moved it on, and keys vanished:
 * bloomfilter-rb#26. */
static void bits_are_set_by_or(void **state)
{
    (void)state;
    for (seenset_layout layout = SEENSET_LAYOUT_BLOCKED; layout != 0;
         layout = test_next_layout(layout)) {
        for (uint32_t flags = 0; flags <= SEENSET_FLAG_SHARED;
             flags += SEENSET_FLAG_SHARED) {
            seenset *set =
                test_make((seenset_options){.layout = layout,
                                            .on_full = SEENSET_ON_FULL_DEGRADE,
                                            .capacity_items = 1000,
                                            .flags = flags});
            add_keys(set, 500);
            assert_true(is_unchanged_by(set, 500));
            assert_has_keys(set, 500);
            assert_false(is_unchanged_by(set, 501)); /* planted: one key more */
            seenset_free(set);
        }
    }
}

/* -n ln p / ln(2)^2 rounds to 0 bits, or 0 hashes: pybloomfiltermmap#52. */
static void rates_near_one_get_bits(void **state)
{
    const double rates[] = {0.5, 0.9, 0.999, 0.9999999, nextafter(1.0, 0.0)};
    static const uint64_t counts[] = {1, 2, 3, 100, 100000};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(rates) * TEST_COUNT(counts); i++) {
        uint64_t count = counts[i / TEST_COUNT(rates)];
        for (int layout = SEENSET_LAYOUT_BLOCKED;
             layout <= SEENSET_LAYOUT_COUNTING; layout++) {
            seenset *set = test_make(
                (seenset_options){.layout = (seenset_layout)layout,
                                  .capacity_items = count,
                                  .fp_rate = rates[i % TEST_COUNT(rates)]});
            seenset_stats stats = test_stats_of(set);
            assert_true(stats.size_bits >= 1 && stats.hash_count >= 1);
            add_keys(set, count);
            assert_has_keys(set, count);
            stats = test_stats_of(set);
            assert_true(stats.current_fp_rate <= 1.0);
            seenset_free(set);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(batches_are_read_to_their_end_only),
        cmocka_unit_test(bits_are_set_by_or),
        cmocka_unit_test(rates_near_one_get_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
