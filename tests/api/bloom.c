/*
 * bloom.c - the classic layout, bit for bit as docs/format.md says: the
 * test computes each index with arithmetic of its own and compares the bits.
 */
#include <stdlib.h>
#include <string.h>

#include "support.h"

static void add_expected(uint8_t *payload, uint64_t m, uint32_t k, uint64_t x)
{
    for (uint32_t i = 0; i < k; i++) {
        uint64_t index = test_range(x, m);
        payload[index / 8] |= (uint8_t)(1u << (index % 8));
        x = test_next_index(x);
    }
}

static seenset *make(uint64_t m, uint32_t k)
{
    seenset *set = NULL;
    seenset_options options = {.layout = SEENSET_LAYOUT_BLOOM,
                               .size_bits = m,
                               .hash_count = k,
                               .capacity_items = 100,
                               .flags = SEENSET_FLAG_ANY_RATE};
    assert_int_equal(seenset_new(&set, &options), SEENSET_OK);
    return set;
}

static void bloom_sets_the_specified_bits(void **state)
{
    static const uint64_t sizes[] = {1, 2, 63, 64, 65, 511, 512, 513, 100003};
    static const uint32_t counts[] = {1, 2, 7, 20, 255};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(sizes) * TEST_COUNT(counts); i++) {
        uint64_t m = sizes[i % TEST_COUNT(sizes)];
        uint32_t k = counts[i / TEST_COUNT(sizes)];
        seenset *set = make(m, k);
        uint8_t *expected = calloc(1, m / 8 + 64);
        assert_non_null(expected);
        for (uint64_t key = 0; key < 50; key++) {
            seenset_add_hash(set, test_mix(key));
            add_expected(expected, m, k, test_mix(key));
        }
        size_t size_bytes;
        uint8_t *bytes = test_bytes_of(set, &size_bytes);
        assert_memory_equal(bytes + test_header_bytes(bytes), expected,
                            (m + 7) / 8);
        /* planted: one key more */
        add_expected(expected, m, k, test_mix(50));
        if (m > 100000)
            assert_memory_not_equal(bytes + test_header_bytes(bytes), expected,
                                    m / 8);
        free(bytes);
        free(expected);
        seenset_free(set);
    }
}

static void bloom_never_forgets(void **state)
{
    seenset *set = make(5000, 5);
    (void)state;
    for (uint64_t i = 0; i < 20000; i++) {
        (void)seenset_add_hash(set, test_mix(i));
        assert_int_equal(seenset_has_hash(set, test_mix(i)), 1);
        assert_int_equal(seenset_has_hash(set, test_mix(i / 2)), 1);
        assert_int_equal(seenset_add_hash(set, test_mix(i / 3)), 0);
    }
    seenset_free(set);
}

/* Answers "new" exactly when a bit was missing: the bits tell. */
static void bloom_new_means_a_bit_was_missing(void **state)
{
    seenset *set = make(2000, 4);
    seenset_stats before, after;
    (void)state;
    assert_int_equal(seenset_get_stats(set, &before, sizeof before),
                     SEENSET_OK);
    for (uint64_t i = 0; i < 3000; i++) {
        int is_seen = seenset_has_hash(set, test_mix(i));
        int is_new = seenset_add_hash(set, test_mix(i));
        assert_int_equal(seenset_get_stats(set, &after, sizeof after),
                         SEENSET_OK);
        assert_int_equal(is_new, !is_seen);
        assert_int_equal(is_new, after.set_bits > before.set_bits);
        assert_true(after.set_bits - before.set_bits <= 4);
        before = after;
    }
    seenset_free(set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bloom_sets_the_specified_bits),
        cmocka_unit_test(bloom_never_forgets),
        cmocka_unit_test(bloom_new_means_a_bit_was_missing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
