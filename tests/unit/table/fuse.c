/*
 * fuse.c - the sealed layout's engine: every hash that went in is found, others
 * are at the promised rate, and the slots are those of the format's document.
 */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuse_support.h"
#include "base/sort.h"

enum {
    MILLION = 1000000,
    QUERIES = MILLION
};

static ss_fuse build(uint64_t *hashes, uint64_t count, unsigned arity,
                     unsigned width)
{
    ss_memory memory = own_memory();
    ss_fuse fuse;
    assert_int_equal(
        ss_fuse_build(&memory, hashes, count, arity, width, NULL, &fuse),
        SEENSET_OK);
    assert_true(ss_fuse_shape_is_sound(&fuse.shape));
    return fuse;
}

/* Words past the slots are zero. */
static bool is_padded(const ss_fuse *fuse)
{
    uint64_t bits = ss_fuse_size_bits(&fuse->shape);
    uint64_t rest = 0;
    if (bits % 64 != 0)
        rest = fuse->words[bits / 64] >> (bits % 64);
    for (uint64_t i = (bits + 63) / 64; i < ss_fuse_word_count(&fuse->shape);
         i++)
        rest |= fuse->words[i];
    return rest == 0;
}

/* ---- what it answers ---- */

static void check_all_found(uint64_t count, unsigned arity, unsigned width)
{
    uint64_t *hashes = make_hashes(count);
    ss_fuse fuse = build(hashes, count, arity, width);
    assert_int_equal(fuse.key_count, count);
    assert_int_equal(count_found(&fuse, 0, count), count);
    assert_true(is_padded(&fuse));
    drop(&fuse);
    free(hashes);
}

static void fuse_never_forgets(void **state)
{
    static const uint64_t counts[] = {0,   1,    2,    3,     4,      10,
                                      100, 1000, 9999, 16000, 100000, 700000};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(counts) - (TEST_STEP > 1); i++) {
        for (size_t j = 0; j < 2 * WIDTHS; j++)
            check_all_found(counts[i], arities[j / WIDTHS], widths[j % WIDTHS]);
    }
    for (uint64_t count = 0; count < 600; count += TEST_STEP)
        check_all_found(count, arities[count % 2], widths[count % WIDTHS]);
}

/* 1e7 keys: found, of the size that was promised, at the rate promised. */
static void fuse_of_ten_million_keeps_its_promises(void **state)
{
    (void)state;
    test_leave_to_real_machines();
    for (size_t i = 0; i < 2; i++) {
        unsigned width = widths[i];
        uint64_t count = 10 * MILLION;
        uint64_t *hashes = make_hashes(count);
        ss_fuse fuse = build(hashes, count, arities[i], width);
        assert_int_equal(count_found(&fuse, 0, count), count);
        assert_true(test_is_binomial(count_found(&fuse, count, QUERIES),
                                     QUERIES, 1.0 / (1 << width)));
        drop(&fuse);
        free(hashes);
    }
}

static void fuse_keeps_its_rate(void **state)
{
    static const uint64_t counts[] = {10, 1000, 50000, MILLION};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(counts) * 2 * WIDTHS; i += TEST_STEP) {
        unsigned width = widths[i % WIDTHS];
        uint64_t count = counts[i / (2 * WIDTHS)];
        uint64_t *hashes = make_hashes(count);
        ss_fuse fuse = build(hashes, count, arities[i / WIDTHS % 2], width);
        double rate = 1.0 / (double)(UINT64_C(1) << width);
        uint64_t found = count_found(&fuse, count, QUERIES);
        if (count >= 50000) {
            assert_true(test_is_binomial(found, QUERIES, rate));
            /* planted: two bits more, two bits less */
            assert_false(width <= 13 &&
                         test_is_binomial(found, QUERIES, rate / 4));
            assert_false(width <= 13 &&
                         test_is_binomial(found, QUERIES, rate * 4));
        } else {
            /* A small table is a sample of its own: the next test. */
            assert_true((double)found <= QUERIES * rate * 8 + 10);
        }
        drop(&fuse);
        free(hashes);
    }
}

/* Over many small tables, with one query each, the rate is what it is for a
 * large one. */
static void fuse_keeps_its_rate_when_small(void **state)
{
    enum {
        TABLES = 20000,
        KEYS = 20
    };
    uint64_t hashes[KEYS], found = 0;
    (void)state;
    for (uint64_t i = 0; i < TABLES; i++) {
        for (uint64_t k = 0; k < KEYS; k++)
            hashes[k] = test_mix(i * (KEYS + 1) + k);
        ss_fuse fuse = build(hashes, KEYS, arities[i % 2], 8);
        found += count_found(&fuse, i * (KEYS + 1) + KEYS, 1);
        drop(&fuse);
    }
    assert_true(test_is_binomial(found, TABLES, 1.0 / 256));
}

static void fuse_batches_answer_as_single_lookups(void **state)
{
    enum {
        COUNT = 30000
    };
    static uint8_t is_seen[2 * COUNT], is_seen_key[2 * COUNT];
    static uint64_t numbers[2 * COUNT];
    static seenset_key keys[2 * COUNT];
    (void)state;
    uint64_t *queries = make_hashes(2 * COUNT);
    for (uint64_t i = 0; i < 2 * COUNT; i++) {
        numbers[i] = i;
        keys[i] = (seenset_key){&numbers[i], sizeof numbers[i]};
        queries[i] = ss_hash_key(&numbers[i], sizeof numbers[i]);
    }
    for (size_t j = 0; j < 2 * WIDTHS; j++) {
        uint64_t *hashes = make_hashes(COUNT);
        memcpy(hashes, queries, COUNT * sizeof *hashes);
        ss_fuse fuse =
            build(hashes, COUNT, arities[j / WIDTHS], widths[j % WIDTHS]);
        for (size_t count = 0; count <= 2 * COUNT;
             count = count < 100 ? count + 1 : count * 20 + 40000) {
            ss_batch by_hash = {.hashes = queries, .count = count};
            ss_batch by_key = {.keys = keys, .count = count};
            size_t seen = 0;
            assert_int_equal(
                fuse_has_many(&fuse.shape, fuse.words, &by_hash, is_seen),
                fuse_has_many(&fuse.shape, fuse.words, &by_key, is_seen_key));
            assert_memory_equal(is_seen, is_seen_key, count + 1);
            for (size_t i = 0; i < count; i++) {
                assert_int_equal(is_seen[i],
                                 fuse_has(&fuse.shape, fuse.words, queries[i]));
                seen += is_seen[i];
            }
            assert_int_equal(seen, fuse_has_many(&fuse.shape, fuse.words,
                                                 &by_hash, is_seen));
        }
        drop(&fuse);
        free(hashes);
    }
    free(queries);
}

/* Planted: a build that leaves one key out is seen by count_found. */
static void fuse_oracle_sees_a_skipped_key(void **state)
{
    (void)state;
    for (uint64_t skipped = 0; skipped < 1000; skipped += 37) {
        uint64_t *hashes = make_hashes(1000);
        hashes[skipped] = hashes[999];
        ss_fuse fuse = build(hashes, 999, 3, 32);
        assert_int_equal(count_found(&fuse, 0, 1000), 999);
        assert_int_equal(count_found(&fuse, skipped, 1), 0);
        drop(&fuse);
        free(hashes);
    }
}

/* Words that end where memory ends. */
static uint64_t *at_the_end_of_memory(const ss_fuse *fuse, size_t page_bytes,
                                      uint8_t **pages, size_t *pages_bytes)
{
    size_t bytes = (size_t)ss_fuse_word_count(&fuse->shape) * 8;
    *pages_bytes = (bytes / page_bytes + 2) * page_bytes;
    *pages = mmap(NULL, *pages_bytes, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(*pages, MAP_FAILED);
    uint8_t *end = *pages + *pages_bytes - page_bytes;
    assert_int_equal(mprotect(end, page_bytes, PROT_NONE), 0);
    memcpy(end - bytes, fuse->words, bytes);
    return (uint64_t *)(void *)(end - bytes);
}

/* Lookups load whole words at any byte, and none past the table. */
static void fuse_reads_no_byte_past_its_words(void **state)
{
    enum {
        COUNT = 300
    };
    static uint8_t is_seen[COUNT];
    const size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);
    (void)state;
    for (unsigned i = 0; i < 2 * (32 - 4 + 1); i++) {
        uint8_t *pages;
        size_t pages_bytes;
        uint64_t *queries = make_hashes(COUNT), *hashes = make_hashes(COUNT);
        ss_fuse fuse = build(hashes, COUNT, arities[i % 2], 4 + i / 2);
        uint64_t *words =
            at_the_end_of_memory(&fuse, page_bytes, &pages, &pages_bytes);
        ss_batch batch = {.hashes = queries, .count = COUNT};
        for (uint64_t j = 0; j < COUNT; j++)
            assert_true(fuse_has(&fuse.shape, words, queries[j]));
        assert_int_equal(fuse_has_many(&fuse.shape, words, &batch, is_seen),
                         COUNT);
        for (uint64_t j = 0; j < 20 * COUNT; j++)
            (void)fuse_has(&fuse.shape, words, test_mix(j));
        assert_int_equal(munmap(pages, pages_bytes), 0);
        drop(&fuse);
        free(queries);
        free(hashes);
    }
}

/* ---- equal hashes ---- */

static void check_equal(uint64_t distinct, uint64_t copies, unsigned arity)
{
    uint64_t count = distinct * copies;
    uint64_t *hashes = make_hashes(count);
    for (uint64_t i = 0; i < count; i++)
        hashes[i] = test_mix(i % distinct);
    ss_fuse fuse = build(hashes, count, arity, 16);
    assert_int_equal(fuse.key_count, distinct);
    assert_int_equal(count_found(&fuse, 0, distinct), distinct);
    /* the distinct ones stand in front, unchanged, in some order */
    uint64_t *expected = make_hashes(distinct);
    ss_sort_numbers(expected, distinct);
    ss_sort_numbers(hashes, distinct);
    assert_memory_equal(hashes, expected, distinct * sizeof *hashes);
    drop(&fuse);
    free(expected);
    free(hashes);
}

static void fuse_takes_equal_hashes(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        check_equal(1, 2, arities[i]);
        check_equal(1, 100000, arities[i]);
        check_equal(50000, 2, arities[i]);
        check_equal(3, 1000, arities[i]);
        check_equal(1000, 1000, arities[i]);
    }
}

/* Not hashes at all: remixing makes do with them. */
static void fuse_takes_counters(void **state)
{
    (void)state;
    for (size_t shift = 0; shift < 64; shift += 9) {
        uint64_t count = shift > 40 ? UINT64_C(1) << (64 - shift) : 100000;
        uint64_t *hashes = make_hashes(count);
        for (uint64_t i = 0; i < count; i++)
            hashes[i] = i << shift;
        ss_fuse fuse = build(hashes, count, 3, 16);
        assert_int_equal(fuse.key_count, count);
        for (uint64_t i = 0; i < count; i++)
            assert_true(fuse_has(&fuse.shape, fuse.words, i << shift));
        drop(&fuse);
        free(hashes);
    }
}

/* ---- the format ---- */

/* docs/format-sealed.md says these numbers. */
static void fuse_has_the_slots_of_the_document(void **state)
{
    uint64_t hashes[10], places[SS_FUSE_MAX_ARITY];
    static const uint8_t expected[] = {
        0x00, 0x00, 0x28, 0x00, 0x63, 0x4A, 0x00, 0x1F, 0x00, 0x00, 0x00, 0x00,
        0x10, 0x00, 0x00, 0xBF, 0x34, 0xB3, 0x00, 0x00, 0x00, 0x00, 0xE1, 0x43};
    (void)state;
    for (uint64_t i = 0; i < 10; i++)
        hashes[i] = test_mix(i);
    ss_fuse fuse = build(hashes, 10, 3, 8);
    uint64_t x = ss_fuse_mix(test_mix(0), fuse.shape.seed);
    uint64_t fields = ss_fuse_places(x, 3, fuse.shape.segment_length,
                                     ss_fuse_first_slots(&fuse.shape), places);
    assert_int_equal(fuse.shape.seed, 0);
    assert_int_equal(fuse.shape.segment_length, 8);
    assert_int_equal(fuse.shape.segment_count, 1);
    assert_int_equal(fuse.shape.slot_count, sizeof expected);
    assert_true(x == UINT64_C(0x4474824C8C0C59F0));
    assert_true(fields == UINT64_C(0x0AE87034C4B1166C));
    assert_int_equal(ss_fuse_fingerprint(fields, 8), 0xC9);
    assert_int_equal(places[0], 2);
    assert_int_equal(places[1], 13);
    assert_int_equal(places[2], 22);
    for (size_t i = 0; i < sizeof expected; i++)
        assert_int_equal(fuse.words[i / 8] >> (8 * (i % 8)) & 0xFF,
                         expected[i]);
    drop(&fuse);
}

/* The same ten in packed slots: of these bytes, and 7 that are spare. */
static void fuse_has_the_packed_slots_of_the_document(void **state)
{
    uint64_t hashes[10];
    static const uint8_t expected[28] = {
        0x00, 0x00, 0x05, 0x10, 0x2B, 0x01, 0x1E, 0x00, 0x00, 0x00, 0x80,
        0x00, 0x00, 0xBE, 0x9A, 0x2C, 0x00, 0x00, 0x00, 0xC0, 0x43};
    (void)state;
    for (uint64_t i = 0; i < 10; i++)
        hashes[i] = test_mix(i);
    ss_fuse fuse = build(hashes, 10, 3, 7);
    assert_int_equal(fuse.shape.slot_count * 7, 8 * 21);
    assert_int_equal(ss_fuse_size_bits(&fuse.shape), 8 * sizeof expected);
    for (size_t i = 0; i < sizeof expected; i++)
        assert_int_equal(fuse.words[i / 8] >> (8 * (i % 8)) & 0xFF,
                         expected[i]);
    drop(&fuse);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fuse_never_forgets),
        cmocka_unit_test(fuse_of_ten_million_keeps_its_promises),
        cmocka_unit_test(fuse_keeps_its_rate),
        cmocka_unit_test(fuse_keeps_its_rate_when_small),
        cmocka_unit_test(fuse_batches_answer_as_single_lookups),
        cmocka_unit_test(fuse_oracle_sees_a_skipped_key),
        cmocka_unit_test(fuse_reads_no_byte_past_its_words),
        cmocka_unit_test(fuse_takes_equal_hashes),
        cmocka_unit_test(fuse_takes_counters),
        cmocka_unit_test(fuse_has_the_slots_of_the_document),
        cmocka_unit_test(fuse_has_the_packed_slots_of_the_document),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
