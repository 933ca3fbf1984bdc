/*
 * foreign.c - files of Parquet: their filters are found, described and asked.
 * And what holds for each format: paths, options, names.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "foreign_opened.h"

enum {
    ASKED = 20000 /* keys that were never added */
};

/* ---- what is in a file ---- */

static void check_filter(const seenset_foreign_filter *filter, int column,
                         int group)
{
    const foreign_column *of = &foreign_columns[column];
    char path[40] = "";
    strcat(path, of->first);
    strcat(path, of->second != NULL ? "." : "");
    strcat(path, of->second != NULL ? of->second : "");
    assert_string_equal(filter->column, path);
    assert_string_equal(filter->reason, "");
    assert_int_equal(filter->group, group);
    assert_int_equal(filter->error, SEENSET_OK);
    assert_int_equal(filter->value_type, of->value_type);
    assert_int_equal(filter->value_bytes, of->length);
    assert_int_equal(filter->is_unsigned,
                     of->converted != 0 || of->logical == 10);
    assert_int_equal(filter->is_uuid, of->logical == 14);
    assert_int_equal(filter->size_bits, 8 * FOREIGN_FILTER_BYTES);
    assert_int_equal(filter->hash_count, 8);
    assert_int_equal(filter->value_count, FOREIGN_KEYS + 1);
    assert_int_equal(filter->capacity_items, 0);
    assert_int_equal(filter->layout, SEENSET_LAYOUT_SPLIT_BLOCK);
    assert_int_equal(filter->scheme, SEENSET_SCHEME_PARQUET);
}

static void parquet_filters_are_listed(void **state)
{
    (void)state;
    for (int has_lengths = 0; has_lengths < 2; has_lengths++) {
        const foreign_parquet how = {.has_lengths = has_lengths};
        size_t size_bytes;
        uint8_t *bytes = foreign_parquet_make(&how, &size_bytes);
        seenset_foreign *file = foreign_open_whole(bytes, size_bytes);
        seenset_foreign_info info = foreign_info_of(file);
        assert_int_equal(info.format, SEENSET_FORMAT_PARQUET);
        assert_int_equal(info.filter_count, FOREIGN_COLUMNS * FOREIGN_GROUPS);
        assert_int_equal(info.group_count, FOREIGN_GROUPS);
        assert_int_equal(info.row_count, FOREIGN_GROUPS * (FOREIGN_KEYS + 1));
        assert_int_equal(info.file_bytes, size_bytes);
        for (uint32_t i = 0; i < info.filter_count; i++) {
            seenset_foreign_filter filter = foreign_filter_of(file, i);
            check_filter(&filter, (int)i % FOREIGN_COLUMNS,
                         (int)i / FOREIGN_COLUMNS);
        }
        seenset_foreign_free(file);
        free(bytes);
    }
}

static void columns_without_a_filter_are_left_out(void **state)
{
    const foreign_parquet how = {.gap = 4};
    size_t size_bytes;
    (void)state;
    uint8_t *bytes = foreign_parquet_make(&how, &size_bytes);
    seenset_foreign *file = foreign_open_whole(bytes, size_bytes);
    seenset_foreign_info info = foreign_info_of(file);
    assert_int_equal(info.filter_count, FOREIGN_COLUMNS * FOREIGN_GROUPS - 1);
    seenset_foreign_filter before =
        foreign_filter_of(file, FOREIGN_COLUMNS + 3);
    seenset_foreign_filter after = foreign_filter_of(file, FOREIGN_COLUMNS + 4);
    check_filter(&before, 3, 1);
    check_filter(&after, 5, 1);
    seenset_foreign_free(file);
    free(bytes);
}

/* ---- answers ---- */

/* How many keys of a column and row group the filter has not. */
static int forgotten(const seenset_foreign *file, uint32_t number)
{
    uint8_t key[FOREIGN_KEY_BYTES];
    int missing = 0;
    for (int i = 0; i < FOREIGN_KEYS; i++) {
        size_t length = foreign_key(key, (int)number % FOREIGN_COLUMNS,
                                    (int)number / FOREIGN_COLUMNS, i);
        int answer = seenset_foreign_has(file, number, key, length);
        assert_true(answer == 0 || answer == 1);
        missing += answer == 0;
    }
    return missing;
}

/* The set of a filter answers as the filter does, and as its rate says. */
static void check_set(const seenset_foreign *file, uint32_t number)
{
    uint8_t key[FOREIGN_KEY_BYTES];
    uint64_t seen = 0;
    seenset *set = NULL;
    foreign_asked asked = {0};
    assert_int_equal(seenset_foreign_set(&set, file, number), SEENSET_OK);
    int column = (int)number % FOREIGN_COLUMNS;
    bool is_text = foreign_columns[column].type == 6;
    for (int i = 0; i < ASKED; i++) {
        size_t length = foreign_key(key, column, 50 + i / 100, i % 100);
        if (is_text) { /* as many different ones */
            test_store(key, 8, test_mix((uint64_t)i));
            length = 8;
        }
        int answer = seenset_foreign_has(file, number, key, length);
        assert_int_equal(answer, seenset_has(set, key, length));
        seen += (unsigned)answer;
        foreign_asked_put(&asked, key, length, answer);
    }
    foreign_asked_check(&asked, file, number);
    seenset_stats stats = test_stats_of(set);
    assert_true(test_is_binomial(seen, ASKED, stats.current_fp_rate));
    assert_int_equal(seenset_has_hash(set, 1), SEENSET_EUNSUPPORTED);
    seenset_free(set);
}

static void parquet_never_forgets(void **state)
{
    const foreign_parquet how = {0};
    size_t size_bytes;
    (void)state;
    uint8_t *bytes = foreign_parquet_make(&how, &size_bytes);
    seenset_foreign *file = foreign_open_whole(bytes, size_bytes);
    for (uint32_t i = 0; i < FOREIGN_COLUMNS * FOREIGN_GROUPS; i++) {
        assert_int_equal(forgotten(file, i), 0);
        check_set(file, i);
    }
    /* planted: a block of bits is gone, and the keys of another row group */
    seenset_foreign_filter first = foreign_filter_of(file, 0);
    memset(bytes + first.bits_offset, 0, 32);
    assert_true(forgotten(file, 0) > 0);
    seenset_foreign_free(file);
    free(bytes);
}

/* The first column's values have 4 bytes; one of the keys has 5. */
static void check_many_of_a_length(const seenset_foreign *file)
{
    uint8_t is_seen[200];
    seenset_key keys[200];
    const uint32_t end = FOREIGN_COLUMNS * FOREIGN_GROUPS;
    for (size_t i = 0; i < 200; i++)
        keys[i] = (seenset_key){.data = "12345", .len = 4 + (i == 130)};
    assert_int_equal(seenset_foreign_has_many(file, 0, keys, 130, is_seen), 0);
    assert_int_equal(seenset_foreign_has_many(file, 0, keys, 131, is_seen),
                     SEENSET_EINVAL);
    keys[130] = (seenset_key){.data = NULL, .len = 4};
    assert_int_equal(seenset_foreign_has_many(file, 0, keys, 200, is_seen),
                     SEENSET_EINVAL);
    assert_int_equal(seenset_foreign_has_many(file, 0, NULL, 0, NULL), 0);
    assert_int_equal(seenset_foreign_has_many(file, 0, NULL, 1, is_seen),
                     SEENSET_EINVAL);
    assert_int_equal(seenset_foreign_has_many(file, 0, keys, 1, NULL),
                     SEENSET_EINVAL);
    assert_int_equal(seenset_foreign_has_many(file, end, keys, 1, is_seen),
                     SEENSET_EINVAL);
    assert_int_equal(seenset_foreign_has_many(NULL, 0, keys, 1, is_seen),
                     SEENSET_EINVAL);
}

static void keys_have_the_length_of_their_type(void **state)
{
    const foreign_parquet how = {0};
    static const uint8_t key[40] = {0};
    size_t size_bytes;
    (void)state;
    uint8_t *bytes = foreign_parquet_make(&how, &size_bytes);
    seenset_foreign *file = foreign_open_whole(bytes, size_bytes);
    for (uint32_t i = 0; i < FOREIGN_COLUMNS; i++) {
        uint8_t own[FOREIGN_KEY_BYTES];
        size_t length = foreign_key(own, (int)i, 0, 0);
        bool is_any = foreign_columns[i].value_type == SEENSET_VALUE_BYTES;
        for (size_t n = 0; n < sizeof key; n++) {
            int answer = seenset_foreign_has(file, i, key, n);
            assert_int_equal(answer == SEENSET_EINVAL, !is_any && n != length);
        }
    }
    assert_int_equal(seenset_foreign_has(file, 5, NULL, 0) | 1, 1);
    assert_int_equal(seenset_foreign_has(file, 5, NULL, 1), SEENSET_EINVAL);
    assert_int_equal(
        seenset_foreign_has(file, FOREIGN_COLUMNS * FOREIGN_GROUPS, key, 4),
        SEENSET_EINVAL);
    check_many_of_a_length(file);
    seenset_foreign_free(file);
    free(bytes);
}

/* Merged sets of two row groups have the keys of both, and a file of ours keeps
 * the scheme. */
static void sets_of_filters_are_sets(void **state)
{
    const foreign_parquet how = {0};
    uint8_t key[FOREIGN_KEY_BYTES];
    size_t size_bytes, saved_bytes;
    seenset *into = NULL, *other = NULL, *opened = NULL;
    seenset_overlap alike;
    (void)state;
    uint8_t *bytes = foreign_parquet_make(&how, &size_bytes);
    seenset_foreign *file = foreign_open_whole(bytes, size_bytes);
    assert_int_equal(seenset_foreign_set(&into, file, 1), 0);
    assert_int_equal(seenset_foreign_set(&other, file, 1 + FOREIGN_COLUMNS), 0);
    seenset_foreign_free(file);
    free(bytes);
    assert_int_equal(seenset_get_overlap(into, other, &alike, sizeof alike), 0);
    assert_int_equal(seenset_merge(into, other), SEENSET_OK);
    assert_true(seenset_add(into, "12345678", 8) >= 0);
    uint8_t *saved = test_bytes_of(into, &saved_bytes);
    assert_int_equal(
        seenset_open_bytes(&opened, saved, saved_bytes,
                           &(seenset_open_options){.flags = SEENSET_OPEN_COPY}),
        SEENSET_OK);
    for (int group = 0; group < 2; group++)
        for (int i = 0; i < FOREIGN_KEYS; i++) {
            size_t length = foreign_key(key, 1, group, i);
            assert_int_equal(seenset_has(opened, key, length), 1);
        }
    assert_int_equal(seenset_has(opened, "12345678", 8), 1);
    assert_int_equal(test_stats_of(opened).scheme, SEENSET_SCHEME_PARQUET);
    free(saved);
    seenset_free(opened);
    seenset_free(other);
    seenset_free(into);
}

/* Unknown fields are passed over, nested as deep as is allowed. */
static void unknown_fields_are_passed_over(void **state)
{
    const foreign_parquet how = {.nesting = 30};
    size_t size_bytes;
    (void)state;
    uint8_t *bytes = foreign_parquet_make(&how, &size_bytes);
    seenset_foreign *file = foreign_open_whole(bytes, size_bytes);
    assert_int_equal(forgotten(file, 2), 0);
    seenset_foreign_free(file);
    free(bytes);
}

/* ---- paths, options, names ---- */

static void a_path_opens_as_its_bytes(void **state)
{
    const foreign_parquet how = {0};
    test_folder folder;
    char path[TEST_PATH_BYTES];
    size_t size_bytes;
    seenset_foreign *file = NULL;
    seenset_file_report report;
    const seenset_open_options options = {.report = &report};
    (void)state;
    test_folder_make(&folder);
    test_path(path, &folder, "a.parquet");
    assert_int_equal(seenset_foreign_open(&file, path, &options), SEENSET_EIO);
    assert_string_not_equal(report.reason, "");
    test_write_file(path, "", 0);
    assert_int_equal(seenset_foreign_open(&file, path, &options),
                     SEENSET_EFORMAT);
    assert_int_equal(seenset_foreign_open(&file, folder.path, NULL),
                     SEENSET_EFORMAT);
    assert_null(file);
    uint8_t *bytes = foreign_parquet_make(&how, &size_bytes);
    test_write_file(path, bytes, size_bytes);
    assert_int_equal(seenset_foreign_open(&file, path, &options), SEENSET_OK);
    assert_int_equal(report.file_bytes, size_bytes);
    for (uint32_t i = 0; i < FOREIGN_COLUMNS * FOREIGN_GROUPS; i++)
        assert_int_equal(forgotten(file, i), 0);
    seenset_foreign_free(file);
    free(bytes);
    test_folder_remove(&folder);
}

static void only_memory_and_a_report_can_be_chosen(void **state)
{
    static const uint8_t secret[SEENSET_SECRET_BYTES] = {0};
    const seenset_open_options wrong[] = {{.secret = secret},
                                          {.flags = SEENSET_OPEN_COPY},
                                          {.reserved32 = 1},
                                          {.reserved = {1}},
                                          {.index_context = (void *)secret}};
    size_t size_bytes;
    test_memory memory;
    seenset_foreign *file = NULL;
    (void)state;
    uint8_t *bytes = foreign_dcso_make(&size_bytes);
    for (size_t i = 0; i < TEST_COUNT(wrong); i++)
        assert_int_equal(
            seenset_foreign_open_bytes(&file, bytes, size_bytes, &wrong[i]),
            SEENSET_EINVAL);
    test_memory_init(&memory);
    const seenset_open_options options = {.allocator = &memory.allocator};
    assert_int_equal(
        seenset_foreign_open_bytes(&file, bytes, size_bytes, &options), 0);
    assert_true(memory.live_blocks > 0);
    seenset_foreign_free(file);
    assert_int_equal(memory.live_blocks, 0);
    seenset_foreign_free(NULL);
    free(bytes);
}

static void names_are_those_of_the_header(void **state)
{
    static const char *const types[] = {"bytes", "int32",  "int64", "int96",
                                        "float", "double", "fixed", "bool"};
    (void)state;
    assert_string_equal(seenset_format_name(SEENSET_FORMAT_PARQUET), "parquet");
    assert_string_equal(seenset_format_name(SEENSET_FORMAT_DCSO), "dcso");
    assert_string_equal(seenset_format_name(SEENSET_FORMAT_UNKNOWN), "unknown");
    assert_string_equal(seenset_format_name((seenset_format)99), "unknown");
    for (size_t i = 0; i < TEST_COUNT(types); i++)
        assert_string_equal(seenset_value_type_name((seenset_value_type)i),
                            types[i]);
    assert_string_equal(seenset_value_type_name((seenset_value_type)8),
                        "unknown");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parquet_filters_are_listed),
        cmocka_unit_test(columns_without_a_filter_are_left_out),
        cmocka_unit_test(parquet_never_forgets),
        cmocka_unit_test(keys_have_the_length_of_their_type),
        cmocka_unit_test(sets_of_filters_are_sets),
        cmocka_unit_test(unknown_fields_are_passed_over),
        cmocka_unit_test(a_path_opens_as_its_bytes),
        cmocka_unit_test(only_memory_and_a_report_can_be_chosen),
        cmocka_unit_test(names_are_those_of_the_header),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
