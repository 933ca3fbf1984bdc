/*
 * foreign_damage.c - files of other systems that were cut, damaged or forged.
 *
 * Each is cut at every length, and each of its bytes is changed in several
 * ways. What still opens has to answer, within the bytes that are there (the
 * address sanitizer looks on), and to take no more memory than they explain.
 */
#include <stdlib.h>
#include <string.h>

#include "foreign_files.h"
#include "foreign_tables.h"

/* What the trials came to. */
typedef struct tally {
    uint64_t opened, refused, bad_filters, answers;
    size_t largest_bytes;
    const uint8_t *secret; /* that files are opened with */
} tally;

/* Asks a filter for keys of every length that there is. */
static void ask(tally *into, const seenset_foreign *file, uint32_t number)
{
    static const uint8_t key[40] = "a key";
    seenset_foreign_filter filter;
    seenset *set = NULL;
    assert_int_equal(
        seenset_foreign_get_filter(file, number, &filter, sizeof filter), 0);
    into->bad_filters += filter.error != SEENSET_OK;
    for (size_t length = 0; length < sizeof key; length += 4) {
        int answer = seenset_foreign_has(file, number, key, length);
        assert_true((answer | 1) == 1 || answer == SEENSET_EINVAL ||
                    (filter.error != SEENSET_OK && answer == filter.error));
        into->answers += (answer | 1) == 1;
    }
    int error = seenset_foreign_set(&set, file, number);
    assert_int_equal(error, into->secret != NULL && filter.scheme == 0
                                ? SEENSET_EUNSUPPORTED
                                : filter.error);
    seenset_free(set);
}

/* In a block of exactly that size. */
static void try_bytes(tally *into, const uint8_t *bytes, size_t size_bytes)
{
    uint8_t *exact = malloc(size_bytes > 0 ? size_bytes : 1);
    seenset_file_report report;
    seenset_foreign_info info;
    seenset_foreign *file = NULL;
    test_memory memory;
    assert_non_null(exact);
    memcpy(exact, bytes, size_bytes);
    test_memory_init(&memory);
    memory.is_bare = true;
    const seenset_open_options options = {.report = &report,
                                          .allocator = &memory.allocator,
                                          .secret = into->secret};
    int error = seenset_foreign_open_bytes(&file, exact, size_bytes, &options);
    assert_int_equal(error == SEENSET_OK, file != NULL);
    assert_int_equal(error == SEENSET_OK, report.reason[0] == '\0');
    assert_true(report.offset <= size_bytes);
    if (error == SEENSET_OK)
        assert_int_equal(seenset_foreign_get_info(file, &info, sizeof info), 0);
    /* a few bytes that are left of a file may be one of BIP-158, which has no
     * magic */
    bool is_other = error == SEENSET_OK && into->secret == NULL &&
                    info.format == SEENSET_FORMAT_BIP158;
    into->opened += error == SEENSET_OK && !is_other;
    into->refused += error != SEENSET_OK;
    if (memory.largest_bytes > into->largest_bytes)
        into->largest_bytes = memory.largest_bytes;
    bool is_asked = error == SEENSET_OK && !is_other;
    for (uint32_t i = 0; is_asked && i < info.filter_count; i++)
        ask(into, file, i);
    seenset_foreign_free(file);
    assert_int_equal(memory.live_blocks, 0);
    free(exact);
}

static void cut(tally *into, const uint8_t *bytes, size_t size_bytes)
{
    for (size_t length = 0; length < size_bytes; length++)
        try_bytes(into, bytes, length);
}

/* Each bit of each byte, and bytes that begin long numbers and large counts. */
static void change(tally *into, uint8_t *bytes, size_t first, size_t end)
{
    static const uint8_t others[] = {0, 0x7f, 0x80, 0xff};
    for (size_t at = first; at < end; at++) {
        uint8_t was = bytes[at];
        for (int bit = 0; bit < 8; bit++) {
            bytes[at] = (uint8_t)(was ^ 1 << bit);
            try_bytes(into, bytes, end);
        }
        for (size_t i = 0; i < sizeof others; i++) {
            bytes[at] = others[i];
            try_bytes(into, bytes, end);
        }
        bytes[at] = was;
    }
}

/* Where the footer begins. */
static size_t footer_of(const uint8_t *bytes, size_t size_bytes)
{
    return size_bytes - 8 - (size_t)test_fetch(bytes + size_bytes - 8, 4);
}

static void parquet_cut_anywhere_is_refused(void **state)
{
    const foreign_parquet how = {.has_lengths = true};
    tally all = {0};
    size_t size_bytes;
    (void)state;
    uint8_t *bytes = foreign_parquet_make(&how, &size_bytes);
    cut(&all, bytes, size_bytes);
    assert_int_equal(all.opened, 0);
    try_bytes(&all, bytes, size_bytes); /* planted: nothing is cut */
    assert_int_equal(all.opened, 1);
    free(bytes);
}

static void parquet_damage_is_refused_or_answered(void **state)
{
    (void)state;
    for (int has_lengths = 0; has_lengths < 2; has_lengths++) {
        const foreign_parquet how = {.has_lengths = has_lengths};
        tally all = {0};
        size_t size_bytes;
        uint8_t *bytes = foreign_parquet_make(&how, &size_bytes);
        change(&all, bytes, footer_of(bytes, size_bytes), size_bytes);
        assert_true(all.opened > 0 && all.refused > 0 && all.bad_filters > 0);
        assert_true(all.answers > 0);
        assert_true(all.largest_bytes < 64 * size_bytes);
        free(bytes);
    }
}

/* The header of the first filter, and the bits after it. */
static void parquet_headers_are_refused_or_read(void **state)
{
    const foreign_parquet how = {.has_lengths = true};
    tally all = {0};
    size_t size_bytes;
    (void)state;
    uint8_t *bytes = foreign_parquet_make(&how, &size_bytes);
    for (size_t at = 4; at < 4 + 24; at++) {
        uint8_t was = bytes[at];
        for (int bit = 0; bit < 8; bit++) {
            bytes[at] = (uint8_t)(was ^ 1 << bit);
            try_bytes(&all, bytes, size_bytes);
        }
        bytes[at] = was;
    }
    assert_int_equal(all.refused, 0);
    assert_true(all.bad_filters > 0 && all.bad_filters <= all.opened);
    free(bytes);
}

/* Two bytes of the footer at a time, by chance. */
static void parquet_damaged_twice_is_safe(void **state)
{
    const foreign_parquet how = {0};
    test_random random = {20261128};
    tally all = {0};
    size_t size_bytes;
    (void)state;
    uint8_t *bytes = foreign_parquet_make(&how, &size_bytes);
    size_t first = footer_of(bytes, size_bytes);
    for (int i = 0; i < 5000; i++) {
        size_t at[2];
        uint8_t was[2];
        for (int j = 0; j < 2; j++) {
            at[j] = first + test_random_below(&random, size_bytes - first);
            was[j] = bytes[at[j]];
            bytes[at[j]] = (uint8_t)test_random_next(&random);
        }
        try_bytes(&all, bytes, size_bytes);
        bytes[at[1]] = was[1];
        bytes[at[0]] = was[0];
    }
    assert_true(all.opened > 0 && all.refused > 0);
    assert_true(all.largest_bytes < 64 * size_bytes);
    free(bytes);
}

static void dcso_damage_is_refused_or_answered(void **state)
{
    tally all = {0}, cuts = {0};
    size_t size_bytes;
    (void)state;
    uint8_t *bytes = foreign_dcso_make(&size_bytes);
    change(&all, bytes, 0, size_bytes);
    assert_true(all.opened > 0 && all.refused > 0 && all.answers > 0);
    cut(&cuts, bytes, size_bytes); /* of the owner's data, too */
    assert_int_equal(cuts.opened, 11);
    free(bytes);
}

static void guava_damage_is_refused_or_answered(void **state)
{
    (void)state;
    for (int strategy = 0; strategy < 2; strategy++) {
        tally all = {0}, cuts = {0};
        size_t size_bytes;
        uint8_t *bytes = foreign_guava_make(strategy, &size_bytes);
        change(&all, bytes, 0, size_bytes);
        assert_true(all.opened > 0 && all.refused > 0 && all.answers > 0);
        cut(&cuts, bytes, size_bytes);
        assert_int_equal(cuts.opened, 0);
        try_bytes(&cuts, bytes, size_bytes); /* planted: nothing is cut */
        assert_int_equal(cuts.opened, 1);
        free(bytes);
    }
}

/* With a short and with a long number of bytes. */
static void bip37_damage_is_refused_or_answered(void **state)
{
    static const size_t sizes[] = {72, 300};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(sizes); i++) {
        tally all = {0}, cuts = {0};
        size_t size_bytes;
        uint8_t *bytes = foreign_bip37_make(sizes[i], &size_bytes);
        change(&all, bytes, 0, size_bytes);
        assert_true(all.opened > 0 && all.refused > 0 && all.answers > 0);
        assert_int_equal(all.bad_filters, 0);
        cut(&cuts, bytes, size_bytes);
        assert_int_equal(cuts.opened, 0);
        try_bytes(&cuts, bytes, size_bytes); /* planted: nothing is cut */
        assert_int_equal(cuts.opened, 1);
        free(bytes);
    }
}

/* A filter and a chain of two (foreign_redisbloom.c has whole ones). */
static void redisbloom_damage_is_refused_or_answered(void **state)
{
    (void)state;
    for (uint32_t links = 1; links <= 2; links++) {
        tally all = {0}, cuts = {0};
        size_t size_bytes;
        uint8_t *bytes = foreign_redisbloom_make(links, &size_bytes);
        change(&all, bytes, 0, size_bytes);
        assert_true(all.opened > 0 && all.refused > 0 && all.answers > 0);
        cut(&cuts, bytes, size_bytes);
        assert_int_equal(cuts.opened, 0);
        try_bytes(&cuts, bytes, size_bytes); /* planted: nothing is cut */
        assert_int_equal(cuts.opened, 1);
        assert_int_equal(cuts.bad_filters, 0);
        free(bytes);
    }
}

/* Of a block of ten scripts that BIP-158 publishes. */
static void bip158_damage_is_refused_or_answered(void **state)
{
    static const uint8_t secret[SEENSET_SECRET_BYTES] = {0};
    uint8_t bytes[] = {0x0a, 0xfb, 0xc2, 0x92, 0x0a, 0xf1, 0xb0,
                       0x27, 0xf3, 0x1f, 0x87, 0xb5, 0x92, 0x27,
                       0x6e, 0xb4, 0xc3, 0x20, 0x94, 0xbb, 0x4d,
                       0x36, 0x97, 0x02, 0x1b, 0x4c, 0x63, 0x80};
    tally all = {.secret = secret}, cuts = {.secret = secret};
    (void)state;
    change(&all, bytes, 0, sizeof bytes);
    assert_true(all.opened > 0 && all.refused > 0 && all.answers > 0);
    assert_true(all.largest_bytes < 1024);
    cut(&cuts, bytes, sizeof bytes);
    assert_int_equal(cuts.opened, 0);
    try_bytes(&cuts, bytes, sizeof bytes); /* planted: nothing is cut */
    assert_int_equal(cuts.opened, 1);
}

/* Tables of LevelDB and RocksDB, both filters of this one, and its long and its
 * short footer. */
static const foreign_table tables[] = {
    {0},
    {.is_rocksdb = true},
    {.is_rocksdb = true, .is_legacy = true, .version = 2},
    {.is_rocksdb = true, .version = 6},
};

static void tables_cut_anywhere_are_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(tables); i++) {
        tally all = {0};
        size_t size_bytes;
        uint8_t *bytes = foreign_table_make(&tables[i], &size_bytes);
        cut(&all, bytes, size_bytes);
        assert_int_equal(all.opened, 0);
        for (size_t first = 1; first < size_bytes; first++)
            try_bytes(&all, bytes + first, size_bytes - first);
        assert_true(all.refused > size_bytes);
        try_bytes(&all, bytes, size_bytes); /* planted: nothing is cut */
        assert_true(all.opened >= 1 && all.answers > 0);
        free(bytes);
    }
}

static void tables_damaged_are_refused_or_answered(void **state)
{
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(tables); i++) {
        tally all = {0};
        size_t size_bytes;
        uint8_t *bytes = foreign_table_make(&tables[i], &size_bytes);
        change(&all, bytes, 32 + FOREIGN_TABLE_BITS / 8, size_bytes);
        assert_true(all.opened > 0 && all.refused > 0 && all.bad_filters > 0);
        assert_true(all.answers > 0);
        assert_true(all.largest_bytes < 64 * size_bytes);
        free(bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parquet_cut_anywhere_is_refused),
        cmocka_unit_test(parquet_damage_is_refused_or_answered),
        cmocka_unit_test(parquet_headers_are_refused_or_read),
        cmocka_unit_test(parquet_damaged_twice_is_safe),
        cmocka_unit_test(dcso_damage_is_refused_or_answered),
        cmocka_unit_test(guava_damage_is_refused_or_answered),
        cmocka_unit_test(bip37_damage_is_refused_or_answered),
        cmocka_unit_test(redisbloom_damage_is_refused_or_answered),
        cmocka_unit_test(bip158_damage_is_refused_or_answered),
        cmocka_unit_test(tables_cut_anywhere_are_refused),
        cmocka_unit_test(tables_damaged_are_refused_or_answered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
