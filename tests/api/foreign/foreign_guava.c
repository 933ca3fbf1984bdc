/*
 * foreign_guava.c - files of Guava's BloomFilter: opened, asked as a file and
 * as a set, written again, and the false positives that Guava's own tests
 * count; and new files, of DCSO too.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "foreign_opened.h"

enum {
    STRATEGIES = 2,
    HEADER_BYTES = 6
};

static void guava_opens(void **state)
{
    (void)state;
    for (int strategy = 0; strategy < STRATEGIES; strategy++) {
        size_t size_bytes;
        seenset *set = NULL;
        uint8_t *bytes = foreign_guava_make(strategy, &size_bytes);
        seenset_foreign *file = foreign_open_whole(bytes, size_bytes);
        seenset_foreign_filter filter = foreign_filter_of(file, 0);
        assert_int_equal(foreign_info_of(file).format, SEENSET_FORMAT_GUAVA);
        assert_int_equal(foreign_info_of(file).filter_count, 1);
        assert_int_equal(filter.size_bits, 576);
        assert_int_equal(filter.hash_count, 10);
        assert_int_equal(filter.capacity_items, 0);
        assert_int_equal(filter.bits_offset, HEADER_BYTES);
        assert_int_equal(filter.scheme, strategy == 0
                                            ? SEENSET_SCHEME_GUAVA_MITZ_32
                                            : SEENSET_SCHEME_GUAVA_MITZ_64);
        assert_int_equal(seenset_foreign_set(&set, file, 0), SEENSET_OK);
        foreign_check_set(file, set, "guava");
        seenset_free(set);
        seenset_foreign_free(file);
        free(bytes);
    }
}

/* A file whose set was not changed is written as it was, to memory and to its
 * own path, and one to which a key was added has the key. */
static void guava_is_written_again(void **state)
{
    size_t size_bytes, written_bytes;
    char path[TEST_PATH_BYTES];
    test_folder folder;
    seenset *set = NULL;
    seenset_foreign *again = NULL;
    (void)state;
    uint8_t *bytes = foreign_guava_make(1, &size_bytes);
    uint8_t *written = malloc(size_bytes);
    assert_non_null(written);
    written_bytes = size_bytes;
    seenset_foreign *file = foreign_open_whole(bytes, size_bytes);
    assert_int_equal(seenset_foreign_set(&set, file, 0), 0);
    assert_int_equal(
        seenset_foreign_write_bytes(file, set, written, &written_bytes), 0);
    assert_memory_equal(written, bytes, size_bytes);
    assert_int_equal(seenset_add(set, "one more", 8), 1);
    test_folder_make(&folder);
    test_path(path, &folder, "guava");
    assert_int_equal(seenset_foreign_save(file, set, path), 0);
    assert_int_equal(seenset_foreign_open(&again, path, NULL), 0);
    assert_int_equal(seenset_foreign_has(file, 0, "one more", 8), 0);
    assert_int_equal(seenset_foreign_has(again, 0, "one more", 8), 1);
    assert_int_equal(seenset_foreign_save(again, set, path), 0);
    assert_int_equal(seenset_foreign_has(again, 0, "guava 7", 7), 1);
    assert_int_equal(seenset_foreign_save(file, set, "no/such/folder"),
                     SEENSET_EIO);
    assert_int_equal(errno, ENOENT);
    assert_int_equal(test_folder_count(&folder), 1);
    test_folder_remove(&folder);
    seenset_foreign_free(again);
    seenset_foreign_free(file);
    seenset_free(set);
    free(written);
    free(bytes);
}

/* What Guava 31.1, flor 1.1.3 and python3-bitcoinlib 0.11.2 make for a number
 * of keys and a rate. */
static void new_files_have_their_systems_sizes(void **state)
{
    static const struct {
        seenset_format format;
        uint64_t capacity_items;
        double fp_rate;
        uint64_t size_bits;
        uint32_t hash_count;
    } made[] = {{SEENSET_FORMAT_GUAVA, 1000000, 0.03, 7298496, 5},
                {SEENSET_FORMAT_GUAVA, 100, 0.01, 960, 7},
                {SEENSET_FORMAT_GUAVA, 1000, 1e-4, 19200, 13},
                {SEENSET_FORMAT_GUAVA, 10, 0.99, 64, 1},
                {SEENSET_FORMAT_DCSO, 1, 0.99, 1, 1},
                {SEENSET_FORMAT_DCSO, 1000, 1e-4, 19170, 14},
                {SEENSET_FORMAT_DCSO, 1000, 0.01, 9585, 7},
                {SEENSET_FORMAT_BIP37, 1, 1e-4, 16, 11},
                {SEENSET_FORMAT_BIP37, 1, 0.9, 8, 5},
                {SEENSET_FORMAT_BIP37, 1000, 1e-4, 19168, 13},
                {SEENSET_FORMAT_BIP37, 1000, 0.01, 9584, 6}};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(made); i++) {
        const seenset_plan plan = {.capacity_items = made[i].capacity_items,
                                   .fp_rate = made[i].fp_rate};
        size_t size = 0;
        seenset *set = NULL;
        assert_int_equal(
            seenset_foreign_new_bytes(made[i].format, 0, &plan, NULL, &size),
            SEENSET_ESPACE);
        uint8_t *bytes = malloc(size);
        assert_non_null(bytes);
        assert_int_equal(
            seenset_foreign_new_bytes(made[i].format, 0, &plan, bytes, &size),
            0);
        seenset_foreign *file = foreign_open_whole(bytes, size);
        seenset_foreign_filter filter = foreign_filter_of(file, 0);
        assert_int_equal(filter.size_bits, made[i].size_bits);
        assert_int_equal(filter.hash_count, made[i].hash_count);
        assert_int_equal(foreign_info_of(file).format, made[i].format);
        assert_int_equal(seenset_foreign_set(&set, file, 0), 0);
        assert_int_equal(test_stats_of(set).set_bits, 0);
        seenset_free(set);
        seenset_foreign_free(file);
        free(bytes);
    }
}

#define PLAN(...)                                                              \
    {                                                                          \
        .capacity_items = 9, .fp_rate = 0.1, __VA_ARGS__                       \
    }

/* The size that is given, or none; what no file has is refused. */
static void new_files_are_checked(void **state)
{
    static const struct {
        seenset_format format;
        seenset_scheme scheme;
        int error;
        seenset_plan plan;
    } tried[] = {
        /* planted: it is one */
        {SEENSET_FORMAT_GUAVA, SEENSET_SCHEME_GUAVA_MITZ_32, SEENSET_ESPACE,
         PLAN(.size_bits = 128, .hash_count = 3)},
        {SEENSET_FORMAT_GUAVA, SEENSET_SCHEME_DCSO, SEENSET_EMISMATCH,
         PLAN(.size_bits = 0)},
        {SEENSET_FORMAT_GUAVA, 0, SEENSET_EMISMATCH,
         PLAN(.size_bits = 100, .hash_count = 3)},
        {SEENSET_FORMAT_GUAVA, 0, SEENSET_EMISMATCH,
         PLAN(.size_bits = 64, .hash_count = 256)},
        {SEENSET_FORMAT_GUAVA,
         0,
         SEENSET_ETOOBIG,
         {.capacity_items = UINT64_C(1) << 40, .fp_rate = 0.1}},
        {SEENSET_FORMAT_GUAVA,
         0,
         SEENSET_ETOOBIG,
         {.capacity_items = 9, .fp_rate = 1e-200}},
        {SEENSET_FORMAT_DCSO,
         0,
         SEENSET_ETOOBIG,
         {.capacity_items = SEENSET_MAX_SIZE_BITS, .fp_rate = 1e-9}},
        {SEENSET_FORMAT_BIP37, 0, SEENSET_EMISMATCH,
         PLAN(.size_bits = 100, .hash_count = 3)},
        {SEENSET_FORMAT_BIP37, 0, SEENSET_EMISMATCH,
         PLAN(.size_bits = 288008, .hash_count = 3)},
        {SEENSET_FORMAT_BIP37, 0, SEENSET_EMISMATCH,
         PLAN(.size_bits = 800, .hash_count = 51)},
        {SEENSET_FORMAT_BIP37,
         0,
         SEENSET_ETOOBIG,
         {.capacity_items = 40000, .fp_rate = 0.01}},
        {SEENSET_FORMAT_BIP37,
         0,
         SEENSET_ETOOBIG,
         {.capacity_items = 10, .fp_rate = 1e-20}},
        {SEENSET_FORMAT_DCSO, 0, SEENSET_EINVAL, {.fp_rate = 0.1}},
        {SEENSET_FORMAT_DCSO,
         0,
         SEENSET_EINVAL,
         {.capacity_items = 9, .fp_rate = 1}},
        {SEENSET_FORMAT_DCSO, 0, SEENSET_EINVAL, {.capacity_items = 9}},
        {SEENSET_FORMAT_DCSO, 0, SEENSET_EINVAL, PLAN(.size_bits = 64)},
        {SEENSET_FORMAT_PARQUET, 0, SEENSET_EUNSUPPORTED, PLAN(.size_bits = 0)},
        {SEENSET_FORMAT_UNKNOWN, 0, SEENSET_EUNSUPPORTED,
         PLAN(.size_bits = 0)}};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(tried); i++) {
        size_t size = 7;
        assert_int_equal(seenset_foreign_new_bytes(tried[i].format,
                                                   tried[i].scheme,
                                                   &tried[i].plan, NULL, &size),
                         tried[i].error);
        assert_int_equal(size, tried[i].error == SEENSET_ESPACE ? 6 + 16 : 7);
    }
}

static void guava_files_are_checked(void **state)
{
    static const struct {
        size_t at;
        uint8_t value;
    } fields[] = {{0, 2}, {0, 255}, {1, 0}, {2, 128}, {5, 8}, {5, 10}, {5, 0}};
    size_t size;
    (void)state;
    uint8_t *bytes = foreign_guava_make(1, &size);
    for (size_t i = 0; i < TEST_COUNT(fields); i++) {
        uint8_t was = bytes[fields[i].at];
        bytes[fields[i].at] = fields[i].value;
        assert_int_equal(
            foreign_refused(bytes, size, "none of the formats that are known"),
            SEENSET_EFORMAT);
        bytes[fields[i].at] = was;
    }
    seenset_foreign_free(foreign_open_whole(bytes, size)); /* planted: sound */
    free(bytes);
}

/* MURMUR128_MITZ_32 has no bit from 2^31 on: a longer table is one of 2^31. The
 * pages that no key is in are never there. */
static void guava_of_32_bits_ends_at_2_to_the_31(void **state)
{
    const uint64_t longs = (UINT64_C(1) << 25) + 1;
    size_t size = (size_t)(HEADER_BYTES + 8 * longs);
    (void)state;
    uint8_t *bytes = calloc(size, 1);
    assert_non_null(bytes);
    bytes[1] = 3;
    bytes[2] = 2; /* 2^25 longs, and one more */
    bytes[5] = 1;
    seenset_foreign *file = foreign_open_whole(bytes, size);
    seenset_foreign_filter filter = foreign_filter_of(file, 0);
    assert_int_equal(filter.size_bits, UINT64_C(1) << 31);
    assert_int_equal(seenset_foreign_has(file, 0, "a", 1), 0);
    seenset_foreign_free(file);
    bytes[0] = 1;
    file = foreign_open_whole(bytes, size);
    filter = foreign_filter_of(file, 0);
    assert_int_equal(filter.size_bits, 64 * longs);
    seenset_foreign_free(file);
    free(bytes);
}

/* The UTF-16 of a number, as Funnels.unencodedCharsFunnel() has it. */
static size_t number_key(uint8_t out[32], int number)
{
    char digits[16];
    int length = snprintf(digits, sizeof digits, "%d", number);
    memset(out, 0, 32);
    for (size_t i = 0; i < sizeof digits && digits[i] != '\0'; i++)
        out[2 * i] = (uint8_t)digits[i];
    return 2 * (size_t)length;
}

/*
 * What Guava publishes: BloomFilterTest, testCreateAndCheck...WithKnownFalse
 * Positives. A filter for a million keys at 3 % has the even numbers below two
 * millions; of the odd ones, so many are false positives, among them these
 * below 900.
 */
static void guava_has_the_published_false_positives(void **state)
{
    static const struct {
        seenset_scheme scheme;
        int count;
        int first[20];
    } published[] = {
        {SEENSET_SCHEME_GUAVA_MITZ_32,
         29824,
         {49, 51, 59, 163, 199, 321, 325, 363, 367, 469, 545, 561, 727, 769,
          773, 781}},
        {SEENSET_SCHEME_GUAVA_MITZ_64,
         30104,
         {15, 25, 287, 319, 381, 399, 421, 465, 529, 697, 767, 857}}};
    const int below = 2000000;
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(published); i++) {
        uint8_t key[32];
        int found = 0;
        seenset *set =
            test_make((seenset_options){.layout = SEENSET_LAYOUT_BLOOM,
                                        .scheme = published[i].scheme,
                                        .hash_count = 5,
                                        .size_bits = 114039 * 64});
        for (int n = 0; n < below; n += 2)
            (void)seenset_add(set, key, number_key(key, n));
        for (int n = 1; n < below; n += 2) {
            if (seenset_has(set, key, number_key(key, n)) != 1)
                continue;
            assert_true(n >= 900 || n == published[i].first[found]);
            found++;
        }
        assert_int_equal(found, published[i].count);
        seenset_free(set);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(guava_opens),
        cmocka_unit_test(guava_is_written_again),
        cmocka_unit_test(guava_files_are_checked),
        cmocka_unit_test(new_files_have_their_systems_sizes),
        cmocka_unit_test(new_files_are_checked),
        cmocka_unit_test(guava_of_32_bits_ends_at_2_to_the_31),
        cmocka_unit_test(guava_has_the_published_false_positives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
