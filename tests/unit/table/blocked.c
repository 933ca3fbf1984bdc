/*
 * blocked.c - the layout of lines, bit for bit as docs/format.md says,
 * whichever twin runs: one key at a time and in batches.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "file/header/header.h"
#include "hash/xxh3.h"
#include "support.h"

static uint64_t step(uint64_t x)
{
    return (x ^ x >> 32) * UINT64_C(0x9E3779B97F4A7C15);
}

/* The words of a key's bits, a region at a time. */
static void add_expected(uint64_t *words, uint64_t lines, uint32_t regions,
                         uint64_t x)
{
    for (uint32_t r = 0; r < regions; r++) {
        uint64_t *line = words + 8 * (r * lines + ss_hash_range(x, lines));
        x = step(x);
        for (int w = 0; w < 8; w++)
            line[w] |= UINT64_C(1) << ((x >> (16 + 6 * w)) % 64);
        x = step(x);
    }
}

static seenset *make(uint64_t lines, uint32_t regions)
{
    seenset *set = NULL;
    seenset_options options = {.layout = SEENSET_LAYOUT_BLOCKED,
                               .size_bits = 512 * lines * regions,
                               .hash_count = 8 * regions,
                               .capacity_items = 100,
                               .flags = SEENSET_FLAG_ANY_RATE};
    assert_int_equal(seenset_new(&set, &options), SEENSET_OK);
    return set;
}

static void check_bits(const seenset *set, const uint64_t *words,
                       size_t word_count)
{
    size_t size_bytes;
    uint8_t *bytes = test_bytes_of(set, &size_bytes);
    size_t header_bytes = test_header_bytes(bytes);
    size_t blocks = (word_count + 511) / 512; /* of 4096 bytes, each a sum */
    assert_int_equal(size_bytes, header_bytes + 8 * (word_count + blocks));
    for (size_t i = 0; i < word_count; i++)
        assert_true(ss_bits_load(bytes + header_bytes + 8 * i, 8) == words[i]);
    free(bytes);
}

static const uint64_t line_counts[] = {1, 2, 3, 7, 64, 1000, 12345};

static void blocked_sets_the_specified_bits(void **state)
{
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(line_counts) * 3; i++) {
        uint64_t lines = line_counts[i / 3];
        uint32_t regions = (uint32_t)(i % 3) + 1;
        size_t word_count = 8 * lines * regions;
        seenset *set = make(lines, regions);
        uint64_t *words = calloc(word_count, 8);
        assert_non_null(words);
        for (uint64_t key = 0; key < 3 * lines; key++) {
            seenset_add_hash(set, test_mix(key));
            add_expected(words, lines, regions, test_mix(key));
        }
        check_bits(set, words, word_count);
        free(words);
        seenset_free(set);
    }
}

/* Batches of every length to 70 and some beyond, keys on odd addresses. */
static void blocked_batches_set_the_same_bits(void **state)
{
    static const size_t lengths[] = {100, 255, 256, 511, 512, 513, 2000};
    static uint8_t text[8 * 2000 + 8];
    static seenset_key keys[2000];
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(line_counts) * 77; i++) {
        uint64_t lines = line_counts[i % TEST_COUNT(line_counts)];
        size_t which = i / TEST_COUNT(line_counts);
        size_t count = which < 70 ? which : lengths[which - 70];
        uint32_t regions = (uint32_t)(i % 3) + 1;
        seenset *batch = make(lines, regions);
        seenset *single = make(lines, regions);
        uint8_t is_new[2000], is_seen[2000];
        for (size_t j = 0; j < count; j++) {
            uint64_t value = test_mix(i * 10000 + j / 2); /* in pairs */
            memcpy(text + 1 + 8 * j, &value, 8);
            keys[j] = (seenset_key){text + 1 + 8 * j, 8};
        }
        assert_int_equal(seenset_add_many(batch, keys, count, is_new), 0);
        for (size_t j = 0; j < count; j++)
            assert_int_equal(is_new[j], seenset_add(single, keys[j].data, 8));
        assert_int_equal(seenset_has_many(batch, keys, count, is_seen), 0);
        for (size_t j = 0; j < count; j++)
            assert_int_equal(is_seen[j], 1);
        size_t size_bytes, other_bytes;
        uint8_t *a = test_bytes_of(batch, &size_bytes);
        uint8_t *b = test_bytes_of(single, &other_bytes);
        assert_int_equal(size_bytes, other_bytes);
        assert_memory_equal(a, b, size_bytes);
        free(a);
        free(b);
        seenset_free(batch);
        seenset_free(single);
    }
}

static void blocked_never_forgets(void **state)
{
    seenset *set = make(10, 2);
    (void)state;
    for (uint64_t i = 0; i < 20000; i++) {
        int is_seen = seenset_has_hash(set, test_mix(i));
        assert_int_equal(seenset_add_hash(set, test_mix(i)), !is_seen);
        assert_int_equal(seenset_has_hash(set, test_mix(i)), 1);
        assert_int_equal(seenset_has_hash(set, test_mix(i / 2)), 1);
    }
    seenset_free(set);
}

/* The rate from the bits: the product over regions of the mean over lines. */
static void blocked_rate_is_that_of_the_bits(void **state)
{
    (void)state;
    for (uint32_t regions = 1; regions <= 3; regions++) {
        const uint64_t lines = 50;
        uint64_t words[8 * 50 * 3] = {0};
        seenset *set = make(lines, regions);
        double rate = 1.0;
        for (uint64_t key = 0; key < 50 * lines; key++) {
            seenset_add_hash(set, test_mix(key));
            add_expected(words, lines, regions, test_mix(key));
        }
        for (uint32_t r = 0; r < regions; r++) {
            double sum = 0.0;
            for (uint64_t i = 0; i < lines; i++) {
                double full = 1.0;
                for (int w = 0; w < 8; w++)
                    full *= ss_bits_count(
                                words[8 * (r * lines + i) + (unsigned)w]) /
                            64.0;
                sum += full;
            }
            rate *= sum / (double)lines;
        }
        seenset_stats stats;
        assert_int_equal(seenset_get_stats(set, &stats, sizeof stats),
                         SEENSET_OK);
        assert_true(test_is_near(stats.current_fp_rate, rate, 1e-12));
        seenset_free(set);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocked_sets_the_specified_bits),
        cmocka_unit_test(blocked_batches_set_the_same_bits),
        cmocka_unit_test(blocked_never_forgets),
        cmocka_unit_test(blocked_rate_is_that_of_the_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
