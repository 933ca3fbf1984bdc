/*
 * header_damage.c - a header is believed in nothing.
 *
 * Each row of header_damage_rows.c is answered alike, with the error, the place
 * and the words, by the decoder, by verify, and by each way to open, none of
 * which takes memory before it refuses. Then each field of every golden file
 * alone has some two hundred values, its checksum made right: either all refuse
 * it, or what opens is a sound set.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "file/header/header.h"
#include "forge.h"
#include "header_damage.h"

/* ---- one file, read in each way ---- */

/* A forged file, and where it is written. */
typedef struct forged_file {
    char path[TEST_PATH_BYTES];
    uint8_t *bytes;
    size_t size_bytes;
} forged_file;

/* What reading it answered. */
typedef struct answer {
    int error;
    seenset_file_report report;
    size_t largest_bytes; /* of memory, that was asked for */
} answer;

static int decode(const uint8_t *bytes, size_t size_bytes, uint64_t file_bytes,
                  seenset_file_report *report)
{
    ss_header header;
    return ss_header_decode(&header, bytes, size_bytes, file_bytes, report);
}

/* Writes over a file of the same size if there is one: a disk is busy for
 * milliseconds with each file that is made or shrinks. */
static void write_over(const forged_file *of)
{
    FILE *file = fopen(of->path, "r+b");
    if (file == NULL) {
        test_write_file(of->path, of->bytes, of->size_bytes);
        return;
    }
    assert_int_equal(fwrite(of->bytes, 1, of->size_bytes, file),
                     of->size_bytes);
    assert_int_equal(fclose(file), 0);
}

/* What opens has to be a sound set, and gives back all memory. */
static answer open_in_a_way(const forged_file *of, uint32_t flags,
                            bool is_in_memory)
{
    answer out;
    test_memory memory;
    seenset *set = NULL;
    seenset_stats stats;
    test_memory_init(&memory);
    seenset_open_options options = {
        .flags = flags, .allocator = &memory.allocator, .report = &out.report};
    out.error = is_in_memory ? seenset_open_bytes(&set, of->bytes,
                                                  of->size_bytes, &options)
                             : seenset_open(&set, of->path, &options);
    out.largest_bytes = memory.largest_bytes;
    assert_true((out.error == SEENSET_OK) == (set != NULL));
    if (set != NULL) {
        assert_int_equal(seenset_get_stats(set, &stats, sizeof stats),
                         SEENSET_OK);
        for (uint64_t i = 0; i < 1000; i++)
            (void)seenset_add_hash(set, test_mix(i));
    }
    seenset_free(set);
    assert_int_equal(memory.live_blocks, 0);
    return out;
}

static bool is_same(const answer *a, const answer *b)
{
    return a->error == b->error && a->report.offset == b->report.offset &&
           strcmp(a->report.reason, b->report.reason) == 0;
}

/* ---- the rows ---- */

static void forge(forged_file *of, const header_row *row)
{
    size_t header_bytes = test_header_bytes(of->bytes);
    for (size_t i = 0; i < TEST_COUNT(row->changes); i++) {
        const header_change *to = &row->changes[i];
        uint64_t old = ss_bits_load(of->bytes + to->at, to->size_bytes);
        uint64_t value = to->is_added ? old + to->value : to->value;
        if (to->size_bytes > 0 && value == old)
            fail_msg("%u is %llx already", to->at, (unsigned long long)old);
        ss_bits_store(of->bytes + to->at, to->size_bytes, value);
    }
    if (row->cut_to != 0) {
        of->size_bytes = row->cut_to;
        header_bytes = row->cut_to;
    }
    test_repair_header(of->bytes, header_bytes);
}

/* NULL, or who answered something else. */
static const char *judge_row(const test_folder *folder, const header_row *row)
{
    forged_file of;
    answer said[] = {{0}, {0}, {0}, {0}, {0}},
           expected = {.error = row->error, .report.offset = row->offset};
    static const char *const names[] = {"the decoder", "verify", "a view",
                                        "a copy", "a copy of a file"};
    const char *wrong = NULL;
    strcpy(expected.report.reason, row->reason);
    of.bytes = header_bytes_of(row->set, &of.size_bytes);
    assert_int_equal(
        decode(of.bytes, of.size_bytes, of.size_bytes, &said[0].report), 0);
    forge(&of, row);
    test_write_file(test_path(of.path, folder, "row"), of.bytes, of.size_bytes);
    said[0].error =
        decode(of.bytes, of.size_bytes, of.size_bytes, &said[0].report);
    said[1].error = seenset_verify(of.path, &said[1].report);
    said[2] = open_in_a_way(&of, SEENSET_OPEN_VIEW, true);
    said[3] = open_in_a_way(&of, SEENSET_OPEN_COPY, true);
    said[4] = open_in_a_way(&of, SEENSET_OPEN_COPY, false);
    for (size_t i = 0; i < TEST_COUNT(said) && wrong == NULL; i++) {
        if (!is_same(&said[i], &expected) ||
            (row->error != SEENSET_OK && said[i].largest_bytes > 0)) {
            wrong = names[i];
            print_message("%s: %d at %llu, %s\n", wrong, said[i].error,
                          (unsigned long long)said[i].report.offset,
                          said[i].report.reason);
        }
    }
    free(of.bytes);
    return wrong;
}

static void each_field_that_is_wrong_is_named(void **state)
{
    test_folder folder;
    int wrong = 0;
    (void)state;
    test_folder_make(&folder);
    for (size_t i = 0; i < header_row_count; i++) {
        if (judge_row(&folder, &header_rows[i]) != NULL) {
            print_message("row %zu\n", i);
            wrong++;
        }
    }
    assert_int_equal(wrong, 0);
    /* planted: rows that expect something else */
    header_row planted[] = {header_rows[0], header_rows[0], header_rows[0]};
    planted[0].error = SEENSET_ECORRUPT;
    planted[1].offset++;
    planted[2].reason = "";
    for (size_t i = 0; i < TEST_COUNT(planted); i++)
        assert_non_null(judge_row(&folder, &planted[i]));
    test_folder_remove(&folder);
}

/* ---- every field at many values ---- */

/* Extreme value number i of a field; false past the last. */
static bool extreme(size_t i, uint64_t old, uint64_t *value)
{
    static const uint64_t values[] = {0, 1, 2, 3, 7, 9, 255, 256, 512, 1000};
    if (i < 64)
        *value = UINT64_C(1) << i;
    else if (i < 128)
        *value = ~(UINT64_C(1) << (i - 64));
    else if (i < 192)
        *value = (UINT64_C(1) << (i - 128)) - 1;
    else if (i < 202)
        *value = values[i - 192];
    else if (i < 206)
        *value = old + (i - 204);
    else
        *value = UINT64_MAX;
    return i <= 206;
}

/* Tries one value; what is refused must be so without a block larger than the
 * file, by verify as well. A handle may be larger than a file of few keys. */
static int try_value(const forged_file *of)
{
    enum {
        HANDLE_BYTES = 512
    };
    seenset_file_report report;
    write_over(of);
    answer said = open_in_a_way(of, SEENSET_OPEN_COPY, false);
    int verified = seenset_verify(of->path, &report);
    /* to verify takes no secret and no index function */
    bool is_other = said.error == SEENSET_ESECRET ||
                    (said.error == SEENSET_EHASH && verified == SEENSET_OK &&
                     ss_bits_load(of->bytes + 28, 4) == SEENSET_SCHEME_CALLER);
    assert_int_equal(verified, is_other ? SEENSET_OK : said.error);
    assert_true((strlen(report.reason) > 0) == (verified != SEENSET_OK));
    assert_true(said.largest_bytes <= of->size_bytes + HANDLE_BYTES);
    return said.error;
}

static void try_field(const forged_file *of, const test_field *field)
{
    uint8_t *at = of->bytes + field->at;
    uint64_t old = ss_bits_load(at, field->size_bytes), value;
    size_t header_bytes = test_header_bytes(of->bytes);
    (void)remove(of->path);
    for (size_t i = 0; extreme(i, old, &value); i++) {
        ss_bits_store(at, field->size_bytes, value);
        bool is_same = ss_bits_load(at, field->size_bytes) == old;
        test_repair_header(of->bytes, header_bytes);
        int error = try_value(of);
        if (is_same)
            assert_int_equal(error, SEENSET_OK);
        else if (!field->may_differ && error == SEENSET_OK)
            fail_msg("%s = %llx was believed", field->name,
                     (unsigned long long)value);
    }
    ss_bits_store(at, field->size_bytes, old);
}

static void fields_are_refused_before_allocating(void **state)
{
    test_folder folder;
    (void)state;
    test_folder_make(&folder);
    for (size_t golden = 0; golden < TEST_GOLDEN_COUNT; golden++) {
        forged_file of;
        test_field fields[TEST_FIELDS_MOST];
        test_path(of.path, &folder, "forged");
        of.bytes = test_golden_bytes(golden, &of.size_bytes);
        size_t count = test_list_fields(of.bytes, fields);
        for (size_t i = golden % TEST_STEP; i < count; i += TEST_STEP)
            try_field(&of, &fields[i]);
        free(of.bytes);
    }
    test_folder_remove(&folder);
}

/* Planted: a set that really is larger than some bytes is seen as such. */
static void a_large_block_is_seen(void **state)
{
    test_memory memory;
    seenset *set = NULL;
    (void)state;
    test_memory_init(&memory);
    seenset_options options = {.allocator = &memory.allocator};
    assert_int_equal(seenset_new(&set, &options), SEENSET_OK);
    assert_true(memory.largest_bytes > 1000000);
    seenset_free(set);
}

/* ---- lengths, versions, windows ---- */

/* Where it ends is where a file is cut, and where more begins. */
static void lengths_that_are_wrong_are_named(void **state)
{
    (void)state;
    for (int number = 0; number < HEADER_SETS; number++) {
        size_t size_bytes;
        seenset_file_report report;
        uint8_t *bytes = header_bytes_of(number, &size_bytes);
        size_t header_bytes = test_header_bytes(bytes);
        for (size_t length = 0; length < header_bytes; length++) {
            assert_int_equal(decode(bytes, length, length, &report),
                             SEENSET_ETRUNCATED);
            assert_int_equal(report.offset, length);
            assert_int_equal(report.file_bytes, length);
            assert_string_equal(
                report.reason, length == 0 ? "the file is empty"
                                           : "the file ends inside the header");
        }
        assert_int_equal(decode(bytes, header_bytes, size_bytes - 1, &report),
                         SEENSET_ETRUNCATED);
        assert_int_equal(report.offset, size_bytes - 1);
        assert_string_equal(report.reason,
                            ss_bits_load(bytes + 8, 4) >= 3
                                ? "the file ends inside its sums"
                                : "the file ends inside the payload");
        assert_int_equal(decode(bytes, header_bytes, size_bytes + 1, &report),
                         SEENSET_ECORRUPT);
        assert_int_equal(report.offset, size_bytes);
        assert_string_equal(report.reason, "bytes follow the end of the set");
        bytes[120] ^= 1;
        assert_int_equal(decode(bytes, size_bytes, size_bytes, &report),
                         SEENSET_ECORRUPT);
        assert_int_equal(report.offset, 120);
        assert_string_equal(report.reason, "the header's checksum is wrong");
        free(bytes);
    }
}

/* The version is known from the 12th byte on, and told before the length. */
static void versions_are_told_as_soon_as_they_are_there(void **state)
{
    size_t size_bytes;
    seenset_file_report report;
    uint8_t *bytes = header_bytes_of(BLOOM, &size_bytes);
    (void)state;
    ss_bits_store(bytes + 8, 4, 9);
    for (size_t length = 1; length <= size_bytes; length++)
        assert_int_equal(decode(bytes, length, length, &report),
                         length < 12 ? SEENSET_ETRUNCATED : SEENSET_EVERSION);
    free(bytes);
}

enum {
    WINDOW_TABLES = 4
};

/* What decoding says to so many tables, of which number `other` has `bits` and
 * `hashes`; all lengths and the checksum are right for just these. */
static int decode_tables(seenset_on_full on_full, uint32_t other, uint64_t bits,
                         uint32_t hashes, seenset_file_report *report)
{
    seenset *set = test_make((seenset_options){.layout = SEENSET_LAYOUT_BLOOM,
                                               .on_full = on_full,
                                               .capacity_items = 1000});
    ss_header header, decoded;
    uint8_t bytes[SS_HEADER_MAX_BYTES];
    ss_header_describe(&header, set);
    seenset_free(set);
    header.generation_count = WINDOW_TABLES;
    for (uint32_t i = 0; i < WINDOW_TABLES; i++) {
        ss_table_record *record = &header.records[i];
        *record = header.records[0];
        record->size_bits = i == other ? bits : 4096;
        record->hash_count = i == other ? hashes : 7;
    }
    ss_header_place(&header);
    ss_header_encode(&header, bytes);
    return ss_header_decode(&decoded, bytes, ss_header_bytes(&header),
                            ss_header_file_bytes(&header), report);
}

/* One that differs in its size only, or in its hash count only, is refused
 * wherever it stands; a set that grows may hold it. */
static void windows_have_tables_of_one_shape(void **state)
{
    static const uint64_t sizes[] = {4096, 512, 8192, 4096, 4096};
    static const uint32_t hashes[] = {7, 7, 7, 6, 8};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(sizes); i++) {
        for (uint32_t other = 0; other < WINDOW_TABLES; other++) {
            seenset_file_report report;
            assert_int_equal(decode_tables(SEENSET_ON_FULL_GROW, other,
                                           sizes[i], hashes[i], &report),
                             SEENSET_OK);
            assert_int_equal(decode_tables(SEENSET_ON_FULL_ROTATE, other,
                                           sizes[i], hashes[i], &report),
                             i == 0 ? SEENSET_OK : SEENSET_ECORRUPT);
            assert_string_equal(
                report.reason,
                i == 0 ? "" : "the tables of a window differ in size");
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_field_that_is_wrong_is_named),
        cmocka_unit_test(fields_are_refused_before_allocating),
        cmocka_unit_test(a_large_block_is_seen),
        cmocka_unit_test(lengths_that_are_wrong_are_named),
        cmocka_unit_test(versions_are_told_as_soon_as_they_are_there),
        cmocka_unit_test(windows_have_tables_of_one_shape),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
