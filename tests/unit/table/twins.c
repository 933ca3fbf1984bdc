/*
 * twins.c - in the layouts that have kernels, every way to test a line gives
 * the same bits and the same answers as the portable one, for single keys,
 * batches and builds.
 */
#include <stdlib.h>
#include <string.h>

#include "table/blocked/blocked.h"
#include "table/split_block/split_block.h"
#include "support.h"

/* The portable twins with the loops of hosts that have no prefetch. */
extern const ss_layout blocked_in_bursts;
extern const ss_layout split_block_in_bursts;

enum {
    LINES = 1009,
    HASHES = 60000
};

static const char *const twin_names[] = {"avx2", "avx512", "neon"};

/* The portable one of the same layout. */
static const ss_layout *truth_of(const ss_layout *twin)
{
    return twin->traits == &ss_blocked_traits ? &ss_blocked_portable
                                              : &ss_split_block_portable;
}

static ss_table make_of(const ss_layout *layout, uint32_t k, uint64_t lines)
{
    uint64_t size_bits = lines * SS_WORD_BITS * k;
    uint64_t *words = calloc((size_t)ss_table_words_for(size_bits, 1), 8);
    assert_non_null(words);
    return ss_table_make(layout, size_bits, k, 1, words);
}

static ss_table make(const ss_layout *layout, uint32_t k)
{
    return make_of(layout, k, LINES);
}

static bool is_same(const ss_table *a, const ss_table *b)
{
    return memcmp(a->words, b->words, (size_t)ss_table_word_count(a) * 8) == 0;
}

/* Two thirds of the hashes are fresh, one third came before. */
static uint64_t *make_hashes(uint64_t seed)
{
    test_random random = {seed};
    uint64_t *hashes = calloc(HASHES + 8, sizeof *hashes); /* keys read on */
    assert_non_null(hashes);
    for (size_t i = 0; i < HASHES; i++)
        hashes[i] = i % 3 == 2 ? hashes[test_random_below(&random, i)]
                               : test_random_next(&random);
    return hashes;
}

static void check_singles(const ss_layout *twin, uint32_t k)
{
    ss_table a = make(truth_of(twin), k);
    ss_table b = make(twin, k);
    uint64_t *hashes = make_hashes(k);
    for (size_t i = 0; i < HASHES; i++) {
        const uint64_t *hash = &hashes[i];
        assert_int_equal(a.layout->has(&a, *hash), b.layout->has(&b, *hash));
        if (i % 2 == 0)
            assert_int_equal(a.layout->add(&a, *hash),
                             b.layout->add(&b, *hash));
        else
            assert_int_equal(a.layout->add_key(&a, hash, i % 41),
                             b.layout->add_key(&b, hash, i % 41));
    }
    assert_true(is_same(&a, &b));
    free(a.words);
    free(b.words);
    free(hashes);
}

static void check_batches(const ss_layout *twin, uint32_t k)
{
    static uint8_t of_a[HASHES], of_b[HASHES];
    ss_table a = make(truth_of(twin), k);
    ss_table b = make(twin, k);
    uint64_t *hashes = make_hashes(100 + k);
    size_t count = 0;
    for (size_t done = 0; done < HASHES; done += count) {
        count = count * 2 + 1 < HASHES - done ? count * 2 + 1 : HASHES - done;
        ss_batch batch = {.hashes = hashes + done, .count = count};
        size_t news = 0;
        for (size_t i = 0; i < count; i++) {
            of_a[i] = a.layout->add(&a, hashes[done + i]);
            news += of_a[i];
        }
        assert_int_equal(b.layout->add_many(&b, &batch, of_b), news);
        assert_memory_equal(of_a, of_b, count);
        batch.hashes = hashes;
        batch.count = HASHES;
        a.layout->has_many(&a, &batch, of_a);
        b.layout->has_many(&b, &batch, of_b);
        assert_memory_equal(of_a, of_b, HASHES);
    }
    assert_true(is_same(&a, &b));
    free(a.words);
    free(b.words);
    free(hashes);
}

/* Keys of 8 bytes, anywhere in memory, which some twins hash side by side; and
 * of other lengths in between. */
static void check_keys(const ss_layout *twin, uint32_t k, size_t other_every)
{
    static uint8_t of_a[HASHES], of_b[HASHES];
    static seenset_key keys[HASHES];
    ss_table a = make(truth_of(twin), k);
    ss_table b = make(twin, k);
    uint64_t *hashes = make_hashes(300 + k);
    for (size_t i = 0; i < HASHES; i++)
        keys[i] = (seenset_key){
            .data = (const char *)&hashes[i] + i % 7,
            .len = i % other_every == other_every - 1 ? i / 3 % 41 : 8};
    size_t count = 0;
    for (size_t done = 0; done < HASHES; done += count) {
        count = count * 2 + 1 < HASHES - done ? count * 2 + 1 : HASHES - done;
        ss_batch batch = {.keys = keys + done, .count = count};
        for (size_t i = 0; i < count; i++)
            of_a[i] =
                a.layout->add_key(&a, keys[done + i].data, keys[done + i].len);
        b.layout->add_many(&b, &batch, of_b);
        assert_memory_equal(of_a, of_b, count);
        b.layout->has_many(&b, &batch, of_b);
        for (size_t i = 0; i < count; i++)
            assert_int_equal(of_b[i], 1);
    }
    assert_true(is_same(&a, &b));
    free(a.words);
    free(b.words);
    free(hashes);
}

/* Integers, which are hashed side by side: as their bytes, the least first. */
static void check_integers(const ss_layout *twin, uint32_t k)
{
    static uint8_t of_a[HASHES], of_b[HASHES];
    ss_table a = make(truth_of(twin), k);
    ss_table b = make(twin, k);
    uint64_t *integers = make_hashes(500 + k);
    size_t count = 0;
    for (size_t done = 0; done < HASHES; done += count) {
        count = count * 2 + 1 < HASHES - done ? count * 2 + 1 : HASHES - done;
        ss_batch batch = {.integers = integers + done, .count = count};
        for (size_t i = 0; i < count; i++) {
            uint8_t bytes[8];
            test_store(bytes, sizeof bytes, integers[done + i]);
            of_a[i] = a.layout->add_key(&a, bytes, sizeof bytes);
        }
        b.layout->add_many(&b, &batch, of_b);
        assert_memory_equal(of_a, of_b, count);
        assert_int_equal(b.layout->has_many(&b, &batch, of_b), count);
    }
    assert_true(is_same(&a, &b));
    free(a.words);
    free(b.words);
    free(integers);
}

/* Wherever in a batch a key has no data, a lookup says so and reads none. */
static void check_missing_keys(const ss_layout *twin)
{
    uint64_t bytes[100] = {0};
    seenset_key keys[TEST_COUNT(bytes)];
    uint8_t is_seen[TEST_COUNT(bytes)];
    ss_table table = make(twin, 8);
    for (size_t i = 0; i < TEST_COUNT(bytes); i++)
        keys[i] = (seenset_key){&bytes[i], 8};
    for (size_t i = 0; i < TEST_COUNT(bytes); i++) {
        size_t missing = 0;
        ss_batch batch = {
            .keys = keys, .count = TEST_COUNT(bytes), .missing = &missing};
        keys[i].data = NULL;
        (void)twin->has_many(&table, &batch, is_seen);
        assert_int_equal(missing, 1);
        keys[i].data = &bytes[i];
    }
    free(table.words);
}

static void check_visits(const ss_layout *twin, uint32_t k)
{
    ss_table a = make(truth_of(twin), k);
    ss_table b = make(twin, k);
    uint64_t *hashes = make_hashes(200 + k);
    for (uint32_t visit = 0; visit < k / SS_LINE_WORDS; visit++)
        assert_int_equal(a.layout->add_probes(&a, visit, hashes, HASHES),
                         b.layout->add_probes(&b, visit, hashes, HASHES));
    assert_true(is_same(&a, &b));
    free(a.words);
    free(b.words);
    free(hashes);
}

/* ---- two tables at a time ---- */

/* Two tables of a row, which ask both, and two that are asked one after the
 * other. */
typedef struct couple {
    ss_table first, second, true_first, true_second;
} couple;

static void couple_make(couple *made, const ss_layout *twin, uint32_t k,
                        uint32_t second_k, uint64_t first_lines)
{
    const ss_layout *truth = truth_of(twin);
    made->first = make_of(twin, k, first_lines);
    made->second = make(twin, second_k);
    made->true_first = make_of(truth, k, first_lines);
    made->true_second = make(truth, second_k);
    made->first.other = &made->second;
    for (uint64_t i = 0; i < first_lines * 40; i++) {
        (void)made->first.layout->add(&made->first, test_mix(i));
        (void)truth->add(&made->true_first, test_mix(i));
    }
}

static bool couple_is_same(const couple *made)
{
    return is_same(&made->first, &made->true_first) &&
           is_same(&made->second, &made->true_second);
}

static void couple_free(couple *made)
{
    free(made->first.words);
    free(made->second.words);
    free(made->true_first.words);
    free(made->true_second.words);
}

static uint8_t true_has(const couple *of, uint64_t hash)
{
    const ss_layout *truth = of->true_first.layout;
    return truth->has(&of->true_first, hash) ||
           truth->has(&of->true_second, hash);
}

static uint8_t true_add(couple *of, uint64_t hash)
{
    const ss_layout *truth = of->true_first.layout;
    return !truth->has(&of->true_first, hash) &&
           truth->add(&of->true_second, hash);
}

/* Some in the first, some added, some added before, and some in neither; keys
 * of eight bytes and of others. */
static void make_keys(uint64_t *keys, seenset_key *as_keys, uint64_t *hashes,
                      bool are_hashes)
{
    test_random random = {17};
    for (size_t i = 0; i < HASHES; i++) {
        keys[i] = i % 5 == 1   ? test_mix(test_random_below(&random, 3000))
                  : i % 5 == 3 ? keys[test_random_below(&random, i)]
                               : test_random_next(&random);
        as_keys[i] = (seenset_key){&keys[i], i % 11 == 3 ? 7 : 8};
        hashes[i] =
            are_hashes ? keys[i] : ss_hash_key(as_keys[i].data, as_keys[i].len);
    }
}

/* Batches of keys, or of hashes that are ready; of growing sizes. Every other
 * one is only asked for. */
static bool batches_are_true(couple *of, const ss_layout *row, bool are_hashes)
{
    static uint64_t keys[HASHES], hashes[HASHES];
    static seenset_key as_keys[HASHES];
    static uint8_t answers[HASHES];
    bool is_add = true, is_true = true;
    size_t count = 0;
    make_keys(keys, as_keys, hashes, are_hashes);
    for (size_t done = 0; done < HASHES; done += count, is_add = !is_add) {
        count = count * 3 / 2 + 1 < HASHES - done ? count * 3 / 2 + 1
                                                  : HASHES - done;
        ss_batch batch = {.keys = are_hashes ? NULL : as_keys + done,
                          .hashes = are_hashes ? hashes + done : NULL,
                          .count = count};
        size_t ones = is_add ? row->add_many(&of->first, &batch, answers)
                             : row->has_many(&of->first, &batch, answers);
        for (size_t i = 0; i < count; i++) {
            uint8_t truth = is_add ? true_add(of, hashes[done + i])
                                   : true_has(of, hashes[done + i]);
            is_true &= answers[i] == truth;
            ones -= answers[i];
        }
        is_true &= ones == 0;
    }
    return is_true && couple_is_same(of);
}

static bool singles_are_true(couple *of, const ss_layout *row)
{
    static uint64_t keys[HASHES], hashes[HASHES];
    static seenset_key as_keys[HASHES];
    bool is_true = true;
    make_keys(keys, as_keys, hashes, false);
    for (size_t i = 0; i < HASHES; i++) {
        const seenset_key *key = &as_keys[i];
        uint8_t truth = true_has(of, hashes[i]);
        is_true &= row->has(&of->first, hashes[i]) == truth;
        is_true &= row->has_key(&of->first, key->data, key->len) == truth;
        if (i % 2 == 0)
            is_true &=
                row->add(&of->first, hashes[i]) == true_add(of, hashes[i]);
    }
    return is_true && couple_is_same(of);
}

static bool is_couple_true(const ss_layout *twin, const ss_layout *row,
                           uint32_t k, uint32_t second_k, uint64_t first_lines)
{
    bool is_true = true;
    for (int way = 0; way < 3; way++) {
        couple made;
        couple_make(&made, twin, k, second_k, first_lines);
        is_true &= way == 2 ? singles_are_true(&made, row)
                            : batches_are_true(&made, row, way == 1);
        couple_free(&made);
    }
    return is_true;
}

/* Of all numbers of lines, with a first table in the nearest cache and not. */
static void check_both(const ss_layout *twin)
{
    const ss_layout_traits *traits = twin->traits;
    uint32_t step = traits->hash_count_step;
    for (uint32_t k = traits->min_hash_count; k <= traits->max_hash_count;
         k += step)
        for (uint32_t other = traits->min_hash_count;
             other <= traits->max_hash_count; other += step) {
            assert_true(is_couple_true(twin, twin->both, k, other, 20));
            assert_true(is_couple_true(twin, twin->both, k, other, 300));
        }
}

/* Planted: a row that does not ask the first table. */
static void a_row_that_asks_one_of_two_is_told_apart(void **state)
{
    const ss_layout *best = ss_blocked_best();
    (void)state;
    if (best->both == NULL)
        return;
    assert_true(is_couple_true(best, best->both, 8, 8, 20));
    assert_false(is_couple_true(best, best, 8, 8, 20));
}

static void check_twin(const ss_layout *twin)
{
    const ss_layout_traits *traits = twin->traits;
    if (twin->both != NULL)
        check_both(twin);
    for (uint32_t k = traits->min_hash_count; k <= traits->max_hash_count;
         k += traits->hash_count_step) {
        check_singles(twin, k);
        check_batches(twin, k);
        check_keys(twin, k, HASHES);
        check_keys(twin, k, 11);
        check_keys(twin, k, 2);
        check_integers(twin, k);
        check_visits(twin, k);
    }
    check_missing_keys(twin);
}

static void twins_equal_the_portable_one(void **state)
{
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(twin_names); i++) {
        const ss_layout *twin = ss_blocked_kernel(twin_names[i]);
        if (twin != NULL)
            check_twin(twin);
    }
    check_twin(&ss_blocked_portable); /* its batches against its singles */
    check_twin(&ss_blocked_shared);
    check_twin(&blocked_in_bursts);
    check_twin(ss_split_block_best());
    check_twin(&ss_split_block_portable);
    check_twin(&ss_split_block_shared);
    check_twin(&split_block_in_bursts);
}

/* Of blocks of 256 bits. */
static const char *best_name(void)
{
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx2") ? "avx2" : "portable";
#elif defined(__aarch64__)
    return "neon";
#else
    return "portable";
#endif
}

static void twins_are_chosen_by_the_processor(void **state)
{
    (void)state;
    assert_string_equal(ss_split_block_best()->name, best_name());
    assert_non_null(ss_blocked_best());
    assert_ptr_equal(ss_blocked_kernel("portable"), &ss_blocked_portable);
    assert_ptr_equal(ss_blocked_kernel(ss_blocked_best()->name),
                     ss_blocked_best());
    assert_null(ss_blocked_kernel("shared"));
    assert_null(ss_blocked_kernel("no such twin"));
}

/* A twin that forgets word 7 when its bit is bit 63. */
static bool forgetful_add(ss_table *table, uint64_t hash)
{
    uint64_t *line =
        table->words + ss_hash_range(hash, table->range) * SS_LINE_WORDS;
    uint64_t before = line[SS_LINE_WORDS - 1];
    bool is_new = ss_blocked_portable.add(table, hash);
    if ((ss_hash_step(hash) >> 58) == 63)
        line[SS_LINE_WORDS - 1] = before;
    return is_new;
}

static void twins_that_differ_are_told_apart(void **state)
{
    (void)state;
    ss_table a = make(&ss_blocked_portable, 8);
    ss_table b = make(&ss_blocked_portable, 8);
    uint64_t *hashes = make_hashes(1);
    for (size_t i = 0; i < 1000; i++) {
        a.layout->add(&a, hashes[i]);
        forgetful_add(&b, hashes[i]);
    }
    assert_false(is_same(&a, &b));
    free(a.words);
    free(b.words);
    free(hashes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(twins_equal_the_portable_one),
        cmocka_unit_test(twins_are_chosen_by_the_processor),
        cmocka_unit_test(twins_that_differ_are_told_apart),
        cmocka_unit_test(a_row_that_asks_one_of_two_is_told_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
