/*
 * foreign_parquet_refused.c - what cannot be read of files of Parquet, or
 * written, is refused by its name.
 */
#include <stdlib.h>
#include <string.h>

#include "foreign_opened.h"

typedef struct refusal {
    foreign_parquet how;
    int error;
    const char *reason; /* of the file, or of each of its filters */
    bool is_of_filters;
} refusal;

static const refusal refusals[] = {
    {{.compression = -1},
     SEENSET_EUNSUPPORTED,
     "an older header, without a compression: its hash is Murmur3",
     true},
    {{.compression = 2}, SEENSET_EUNSUPPORTED, "the bits are compressed", true},
    {{.hash = 2}, SEENSET_EUNSUPPORTED, "a hash that is not XXH64", true},
    {{.algorithm = 2}, SEENSET_EUNSUPPORTED, "not a split-block filter", true},
    {{.is_encrypted = true},
     SEENSET_EUNSUPPORTED,
     "the column is encrypted",
     true},
    {{.is_elsewhere = true},
     SEENSET_EUNSUPPORTED,
     "the column is in another file",
     true},
    {{.type = 8},
     SEENSET_ECORRUPT,
     "the column's type is unknown, or not the schema's",
     true},
    {{.num_bytes = 95},
     SEENSET_ECORRUPT,
     "the filter is not a number of blocks",
     true},
    {{.num_bytes = -32},
     SEENSET_ECORRUPT,
     "the filter is not a number of blocks",
     true},
    {{.num_bytes = INT32_MAX - 31},
     SEENSET_ECORRUPT,
     "the filter is longer or shorter than its place",
     true},
    {{.has_lengths = true, .longer = 1},
     SEENSET_ECORRUPT,
     "the filter is longer or shorter than its place",
     true},
    {{.has_lengths = true, .longer = -1},
     SEENSET_ECORRUPT,
     "the filter is longer or shorter than its place",
     true},
    {{.farther = 1 << 20},
     SEENSET_ECORRUPT,
     "the footer places the filter outside of the data",
     true},
    {{.farther = INT64_MIN / 2},
     SEENSET_ECORRUPT,
     "the footer places the filter outside of the data",
     true},
    {{.missing_columns = 1},
     SEENSET_ECORRUPT,
     "a row group has not the schema's columns",
     false},
    {{.has_two_schemas = true},
     SEENSET_ECORRUPT,
     "the footer is damaged",
     false},
    {{.has_zero_name = true}, SEENSET_ECORRUPT, "the footer is damaged", false},
    {{.nesting = 40}, SEENSET_ECORRUPT, "the footer is damaged", false},
    {{.list_count = 1 << 30}, SEENSET_ECORRUPT, "the footer is damaged", false},
};

static void check_filters_refused(const seenset_foreign *file,
                                  const refusal *of)
{
    seenset *set = (seenset *)&set;
    for (uint32_t i = 0; i < FOREIGN_COLUMNS * FOREIGN_GROUPS; i++) {
        seenset_foreign_filter filter = foreign_filter_of(file, i);
        assert_int_equal(filter.error, of->error);
        assert_string_equal(filter.reason, of->reason);
        assert_int_equal(seenset_foreign_has(file, i, "", 0), of->error);
        assert_int_equal(seenset_foreign_has_many(file, i, NULL, 0, NULL),
                         of->error);
        assert_int_equal(seenset_foreign_set(&set, file, i), of->error);
        assert_ptr_equal(set, &set);
    }
}

static void what_cannot_be_read_is_refused_by_name(void **state)
{
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(refusals); i++) {
        const refusal *of = &refusals[i];
        seenset_file_report report;
        const seenset_open_options options = {.report = &report};
        seenset_foreign *file = NULL;
        size_t size_bytes;
        uint8_t *bytes = foreign_parquet_make(&of->how, &size_bytes);
        int error =
            seenset_foreign_open_bytes(&file, bytes, size_bytes, &options);
        if (of->is_of_filters) {
            assert_int_equal(error, SEENSET_OK);
            check_filters_refused(file, of);
        } else {
            assert_int_equal(error, of->error);
            assert_string_equal(report.reason, of->reason);
            assert_null(file);
        }
        seenset_foreign_free(file);
        free(bytes);
    }
}

static void ends_of_parquet_files_are_checked(void **state)
{
    const foreign_parquet how = {0};
    size_t size;
    (void)state;
    uint8_t *bytes = foreign_parquet_make(&how, &size);
    assert_int_equal(
        foreign_refused(bytes, 11, "the file ends before its footer"),
        SEENSET_ETRUNCATED);
    assert_int_equal(
        foreign_refused(bytes, size - 1,
                        "the file does not end as a Parquet file does"),
        SEENSET_ETRUNCATED);
    memcpy(bytes + size - 4, "PARE", 4);
    assert_int_equal(foreign_refused(bytes, size, "the footer is encrypted"),
                     SEENSET_EUNSUPPORTED);
    memcpy(bytes + size - 4, "PAR1", 4);
    test_store(bytes + size - 8, 4, size - 11);
    assert_int_equal(
        foreign_refused(bytes, size, "the footer is longer than the file"),
        SEENSET_ECORRUPT);
    assert_int_equal(
        foreign_refused("a text", 6, "none of the formats that are known"),
        SEENSET_EFORMAT);
    assert_int_equal(
        foreign_refused("", 0, "none of the formats that are known"),
        SEENSET_EFORMAT);
    free(bytes);
}

static void parquet_is_not_written(void **state)
{
    const foreign_parquet how = {0};
    size_t size_bytes, room_bytes = 0;
    seenset *set = NULL;
    (void)state;
    uint8_t *bytes = foreign_parquet_make(&how, &size_bytes);
    seenset_foreign *file = foreign_open_whole(bytes, size_bytes);
    assert_int_equal(seenset_foreign_set(&set, file, 0), 0);
    assert_int_equal(seenset_foreign_write_bytes(file, set, NULL, &room_bytes),
                     SEENSET_EUNSUPPORTED);
    seenset_free(set);
    seenset_foreign_free(file);
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_cannot_be_read_is_refused_by_name),
        cmocka_unit_test(ends_of_parquet_files_are_checked),
        cmocka_unit_test(parquet_is_not_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
