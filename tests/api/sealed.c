/*
 * sealed.c - sets that are built once: every key found, the rate of the
 * fingerprints, files, views, secrets, and no for everything that changes.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

static seenset *seal(uint64_t *hashes, size_t count, double fp_rate,
                     uint32_t arity)
{
    seenset_options options = {.fp_rate = fp_rate, .hash_count = arity};
    seenset *set = NULL;
    assert_int_equal(
        seenset_build_sealed_hashes(&set, &options, hashes, count, NULL, NULL),
        SEENSET_OK);
    return set;
}

static seenset *seal_hashes(uint64_t count, double fp_rate, uint32_t arity)
{
    uint64_t *hashes = malloc((count + 1) * sizeof *hashes);
    assert_non_null(hashes);
    for (uint64_t i = 0; i < count; i++)
        hashes[i] = test_mix(i / 2 * 2); /* each twice */
    seenset *set = seal(hashes, count, fp_rate, arity);
    free(hashes);
    return set;
}

static uint64_t count_seen(const seenset *set, uint64_t from, uint64_t to)
{
    uint64_t seen = 0;
    for (uint64_t i = from; i < to; i++)
        seen += (uint64_t)seenset_has_hash(set, test_mix(i));
    return seen;
}

static void check_rate(double fp_rate, uint32_t arity, uint32_t bits)
{
    enum {
        KEYS = 200000,
        ASKED = 4000000
    };
    seenset *set = seal_hashes(KEYS, fp_rate, arity);
    seenset_stats stats;
    assert_int_equal(seenset_get_stats(set, &stats, sizeof stats), SEENSET_OK);
    assert_int_equal(stats.fingerprint_bits, bits);
    assert_int_equal(stats.added_items, KEYS / 2);
    assert_true(stats.current_fp_rate <= fp_rate);
    for (uint64_t i = 0; i < KEYS; i += 2)
        assert_int_equal(seenset_has_hash(set, test_mix(i)), 1);
    uint64_t false_hits = count_seen(set, KEYS, KEYS + ASKED);
    assert_true(test_is_binomial(false_hits, ASKED, stats.current_fp_rate));
    assert_false(
        test_is_binomial(false_hits + ASKED / 50, ASKED,
                         stats.current_fp_rate)); /* the bound can fail */
    seenset_free(set);
}

static void sealed_sets_find_all_and_keep_their_rate(void **state)
{
    (void)state;
    check_rate(0.01, 0, 7);
    check_rate(0.01, 3, 7);
    check_rate(1e-4, 4, 14);
    check_rate(1e-6, 3, 20);
    check_rate(0.9, 4, 4);
    /* asked for as they are: equal hashes take no bit more */
    check_rate(0x1p-8, 4, 8);
    check_rate(0x1p-16, 3, 16);
}

/* The least width that keeps a rate. */
static uint32_t least_bits(double fp_rate)
{
    uint32_t bits = 4;
    while (ldexp(1.0, -(int)bits) > fp_rate)
        bits++;
    return bits;
}

/* Does a file of a set say what the set says, as a view and as a copy? */
static void check_file(const seenset *set, uint64_t strangers_from)
{
    enum {
        STRANGERS = 500
    };
    size_t size_bytes;
    uint8_t *bytes = test_bytes_of(set, &size_bytes);
    for (uint32_t flags = 0; flags <= SEENSET_OPEN_COPY;
         flags += SEENSET_OPEN_COPY) {
        seenset *opened = NULL;
        const seenset_open_options how = {.flags = flags};
        assert_int_equal(seenset_open_bytes(&opened, bytes, size_bytes, &how),
                         SEENSET_OK);
        for (uint64_t i = 0; i < strangers_from + STRANGERS; i++)
            assert_int_equal(seenset_has_hash(opened, test_mix(i)),
                             seenset_has_hash(set, test_mix(i)));
        seenset_free(opened);
    }
    bytes[size_bytes / 2] ^= 1; /* in the table, whose sum is wrong then */
    seenset *opened = NULL;
    const seenset_open_options copy = {.flags = SEENSET_OPEN_COPY};
    assert_int_not_equal(seenset_open_bytes(&opened, bytes, size_bytes, &copy),
                         SEENSET_OK);
    free(bytes);
}

/* 200 sets of random rates and numbers of keys: all keys are found, the width
 * is the least, and of all strangers so many are seen as the widths say. */
static void sealed_sets_have_the_width_of_their_rate(void **state)
{
    enum {
        SETS = 200,
        STRANGERS = 20000
    };
    static const uint64_t most[] = {3, 40, 700, 20000};
    static uint64_t hashes[20000];
    uint64_t hits[33] = {0}, asked[33] = {0};
    (void)state;
    for (uint64_t i = 0; i < SETS; i++) {
        uint64_t drawn = test_mix(1000000 + i);
        double fp_rate = exp2(-0.5 - 31.5 * (double)(drawn % 1000) / 1000.0);
        uint64_t count = drawn / 1000 % (most[i % 4] + 1);
        for (uint64_t j = 0; j < count; j++)
            hashes[j] = test_mix(j);
        seenset *set = seal(hashes, count, fp_rate, 3 + drawn / 512 % 2);
        uint32_t bits = test_stats_of(set).fingerprint_bits;
        assert_int_equal(bits, least_bits(fp_rate));
        assert_int_equal(count_seen(set, 0, count), count);
        asked[bits] += STRANGERS;
        hits[bits] += count_seen(set, 100000, 100000 + STRANGERS);
        check_file(set, count);
        seenset_free(set);
    }
    for (uint32_t bits = 4; bits <= 32; bits++) {
        /* small tables vary; they are a third of all strangers, or less */
        double mean = (double)asked[bits] * ldexp(1.0, -(int)bits);
        assert_true((double)hits[bits] <= 2.0 * mean + 30.0);
        assert_true((double)hits[bits] >= 0.5 * mean - 30.0);
    }
}

/* Every copy of the set has the keys: itself, its copy, views, batches. */
static void check_sealed(const seenset *set, const uint64_t *hashes,
                         size_t count)
{
    uint8_t answers[4];
    size_t size_bytes;
    uint8_t *bytes = test_bytes_of(set, &size_bytes);
    for (uint32_t flags = 0; flags <= SEENSET_OPEN_COPY;
         flags += SEENSET_OPEN_COPY) {
        seenset *opened = NULL;
        assert_int_equal(
            seenset_open_bytes(&opened, bytes, size_bytes,
                               &(seenset_open_options){.flags = flags}),
            SEENSET_OK);
        for (size_t i = 0; i < count; i++)
            assert_int_equal(seenset_has_hash(opened, hashes[i]), 1);
        assert_int_equal(seenset_has_hash_many(opened, hashes, count, answers),
                         SEENSET_OK);
        for (size_t i = 0; i < count; i++)
            assert_int_equal(answers[i], 1);
        seenset_free(opened);
    }
    free(bytes);
}

/* Sealed sets of 0, 1 and 2 keys, and of one key a thousand times.
 * Constructions that divide by the number of keys, or peel a table too small,
 * fail there. */
static void sealed_sets_may_be_tiny(void **state)
{
    enum {
        STRANGERS = 100000
    };
    static const double rates[] = {0.01, 1e-4, 1e-9};
    (void)state;
    for (size_t i = 0; i < 2 * TEST_COUNT(rates) * 4; i++) {
        uint64_t hashes[1000];
        size_t kind = i % 4, given = kind == 3 ? 1000 : kind;
        uint64_t keys[3] = {UINT64_MAX, 0, 0};
        for (size_t j = 0; j < given; j++)
            hashes[j] = keys[kind == 3 ? 0 : j];
        seenset *set = seal(hashes, given, rates[i / 8], 3 + i / 4 % 2);
        seenset_stats stats;
        assert_int_equal(seenset_get_stats(set, &stats, sizeof stats),
                         SEENSET_OK);
        assert_int_equal(stats.added_items, kind == 3 ? 1 : kind);
        check_sealed(set, keys, (size_t)stats.added_items);
        uint64_t hits = 0;
        for (uint64_t j = 0; j < STRANGERS; j++)
            hits += (uint64_t)seenset_has_hash(set, test_mix(j));
        assert_true(test_is_binomial(hits, STRANGERS, stats.current_fp_rate));
        seenset_free(set);
    }
}

static void check_same(const seenset *a, const seenset *b)
{
    for (uint64_t i = 0; i < 30000; i++)
        assert_int_equal(seenset_has_hash(a, test_mix(i)),
                         seenset_has_hash(b, test_mix(i)));
}

static void sealed_sets_are_saved_and_opened(void **state)
{
    (void)state;
    test_folder folder;
    char path[TEST_PATH_BYTES];
    test_folder_make(&folder);
    test_path(path, &folder, "sealed");
    for (uint64_t count = 0; count <= 10000; count = count * 10 + 1) {
        seenset *set = seal_hashes(count, 0.01, 0);
        assert_int_equal(seenset_save(set, path), SEENSET_OK);
        assert_int_equal(seenset_verify(path, NULL), SEENSET_OK);
        for (uint32_t flags = 0; flags <= SEENSET_OPEN_COPY;
             flags += SEENSET_OPEN_COPY) {
            seenset *opened, *copy;
            assert_int_equal(
                seenset_open(&opened, path,
                             &(seenset_open_options){.flags = flags}),
                SEENSET_OK);
            check_same(set, opened);
            assert_int_equal(seenset_copy(&copy, opened), SEENSET_OK);
            check_same(set, copy);
            seenset_free(copy);
            seenset_free(opened);
        }
        seenset *shared;
        assert_int_equal(
            seenset_open(&shared, path,
                         &(seenset_open_options){.flags = SEENSET_OPEN_COPY |
                                                          SEENSET_FLAG_SHARED}),
            SEENSET_EUNSUPPORTED);
        seenset_free(set);
    }
    test_folder_remove(&folder);
}

static void sealed_sets_do_not_change(void **state)
{
    (void)state;
    seenset *set = seal_hashes(100, 0.01, 0);
    seenset *grown;
    seenset_overlap likeness;
    seenset_key key = {"x", 1};
    uint64_t hash = 1, count;
    uint8_t answer;
    assert_int_equal(seenset_new(&grown, NULL), SEENSET_OK);
    assert_int_equal(seenset_add(set, "x", 1), SEENSET_EUNSUPPORTED);
    assert_int_equal(seenset_add_hash(set, 1), SEENSET_EUNSUPPORTED);
    assert_int_equal(seenset_add_many(set, &key, 1, &answer),
                     SEENSET_EUNSUPPORTED);
    assert_int_equal(seenset_add_hash_many(set, &hash, 1, NULL),
                     SEENSET_EUNSUPPORTED);
    assert_int_equal(seenset_add_parallel(set, &key, 1, 2),
                     SEENSET_EUNSUPPORTED);
    assert_int_equal(seenset_remove(set, "x", 1), SEENSET_EUNSUPPORTED);
    assert_int_equal(seenset_count(set, "x", 1, &count), SEENSET_EUNSUPPORTED);
    assert_int_equal(seenset_clear(set), SEENSET_EUNSUPPORTED);
    assert_int_equal(seenset_merge(set, grown), SEENSET_EUNSUPPORTED);
    assert_int_equal(seenset_merge(grown, set), SEENSET_EUNSUPPORTED);
    assert_int_equal(seenset_intersect(set, set), SEENSET_EUNSUPPORTED);
    assert_int_equal(test_is_superset(set, set), SEENSET_EUNSUPPORTED);
    assert_int_equal(seenset_get_overlap(set, set, &likeness, sizeof likeness),
                     SEENSET_EUNSUPPORTED);
    seenset_free(set);
    seenset_free(grown);
}

static void sealed_sets_take_keys_and_secrets(void **state)
{
    enum {
        KEYS = 5000
    };
    static uint64_t numbers[KEYS];
    static seenset_key keys[KEYS];
    static uint8_t answers[KEYS];
    (void)state;
    uint8_t secret[SEENSET_SECRET_BYTES] = {1, 2, 3};
    for (uint64_t i = 0; i < KEYS; i++) {
        numbers[i] = i;
        keys[i] = (seenset_key){&numbers[i], sizeof numbers[i]};
    }
    seenset_options options = {.fp_rate = 1e-4, .secret = secret};
    seenset *set, *view;
    assert_int_equal(
        seenset_build_sealed(&set, &options, keys, KEYS, NULL, NULL),
        SEENSET_OK);
    assert_int_equal(seenset_has_many(set, keys, KEYS, answers), SEENSET_OK);
    for (uint64_t i = 0; i < KEYS; i++)
        assert_int_equal(answers[i], 1);
    size_t size_bytes;
    uint8_t *bytes = test_bytes_of(set, &size_bytes);
    seenset_open_options with = {.flags = SEENSET_OPEN_COPY};
    assert_int_equal(seenset_open_bytes(&view, bytes, size_bytes, &with),
                     SEENSET_ESECRET);
    with.secret = secret;
    assert_int_equal(seenset_open_bytes(&view, bytes, size_bytes, &with),
                     SEENSET_OK);
    assert_int_equal(seenset_has(view, &numbers[7], 8), 1);
    seenset_free(view);
    seenset_free(set);
    free(bytes);
}

/* A seed is kept in the file, which opens without it. */
static void sealed_sets_take_a_seed(void **state)
{
    enum {
        KEYS = 5000
    };
    static uint64_t numbers[KEYS];
    static seenset_key keys[KEYS];
    const seenset_scheme_arguments seed = {.seed = 7};
    const seenset_options options = {.scheme_arguments = &seed};
    seenset *set, *view, *plain;
    seenset_info info;
    (void)state;
    for (uint64_t i = 0; i < KEYS; i++) {
        numbers[i] = i;
        keys[i] = (seenset_key){&numbers[i], sizeof numbers[i]};
    }
    assert_int_equal(
        seenset_build_sealed(&set, &options, keys, KEYS, NULL, NULL), 0);
    assert_int_equal(seenset_build_sealed(&plain, NULL, keys, KEYS, NULL, NULL),
                     0);
    assert_false(test_are_equal(set, plain));
    size_t size_bytes;
    uint8_t *bytes = test_bytes_of(set, &size_bytes);
    assert_int_equal(seenset_open_bytes(&view, bytes, size_bytes, NULL), 0);
    assert_int_equal(seenset_get_info(view, &info, sizeof info), SEENSET_OK);
    assert_int_equal(info.seed, 7);
    for (uint64_t i = 0; i < KEYS; i++)
        assert_int_equal(seenset_has(view, &numbers[i], sizeof numbers[i]), 1);
    assert_int_equal(seenset_has_hash(view, 1), SEENSET_EUNSUPPORTED);
    seenset_free(view);
    seenset_free(set);
    seenset_free(plain);
    free(bytes);
}

static void sealing_refuses_what_it_cannot_do(void **state)
{
    (void)state;
    const seenset_scheme_arguments seed = {.seed = 7};
    seenset *set = NULL;
    uint64_t hash = 1;
    uint8_t secret[SEENSET_SECRET_BYTES] = {0};
    static const double bad_rates[] = {-1.0, 1.0, 2.0, NAN, INFINITY};
    for (size_t i = 0; i < TEST_COUNT(bad_rates); i++) {
        seenset_options options = {.fp_rate = bad_rates[i]};
        assert_int_equal(
            seenset_build_sealed_hashes(&set, &options, &hash, 1, NULL, NULL),
            SEENSET_EINVAL);
    }
    seenset_options options = {.fp_rate = 1e-10};
    assert_int_equal(
        seenset_build_sealed_hashes(&set, &options, &hash, 1, NULL, NULL),
        SEENSET_ERATE);
    options = (seenset_options){.hash_count = 5};
    assert_int_equal(
        seenset_build_sealed_hashes(&set, &options, &hash, 1, NULL, NULL),
        SEENSET_EINVAL);
    options = (seenset_options){.layout = SEENSET_LAYOUT_BLOOM};
    assert_int_equal(
        seenset_build_sealed_hashes(&set, &options, &hash, 1, NULL, NULL),
        SEENSET_EINVAL);
    options = (seenset_options){.secret = secret};
    assert_int_equal(
        seenset_build_sealed_hashes(&set, &options, &hash, 1, NULL, NULL),
        SEENSET_EUNSUPPORTED);
    options = (seenset_options){.scheme_arguments = &seed};
    assert_int_equal(
        seenset_build_sealed_hashes(&set, &options, &hash, 1, NULL, NULL),
        SEENSET_EUNSUPPORTED);
    options.scheme = SEENSET_SCHEME_MURMUR3_128;
    assert_int_equal(seenset_build_sealed(&set, &options, NULL, 0, NULL, NULL),
                     SEENSET_EINVAL);
    assert_int_equal(
        seenset_build_sealed_hashes(&set, NULL, NULL, 1, NULL, NULL),
        SEENSET_EINVAL);
    options = (seenset_options){.layout = SEENSET_LAYOUT_SEALED};
    assert_int_equal(seenset_new(&set, &options), SEENSET_EINVAL);
    assert_null(set);
}

/* Out of memory at any allocation: an error, and nothing leaked. */
static void sealing_survives_lack_of_memory(void **state)
{
    (void)state;
    test_memory memory;
    test_memory_init(&memory);
    seenset_options options = {.allocator = &memory.allocator};
    seenset_key keys[3] = {{"a", 1}, {"b", 1}, {"c", 1}};
    int failures = 0;
    for (;; failures++) {
        seenset *set = NULL;
        memory.calls = 0;
        memory.fail_at = 1 + (size_t)failures;
        int error = seenset_build_sealed(&set, &options, keys, 3, NULL, NULL);
        seenset_free(set);
        assert_int_equal(memory.live_blocks, 0);
        if (error == SEENSET_OK)
            break;
        assert_int_equal(error, SEENSET_ENOMEM);
        assert_null(set);
    }
    assert_true(failures >= 4);
}

/*
 * Each field of the record at extremes, the checksum made right again: refused,
 * or safe to ask anything.
 */
static void sealed_headers_are_doubted(void **state)
{
    static const uint64_t extremes[] = {0,
                                        1,
                                        3,
                                        UINT64_C(1) << 20,
                                        UINT32_MAX,
                                        (UINT64_C(1) << 32) + 1,
                                        UINT64_C(1) << 53,
                                        UINT64_C(1) << 63,
                                        UINT64_MAX};
    static const struct {
        size_t at;
        unsigned bytes;
    } fields[] = {{128, 8}, {136, 4}, {200, 4}, {208, 8}, {216, 8}, {224, 8}};
    (void)state;
    seenset *set = seal_hashes(1000, 0.01, 0);
    size_t size_bytes;
    uint8_t *good = test_bytes_of(set, &size_bytes);
    uint8_t *bytes = malloc(size_bytes);
    assert_non_null(bytes);
    int refused = 0;
    for (size_t i = 0; i < TEST_COUNT(fields); i++) {
        for (size_t j = 0; j < TEST_COUNT(extremes); j++) {
            memcpy(bytes, good, size_bytes);
            test_store(bytes + fields[i].at, fields[i].bytes, extremes[j]);
            test_repair_header(bytes, test_header_bytes(bytes));
            seenset *opened = NULL;
            int error = seenset_open_bytes(
                &opened, bytes, size_bytes,
                &(seenset_open_options){.flags = SEENSET_OPEN_COPY});
            refused += error != SEENSET_OK;
            if (error == SEENSET_OK)
                assert_true(count_seen(opened, 0, 5000) <= 5000);
            seenset_free(opened);
        }
    }
    assert_true(refused > 40);
    free(bytes);
    free(good);
    seenset_free(set);
}

static void sealing_checks_its_arguments(void **state)
{
    const seenset_key keys[] = {{"a", 1}, {NULL, 1}};
    seenset *const mark = (seenset *)(uintptr_t)8, *set = mark;
    (void)state;
    assert_int_equal(seenset_build_sealed(NULL, NULL, keys, 1, NULL, NULL),
                     SEENSET_EINVAL);
    assert_int_equal(seenset_build_sealed(&set, NULL, keys, 2, NULL, NULL),
                     SEENSET_EINVAL);
    assert_int_equal(seenset_build_sealed(&set, NULL, NULL, 1, NULL, NULL),
                     SEENSET_EINVAL);
    assert_ptr_equal(set, mark);
    assert_int_equal(seenset_build_sealed(&set, NULL, NULL, 0, NULL, NULL),
                     SEENSET_OK);
    seenset_free(set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sealed_sets_find_all_and_keep_their_rate),
        cmocka_unit_test(sealed_sets_have_the_width_of_their_rate),
        cmocka_unit_test(sealed_sets_may_be_tiny),
        cmocka_unit_test(sealed_sets_are_saved_and_opened),
        cmocka_unit_test(sealed_sets_do_not_change),
        cmocka_unit_test(sealed_sets_take_keys_and_secrets),
        cmocka_unit_test(sealed_sets_take_a_seed),
        cmocka_unit_test(sealing_refuses_what_it_cannot_do),
        cmocka_unit_test(sealing_survives_lack_of_memory),
        cmocka_unit_test(sealed_headers_are_doubted),
        cmocka_unit_test(sealing_checks_its_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
