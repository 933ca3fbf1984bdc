/*
 * split_block.c - the split-block layout, bit for bit as Parquet's: the test
 * computes each bit with arithmetic of its own, as Parquet's specification
 * has it, over 32-bit words.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "seenset/extra/formulas.h"
#include "seenset/extra/raw.h"
#include "set/set.h"
#include "support.h"
#include "table/split_block/split_block.h"
#include "table/table.h"

enum {
    WORDS = 8, /* 32-bit words of a block */
    HASHES = 20000
};

static const uint32_t salts[WORDS] = {0x47b6137b, 0x44974d91, 0x8824ad5b,
                                      0xa2b7289d, 0x705495c7, 0x2df1424b,
                                      0x9efc4947, 0x5c6bfb31};

/* ---- the oracle: blocks of 32-bit words ---- */

static void expect_hash(uint32_t *words, uint64_t blocks, uint64_t hash,
                        const uint32_t by[WORDS])
{
    uint64_t block = ((hash >> 32) * blocks) >> 32;
    for (unsigned i = 0; i < WORDS; i++) {
        uint32_t product = (uint32_t)hash * by[i];
        words[block * WORDS + i] |= UINT32_C(1) << (product >> 27);
    }
}

/* The bytes of both are equal: 32-bit words here, 64-bit words there, both
 * little-endian. */
static bool is_expected(const ss_table *table, const uint32_t *words)
{
    bool is_same = true;
    for (uint64_t i = 0; i < table->size_bits / 32; i++) {
        uint8_t expected[4], got[8];
        ss_bits_store(expected, 4, words[i]);
        ss_bits_words_to_bytes(got, &table->words[i / 2], 1);
        is_same &= memcmp(expected, got + i % 2 * 4, 4) == 0;
    }
    return is_same;
}

static ss_table make(const ss_layout *layout, uint64_t blocks)
{
    uint64_t size_bits = blocks * 256;
    uint64_t *words = calloc((size_t)ss_table_words_for(size_bits, 1), 8);
    assert_non_null(words);
    return ss_table_make(layout, size_bits, WORDS, 1, words);
}

/* A third of the hashes came before; a third lies at the ends of the ranges of
 * hashes that choose one block. */
static uint64_t *make_hashes(uint64_t seed, uint64_t blocks)
{
    test_random random = {seed};
    uint64_t *hashes = calloc(HASHES, sizeof *hashes);
    assert_non_null(hashes);
    for (size_t i = 0; i < HASHES; i++) {
        uint64_t edge = (test_random_below(&random, blocks) << 32) / blocks;
        uint64_t low = i % 2 ? UINT32_MAX : test_random_next(&random);
        hashes[i] = i % 3 == 0   ? test_random_next(&random)
                    : i % 3 == 1 ? (edge - i % 2) << 32 | (uint32_t)low
                                 : hashes[test_random_below(&random, i)];
    }
    return hashes;
}

static void split_block_sets_parquets_bits(void **state)
{
    static const uint64_t sizes[] = {1, 2, 3, 7, 16, 1000, 1001};
    const ss_layout *const layouts[] = {&ss_split_block_portable,
                                        &ss_split_block_shared,
                                        ss_split_block_best()};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(layouts) * TEST_COUNT(sizes); i++) {
        uint64_t blocks = sizes[i / TEST_COUNT(layouts)];
        ss_table table = make(layouts[i % TEST_COUNT(layouts)], blocks);
        uint32_t *expected = calloc((size_t)blocks * WORDS, sizeof *expected);
        uint64_t *hashes = make_hashes(i, blocks);
        assert_non_null(expected);
        for (size_t h = 0; h < blocks; h++) {
            expect_hash(expected, blocks, hashes[h], salts);
            table.layout->add(&table, hashes[h]);
        }
        assert_true(is_expected(&table, expected));
        /* planted: a key by another salt */
        uint32_t other[WORDS];
        memcpy(other, salts, sizeof other);
        other[WORDS - 1] += 1 << 28;
        expect_hash(expected, blocks, 0x89abcdef, other);
        table.layout->add(&table, 0x89abcdef);
        assert_false(is_expected(&table, expected));
        free(hashes);
        free(expected);
        free(table.words);
    }
}

/* Worked out by hand, so to say: by big numbers, word for word. */
static void split_block_sets_bits_written_down(void **state)
{
    static const struct {
        uint64_t hash, blocks, block;
        uint8_t bits[WORDS];
    } cases[] = {
        {0xef46db3751d8e999, 1, 0, {29, 0, 25, 28, 14, 22, 29, 30}},
        {0xef46db3751d8e999, 10, 9, {29, 0, 25, 28, 14, 22, 29, 30}},
        {0x26c7827d889f6da3, 1000, 151, {20, 9, 10, 7, 9, 31, 28, 27}},
        {0xffffffffffffffff, 3, 2, {23, 23, 14, 11, 17, 26, 12, 20}},
        {0x5555555500000001, 3, 0, {8, 8, 17, 20, 14, 5, 19, 11}},
        {0x55555555ffffffff, 3, 0, {23, 23, 14, 11, 17, 26, 12, 20}},
        {0, 7, 0, {0}},
    };
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(cases); i++) {
        seenset *set =
            test_make((seenset_options){.layout = SEENSET_LAYOUT_SPLIT_BLOCK,
                                        .size_bits = cases[i].blocks * 256,
                                        .capacity_items = 1});
        uint8_t bits[256];
        uint64_t first = cases[i].block * 256;
        assert_int_equal(seenset_add_hash(set, cases[i].hash), 1);
        assert_int_equal(seenset_get_bits(set, 0, first, 256, bits),
                         SEENSET_OK);
        for (unsigned at = 0; at < 256; at++)
            assert_int_equal(bits[at], cases[i].bits[at / 32] == at % 32);
        assert_int_equal(test_stats_of(set).set_bits, WORDS);
        seenset_free(set);
    }
}

/* ---- one hash, one key, many, and parts, alone and shared ---- */

static void check_single(const ss_layout *layout, const ss_table *expected,
                         const uint64_t *hashes, const uint8_t *is_new)
{
    ss_table table = make(layout, expected->size_bits / 256);
    for (size_t i = 0; i < HASHES; i++) {
        assert_int_equal(layout->add(&table, hashes[i]), is_new[i]);
        assert_int_equal(layout->has(&table, hashes[i]), 1);
    }
    assert_memory_equal(table.words, expected->words,
                        ss_table_word_count(expected) * 8);
    free(table.words);
}

static void check_many(const ss_layout *layout, const ss_table *expected,
                       const uint64_t *hashes, const uint8_t *is_new)
{
    ss_table table = make(layout, expected->size_bits / 256);
    uint8_t answers[HASHES];
    size_t news = 0;
    for (size_t done = 0, count; done < HASHES; done += count) {
        count = done % 131;
        count = count + 1 < HASHES - done ? count + 1 : HASHES - done;
        ss_batch batch = {.hashes = hashes + done, .count = count};
        news += layout->add_many(&table, &batch, answers + done);
    }
    assert_memory_equal(answers, is_new, HASHES);
    assert_memory_equal(table.words, expected->words,
                        ss_table_word_count(expected) * 8);
    for (size_t i = 0; i < HASHES; i++)
        news -= is_new[i];
    assert_int_equal(news, 0);
    ss_batch all = {.hashes = hashes, .count = HASHES};
    assert_int_equal(layout->has_many(&table, &all, answers), HASHES);
    memset(table.words, 0, ss_table_word_count(&table) * 8);
    assert_int_equal(layout->has_many(&table, &all, answers), 0);
    (void)layout->add_probes(&table, 0, hashes, HASHES);
    assert_memory_equal(table.words, expected->words,
                        ss_table_word_count(expected) * 8);
    free(table.words);
}

/* Half of the hashes are there. In a file, blocks begin at any address, and
 * nothing after the last one may be read. */
static bool is_same_in_a_file(const ss_layout *layout, const ss_table *table,
                              const uint64_t *hashes, size_t first)
{
    size_t size_bytes = (size_t)table->size_bits / 8;
    uint8_t *file = malloc(first + size_bytes);
    uint8_t answers[HASHES];
    bool is_same = true;
    assert_non_null(file);
    ss_bits_words_to_bytes(file + first, table->words, size_bytes / 8);
    layout->has_bytes(file + first, table->range, hashes, HASHES, answers);
    for (size_t i = 0; i < HASHES; i++)
        is_same &= answers[i] == table->layout->has(table, hashes[i]);
    free(file);
    return is_same;
}

/* The planted fault: as if there were one block fewer. */
static void has_in_fewer(const uint8_t *bytes, uint64_t range,
                         const uint64_t *hashes, size_t count, uint8_t *is_seen)
{
    ss_split_block_portable.has_bytes(bytes, range - 1, hashes, count, is_seen);
}

static void split_blocks_of_a_file_answer_the_same(void **state)
{
    const ss_layout *const layouts[] = {&ss_split_block_portable,
                                        &ss_split_block_shared,
                                        ss_split_block_best()};
    const ss_layout planted = {.has_bytes = has_in_fewer};
    ss_table table = make(&ss_split_block_portable, 1001);
    uint64_t *hashes = make_hashes(1, 1001);
    (void)state;
    for (size_t i = 0; i < HASHES; i += 2)
        table.layout->add(&table, hashes[i]);
    for (size_t i = 0; i < TEST_COUNT(layouts); i++)
        for (size_t first = 0; first < 9; first++)
            assert_true(is_same_in_a_file(layouts[i], &table, hashes, first));
    assert_false(is_same_in_a_file(&planted, &table, hashes, 0));
    free(hashes);
    free(table.words);
}

static void split_block_is_one_in_every_way(void **state)
{
    const ss_layout *const layouts[] = {&ss_split_block_portable,
                                        &ss_split_block_shared,
                                        ss_split_block_best()};
    uint8_t is_new[HASHES];
    (void)state;
    for (uint64_t blocks = 999; blocks < 1002; blocks++) {
        ss_table expected = make(&ss_split_block_portable, blocks);
        uint64_t *hashes = make_hashes(blocks, blocks);
        for (size_t i = 0; i < HASHES; i++)
            is_new[i] = ss_split_block_portable.add(&expected, hashes[i]);
        for (size_t i = 0; i < TEST_COUNT(layouts); i++) {
            check_single(layouts[i], &expected, hashes, is_new);
            check_many(layouts[i], &expected, hashes, is_new);
        }
        free(hashes);
        free(expected.words);
    }
}

/* Parts of a table that threads own are cut where blocks end, whatever the
 * lower halves of the hashes are. */
static void split_block_is_added_in_parallel(void **state)
{
    enum {
        MANY = 300000,
        BLOCKS = 3 * 4099
    };
    uint64_t *hashes = calloc(MANY, sizeof *hashes);
    seenset_options options = {.layout = SEENSET_LAYOUT_SPLIT_BLOCK,
                               .size_bits = BLOCKS * 256,
                               .capacity_items = MANY};
    seenset *one = test_make(options), *many = test_make(options);
    test_random random = {5};
    (void)state;
    assert_non_null(hashes);
    for (size_t i = 0; i < MANY; i++)
        hashes[i] = (test_random_below(&random, BLOCKS) << 32) / BLOCKS << 32 |
                    (i % 2 ? UINT32_MAX : (uint32_t)test_mix(i));
    assert_int_equal(seenset_add_hash_parallel(one, hashes, MANY, 1),
                     SEENSET_OK);
    assert_int_equal(seenset_add_hash_parallel(many, hashes, MANY, 4),
                     SEENSET_OK);
    assert_memory_equal(one->generations[0].table.words,
                        many->generations[0].table.words, BLOCKS * 32);
    seenset_free(one);
    seenset_free(many);
    free(hashes);
}

/* ---- the sizes that there are ---- */

static void split_block_is_planned(void **state)
{
    seenset_plan plan = {.layout = SEENSET_LAYOUT_SPLIT_BLOCK,
                         .capacity_items = 1000000,
                         .fp_rate = 0.01};
    (void)state;
    assert_int_equal(seenset_plan_solve(&plan), SEENSET_OK);
    assert_int_equal(plan.hash_count, WORDS);
    assert_int_equal(plan.size_bits % 256, 0);
    assert_true(plan.expected_fp_rate <= 0.01);
    assert_true(seenset_plan_fp_rate(SEENSET_LAYOUT_SPLIT_BLOCK, 1000000,
                                     plan.size_bits - 256, WORDS) > 0.01);
    plan.hash_count = 7;
    assert_int_equal(seenset_plan_solve(&plan), SEENSET_EINVAL);
    /* 2^32 - 1 blocks are the most; 2^32 are too many */
    uint64_t most = UINT64_C(0xFFFFFFFF) * 256;
    plan = (seenset_plan){.layout = SEENSET_LAYOUT_SPLIT_BLOCK,
                          .capacity_items = 1,
                          .size_bits = most};
    assert_int_equal(seenset_plan_solve(&plan), SEENSET_OK);
    plan.size_bits = most + 1;
    plan.fp_rate = 0.0;
    assert_int_equal(seenset_plan_solve(&plan), SEENSET_ETOOBIG);
    plan = (seenset_plan){.layout = SEENSET_LAYOUT_SPLIT_BLOCK,
                          .capacity_items = UINT64_C(1) << 40,
                          .fp_rate = 0.001};
    assert_int_equal(seenset_plan_solve(&plan), SEENSET_ETOOBIG);
}

/* The rate by its terms: over j keys of a block, of n that choose among z, all
 * halves of hashes as likely. */
static void split_block_has_its_rate(void **state)
{
    enum {
        BLOCKS = 1 << 12,
        KEYS = 100000
    };
    double chance = pow(1.0 - 1.0 / BLOCKS, KEYS);
    double rate = 0.0;
    (void)state;
    for (double j = 0; j < 300; j++) {
        rate += chance * pow(1.0 - pow(31.0 / 32.0, j), WORDS);
        chance *= (KEYS - j) / (j + 1) / (BLOCKS - 1);
    }
    rate += KEYS / (4294967296.0 * BLOCKS);
    assert_true(test_is_near(seenset_plan_fp_rate(SEENSET_LAYOUT_SPLIT_BLOCK,
                                                  KEYS, BLOCKS * 256, WORDS),
                             rate, 1e-9));
    /* one key: what has its bits has its lower half */
    rate = 0x1p-40 + 0x1p-32 + 0x1p-64;
    assert_true(test_is_near(
        seenset_plan_fp_rate(SEENSET_LAYOUT_SPLIT_BLOCK, 1, 256, WORDS), rate,
        1e-9));
    /* 2^32 - 1 blocks: one of them has two halves, and twice the keys */
    double most = 4294967295.0;
    rate = 0x1p-40 * (most + 3) / 0x1p64 + 0x1p-32 * (most + 3) / 0x1p64;
    assert_true(
        test_is_near(seenset_plan_fp_rate(SEENSET_LAYOUT_SPLIT_BLOCK, 1,
                                          UINT64_C(0xFFFFFFFF) * 256, WORDS),
                     rate + 0x1p-64, 1e-6));
}

/* Fresh hashes are answered "seen" as often as the set says, and as often as
 * was planned. */
static void split_block_has_its_rate_measured(void **state)
{
    enum {
        KEYS = 200000,
        ASKED = 2000000
    };
    (void)state;
    for (double p = 0.1; p > 5e-4; p /= 10.0) {
        uint64_t hits = 0;
        seenset *set =
            test_make((seenset_options){.layout = SEENSET_LAYOUT_SPLIT_BLOCK,
                                        .on_full = SEENSET_ON_FULL_DEGRADE,
                                        .capacity_items = KEYS,
                                        .fp_rate = p});
        for (uint64_t i = 0; i < KEYS; i++)
            (void)seenset_add_hash(set, test_mix(i));
        for (uint64_t i = 0; i < ASKED; i++)
            hits += seenset_has_hash(set, test_mix(KEYS + i)) == 1;
        double rate = test_stats_of(set).current_fp_rate;
        assert_true(test_is_binomial(hits, ASKED, rate));
        assert_false(test_is_binomial(hits, ASKED, rate * 1.3)); /* planted */
        assert_true(test_is_near(rate, p, 0.1));
        seenset_free(set);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(split_block_sets_parquets_bits),
        cmocka_unit_test(split_block_sets_bits_written_down),
        cmocka_unit_test(split_block_is_one_in_every_way),
        cmocka_unit_test(split_blocks_of_a_file_answer_the_same),
        cmocka_unit_test(split_block_is_added_in_parallel),
        cmocka_unit_test(split_block_is_planned),
        cmocka_unit_test(split_block_has_its_rate),
        cmocka_unit_test(split_block_has_its_rate_measured),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
