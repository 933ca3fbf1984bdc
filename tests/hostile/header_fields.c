/*
 * header_fields.c - a header is believed in nothing: every field at its
 * extremes with the checksum made right again, and no allocation before it is
 * refused.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "file/file.h"
#include "forge.h"
#include "file/header.h"
#include "faulty_io.h"
#include "support.h"

/* Writes over a file of the same size if there is one: a disk is busy for
 * milliseconds with each file that is made or shrinks. */
static void write_over(const char *path, const uint8_t *bytes,
                       size_t size_bytes)
{
    FILE *file = fopen(path, "r+b");
    if (file == NULL) {
        test_write_file(path, bytes, size_bytes);
        return;
    }
    assert_int_equal(fwrite(bytes, 1, size_bytes, file), size_bytes);
    assert_int_equal(ftell(file), size_bytes);
    assert_int_equal(fclose(file), 0);
}

/*
 * Loads bytes as a file, with memory that counts. What is refused must be so
 * without a block larger than the file, what is not must be a sound set.
 */
static int load(const test_folder *folder, const uint8_t *bytes,
                size_t size_bytes, bool *is_blown)
{
    char path[TEST_PATH_BYTES];
    test_memory memory;
    seenset *set = NULL;
    seenset_stats stats;
    test_memory_init(&memory);
    test_path(path, folder, "forged");
    write_over(path, bytes, size_bytes);
    int error = test_load(&ss_io_system, &memory.allocator, false, &set, path);
    *is_blown = memory.largest_bytes > size_bytes;
    assert_true((error == SEENSET_OK) == (set != NULL));
    if (error == SEENSET_OK) {
        assert_int_equal(seenset_get_stats(set, &stats, sizeof stats),
                         SEENSET_OK);
        for (uint64_t i = 0; i < 1000; i++)
            (void)seenset_add_hash(set, test_mix(i));
    }
    seenset_free(set);
    assert_int_equal(memory.live_blocks, 0);
    seenset_file_report report;
    int verified = seenset_verify(path, &report);
    /* to verify takes no secret and no index function */
    bool is_other = error == SEENSET_ESECRET ||
                    (error == SEENSET_EHASH && verified == SEENSET_OK &&
                     ss_bits_load(bytes + 28, 4) == SEENSET_SCHEME_CALLER);
    assert_int_equal(verified, is_other ? SEENSET_OK : error);
    assert_true((strlen(report.reason) > 0) == (verified != SEENSET_OK));
    return error;
}

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

/* Every extreme of one field of a golden file. */
static void check_field(const test_folder *folder, uint8_t *bytes,
                        size_t size_bytes, const test_field *field)
{
    uint8_t *at = bytes + field->at;
    uint64_t old = ss_bits_load(at, field->size_bytes), value;
    size_t header_bytes = test_header_bytes(bytes);
    char path[TEST_PATH_BYTES];
    (void)remove(test_path(path, folder, "forged"));
    for (size_t j = 0; extreme(j, old, &value); j++) {
        bool is_blown;
        ss_bits_store(at, field->size_bytes, value);
        bool is_same = ss_bits_load(at, field->size_bytes) == old;
        test_repair_header(bytes, header_bytes);
        int error = load(folder, bytes, size_bytes, &is_blown);
        assert_false(is_blown);
        if (is_same)
            assert_int_equal(error, SEENSET_OK);
        else if (!field->may_differ && error == SEENSET_OK)
            fail_msg("%s = %llx was believed", field->name,
                     (unsigned long long)value);
    }
    ss_bits_store(at, field->size_bytes, old);
}

static void header_refuses_extremes_before_allocating(void **state)
{
    test_folder folder;
    (void)state;
    test_folder_make(&folder);
    for (size_t golden = 0; golden < TEST_GOLDEN_COUNT; golden++) {
        size_t size_bytes;
        uint8_t *bytes = test_golden_bytes(golden, &size_bytes);
        test_field fields[TEST_FIELDS_MOST];
        size_t count = test_list_fields(bytes, fields);
        for (size_t i = 0; i < count; i++)
            check_field(&folder, bytes, size_bytes, &fields[i]);
        free(bytes);
    }
    test_folder_remove(&folder);
}

/* Planted: a set that really is larger than some bytes is seen as such. */
static void header_extremes_oracle_sees_a_large_block(void **state)
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

/* Sizes that agree among themselves but not with the file. */
static void header_refuses_sizes_the_file_has_not(void **state)
{
    test_folder folder;
    (void)state;
    test_folder_make(&folder);
    for (unsigned shift = 11; shift <= 54; shift++) {
        size_t size_bytes;
        uint8_t *bytes = test_golden_bytes(0, &size_bytes);
        uint64_t m = UINT64_C(1) << shift;
        bool is_blown;
        ss_bits_store(bytes + 128, 8, m);
        ss_bits_store(bytes + 176, 8, m / 8);
        ss_bits_store(bytes + 16, 8, SS_HEADER_BYTES + m / 8);
        test_repair_header(bytes, SS_HEADER_BYTES);
        assert_int_equal(load(&folder, bytes, size_bytes, &is_blown),
                         shift <= 53 ? SEENSET_ETRUNCATED : SEENSET_ECORRUPT);
        assert_false(is_blown);
        free(bytes);
    }
    test_folder_remove(&folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(header_refuses_extremes_before_allocating),
        cmocka_unit_test(header_extremes_oracle_sees_a_large_block),
        cmocka_unit_test(header_refuses_sizes_the_file_has_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
