/*
 * foreign_tables.c - tables of LevelDB and RocksDB: opened, asked as a file and
 * as sets, and refused by name where they are not read.
 */
#include <stdlib.h>
#include <string.h>

#include "foreign_opened.h"
#include "foreign_tables.h"

/* The file and the sets of its filters answer alike, and every key is found in
 * the filters that have it. */
static void compare(const seenset_foreign *file, uint32_t number, int first,
                    int end)
{
    seenset *set = NULL;
    int wrong = 0;
    foreign_asked asked = {0};
    assert_int_equal(seenset_foreign_set(&set, file, number), SEENSET_OK);
    for (int i = 0; i < 2000; i++) {
        char key[16];
        size_t length = foreign_table_key(key, i);
        int answer = seenset_foreign_has(file, number, key, length);
        assert_int_equal(answer, seenset_has(set, key, length));
        assert_true(answer == 1 || i < first || i >= end);
        wrong += answer == 1 && (i < first || i >= end);
        foreign_asked_put(&asked, key, length, answer);
    }
    foreign_asked_check(&asked, file, number);
    assert_true(wrong > 0 && wrong < 400); /* planted: other keys are asked */
    assert_int_equal(seenset_add(set, "one more", 8), 1);
    assert_int_equal(seenset_has(set, "one more", 8), 1);
    seenset_free(set);
}

static void leveldb_opens(void **state)
{
    const foreign_table how = {0};
    size_t size_bytes;
    (void)state;
    uint8_t *bytes = foreign_table_make(&how, &size_bytes);
    seenset_foreign *file = foreign_open_whole(bytes, size_bytes);
    seenset_foreign_info info = foreign_info_of(file);
    assert_int_equal(info.format, SEENSET_FORMAT_LEVELDB);
    assert_string_equal(seenset_format_name(info.format), "leveldb");
    assert_int_equal(info.filter_count, 2);
    assert_int_equal(info.group_count, 3);
    for (uint32_t i = 0; i < 2; i++) {
        seenset_foreign_filter filter = foreign_filter_of(file, i);
        assert_int_equal(filter.group, 2 * i);
        assert_int_equal(filter.size_bits, FOREIGN_TABLE_BITS);
        assert_int_equal(filter.hash_count, FOREIGN_TABLE_HASHES);
        assert_int_equal(filter.scheme, SEENSET_SCHEME_LEVELDB);
        compare(file, i, 40 * (int)i, 40 * (int)i + 40);
    }
    seenset_foreign_free(file);
    free(bytes);
}

/* Footers of versions 1 to 7, each with both filters. */
static void rocksdb_opens(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 14; i++) {
        const foreign_table how = {
            .is_rocksdb = true, .is_legacy = i % 2 != 0, .version = i / 2 + 1};
        size_t size_bytes;
        uint8_t *bytes = foreign_table_make(&how, &size_bytes);
        seenset_foreign *file = foreign_open_whole(bytes, size_bytes);
        seenset_foreign_info info = foreign_info_of(file);
        seenset_foreign_filter filter = foreign_filter_of(file, 0);
        assert_int_equal(info.format, SEENSET_FORMAT_ROCKSDB);
        assert_string_equal(seenset_format_name(info.format), "rocksdb");
        assert_int_equal(info.filter_count, 1);
        assert_int_equal(info.row_count, 300);
        assert_int_equal(filter.size_bits, FOREIGN_TABLE_LINES * 512);
        assert_int_equal(filter.hash_count, FOREIGN_TABLE_HASHES);
        assert_int_equal(filter.added_items, FOREIGN_TABLE_KEYS);
        assert_int_equal(filter.scheme, how.is_legacy
                                            ? SEENSET_SCHEME_ROCKSDB_LEGACY
                                            : SEENSET_SCHEME_ROCKSDB);
        compare(file, 0, 0, FOREIGN_TABLE_KEYS);
        seenset_foreign_free(file);
        free(bytes);
    }
}

/* RocksDB's first tables have LevelDB's footer. */
static void tables_without_filters_open(void **state)
{
    const foreign_table how = {.has_no_filter = true},
                        first = {.name = "fullfilter.rocksdb."
                                         "BuiltinBloomFilter"};
    size_t size_bytes;
    (void)state;
    uint8_t *bytes = foreign_table_make(&how, &size_bytes);
    seenset_foreign *file = foreign_open_whole(bytes, size_bytes);
    assert_int_equal(foreign_info_of(file).filter_count, 0);
    assert_int_equal(seenset_foreign_has(file, 0, "table 1", 7),
                     SEENSET_EINVAL);
    seenset_foreign_free(file);
    free(bytes);
    bytes = foreign_table_make(&first, &size_bytes);
    file = foreign_open_whole(bytes, size_bytes);
    assert_int_equal(foreign_filter_of(file, 0).error, SEENSET_EUNSUPPORTED);
    seenset_foreign_free(file);
    free(bytes);
}

/* The rate of a filter of lines is the mean of its lines' rates: with one line
 * full and one empty, a half, and not a half to the power of k. */
static void rates_are_those_of_lines(void **state)
{
    const foreign_table how = {.is_rocksdb = true};
    size_t size_bytes;
    seenset *set = NULL;
    (void)state;
    uint8_t *bytes = foreign_table_make(&how, &size_bytes);
    memset(bytes + 32, 0xff, 64);
    memset(bytes + 32 + 64, 0, 64);
    seenset_foreign *file = foreign_open_whole(bytes, size_bytes);
    assert_int_equal(seenset_foreign_set(&set, file, 0), SEENSET_OK);
    assert_true(test_is_near(test_stats_of(set).current_fp_rate, 0.5, 1e-12));
    seenset_free(set);
    seenset_foreign_free(file);
    free(bytes);
}

static void filters_are_refused_by_name(void **state)
{
    static const struct {
        foreign_table how;
        int error;
        const char *reason;
    } rows[] = {
        {{.name = "partitionedfilter.rocksdb.BuiltinBloomFilter"},
         SEENSET_EUNSUPPORTED,
         "a partitioned filter"},
        {{.name = "filter.rocksdb.BuiltinBloomFilter"},
         SEENSET_EUNSUPPORTED,
         "a filter for each block, as RocksDB wrote before version 7"},
        {{.name = "filter.leveldb.BuiltinBloomFilter"},
         SEENSET_EUNSUPPORTED,
         "a filter of LevelDB before version 1.18"},
        {{.name = "fullfilter.my.Own"},
         SEENSET_EUNSUPPORTED,
         "of a filter policy that is not known"},
        {{.compression = 1},
         SEENSET_EUNSUPPORTED,
         "the block is compressed by Snappy"},
        {{.is_rocksdb = true, .compression = 7},
         SEENSET_EUNSUPPORTED,
         "the block is compressed by Zstandard"},
        {{.is_rocksdb = true, .compression = 8},
         SEENSET_EUNSUPPORTED,
         "the block is compressed in a way that is not known"},
        {{.is_rocksdb = true, .has_prefixes = true},
         SEENSET_EUNSUPPORTED,
         "it has prefixes of keys, and not the keys"},
        {{.is_rocksdb = true, .tail_at = 5, .tail = 0xfe},
         SEENSET_EUNSUPPORTED,
         "a Ribbon filter"},
        {{.is_rocksdb = true, .tail_at = 5, .tail = 0},
         SEENSET_EUNSUPPORTED,
         "a filter of a kind that is not known"},
        {{.is_rocksdb = true, .tail_at = 3, .tail = 32 | 6},
         SEENSET_EUNSUPPORTED,
         "a Bloom filter of a kind that is not known"},
        {{.is_rocksdb = true, .tail_at = 3, .tail = 31},
         SEENSET_EUNSUPPORTED,
         "a Bloom filter of a kind that is not known"},
        {{.is_rocksdb = true, .is_legacy = true, .tail_at = 4, .tail = 1},
         SEENSET_EUNSUPPORTED,
         "the filter's lines have not 64 bytes"},
        {{.tail_at = 17, .tail = 200},
         SEENSET_ECORRUPT,
         "the filter's offsets are out of order"},
        {{.tail_at = 18, .tail = 31}, SEENSET_OK, ""},
        {{.tail_at = 5, .tail = 255},
         SEENSET_ECORRUPT,
         "the filter block is damaged"},
    };
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(rows); i++) {
        size_t size_bytes;
        uint8_t *bytes = foreign_table_make(&rows[i].how, &size_bytes);
        seenset_foreign *file = foreign_open_whole(bytes, size_bytes);
        seenset_foreign_filter filter = foreign_filter_of(file, 0);
        assert_string_equal(filter.reason, rows[i].reason);
        assert_int_equal(filter.error, rows[i].error);
        if (filter.error != SEENSET_OK)
            assert_int_equal(seenset_foreign_has(file, 0, "table 1", 7),
                             rows[i].error);
        seenset_foreign_free(file);
        free(bytes);
    }
}

static void tables_are_refused_by_name(void **state)
{
    static const struct {
        foreign_table how;
        int error;
        const char *reason;
    } rows[] = {
        {{.is_rocksdb = true, .magic = UINT64_C(0x8242229663bf9564)},
         SEENSET_EUNSUPPORTED,
         "a plain or a cuckoo table of RocksDB, which has no Bloom filter that "
         "is read"},
        {{.is_rocksdb = true, .version = 8},
         SEENSET_EUNSUPPORTED,
         "a version of RocksDB's tables that is not known"},
        {{.is_rocksdb = true, .farther = 1 << 20},
         SEENSET_ECORRUPT,
         "the footer places the metaindex outside of the blocks"},
        {{.is_rocksdb = true, .version = 6, .farther = 1 << 20},
         SEENSET_ECORRUPT,
         "the footer is not one of its version"},
        {{.farther = 1},
         SEENSET_ECORRUPT,
         "the footer places the metaindex outside of the blocks"},
        {{.meta_compression = 1},
         SEENSET_EUNSUPPORTED,
         "the block is compressed by Snappy"},
    };
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(rows); i++) {
        size_t size_bytes;
        uint8_t *bytes = foreign_table_make(&rows[i].how, &size_bytes);
        assert_int_equal(foreign_refused(bytes, size_bytes, rows[i].reason),
                         rows[i].error);
        free(bytes);
    }
}

/* A rate that is planned would be that of another filter. */
static void schemes_of_tables_need_their_size(void **state)
{
    const seenset_options planned = {.scheme = SEENSET_SCHEME_ROCKSDB,
                                     .capacity_items = 1000,
                                     .fp_rate = 0.01},
                          uneven = {.scheme = SEENSET_SCHEME_ROCKSDB,
                                    .size_bits = 1000,
                                    .hash_count = 6};
    seenset *set = NULL;
    (void)state;
    assert_int_equal(seenset_new(&set, &planned), SEENSET_EUNSUPPORTED);
    assert_int_equal(seenset_new(&set, &uneven), SEENSET_EINVAL);
    assert_null(set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(leveldb_opens),
        cmocka_unit_test(rocksdb_opens),
        cmocka_unit_test(tables_without_filters_open),
        cmocka_unit_test(rates_are_those_of_lines),
        cmocka_unit_test(filters_are_refused_by_name),
        cmocka_unit_test(tables_are_refused_by_name),
        cmocka_unit_test(schemes_of_tables_need_their_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
