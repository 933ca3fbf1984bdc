/*
 * foreign_dcso.c - files of DCSO's bloom: opened, asked as a file and as a set,
 * and written again as they were.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "foreign_opened.h"

static void dcso_opens(void **state)
{
    size_t size_bytes;
    seenset *set = NULL;
    (void)state;
    uint8_t *bytes = foreign_dcso_make(&size_bytes);
    seenset_foreign *file = foreign_open_whole(bytes, size_bytes);
    seenset_foreign_info info = foreign_info_of(file);
    seenset_foreign_filter filter = foreign_filter_of(file, 0);
    assert_int_equal(info.format, SEENSET_FORMAT_DCSO);
    assert_int_equal(info.filter_count, 1);
    assert_int_equal(info.group_count, 1);
    assert_int_equal(filter.size_bits, 575);
    assert_int_equal(filter.hash_count, 10);
    assert_int_equal(filter.capacity_items, FOREIGN_KEYS);
    assert_int_equal(filter.added_items, FOREIGN_KEYS);
    assert_true(test_is_near(filter.fp_rate, 0.001, 1e-12));
    assert_int_equal(filter.value_type, SEENSET_VALUE_BYTES);
    assert_int_equal(seenset_foreign_set(&set, file, 0), SEENSET_OK);
    assert_int_equal(test_stats_of(set).capacity_items, FOREIGN_KEYS);
    assert_int_equal(test_stats_of(set).added_items, FOREIGN_KEYS);
    foreign_check_set(file, set, "dcso");
    seenset_free(set);
    seenset_foreign_free(file);
    free(bytes);
}

/* A file whose set was not changed is written as it was; one to which a key was
 * added differs in the bits and in the number of keys, and has the key. */
static void dcso_is_written_again(void **state)
{
    size_t size_bytes, written_bytes = 0;
    seenset *set = NULL, *other = NULL;
    (void)state;
    uint8_t *bytes = foreign_dcso_make(&size_bytes);
    uint8_t *written = malloc(size_bytes);
    assert_non_null(written);
    seenset_foreign *file = foreign_open_whole(bytes, size_bytes);
    assert_int_equal(seenset_foreign_set(&set, file, 0), 0);
    assert_int_equal(
        seenset_foreign_write_bytes(file, set, NULL, &written_bytes),
        SEENSET_ESPACE);
    assert_int_equal(written_bytes, size_bytes);
    assert_int_equal(
        seenset_foreign_write_bytes(file, set, written, &written_bytes), 0);
    assert_memory_equal(written, bytes, size_bytes);
    assert_int_equal(seenset_add(set, "one more", 8), 1);
    assert_int_equal(
        seenset_foreign_write_bytes(file, set, written, &written_bytes), 0);
    assert_int_equal(test_fetch(written + 40, 8), FOREIGN_KEYS + 1);
    assert_memory_equal(written, bytes, 40);
    assert_memory_equal(written + size_bytes - 11, "the owner's", 11);
    seenset_foreign *again = foreign_open_whole(written, size_bytes);
    assert_int_equal(seenset_foreign_has(file, 0, "one more", 8), 0);
    assert_int_equal(seenset_foreign_has(again, 0, "one more", 8), 1);
    assert_int_equal(seenset_foreign_has(again, 0, "dcso 7", 6), 1);
    other = test_make((seenset_options){.layout = SEENSET_LAYOUT_BLOOM,
                                        .scheme = SEENSET_SCHEME_DCSO,
                                        .hash_count = 10,
                                        .size_bits = 576});
    assert_int_equal(
        seenset_foreign_write_bytes(file, other, written, &written_bytes),
        SEENSET_EMISMATCH);
    seenset_free(other);
    seenset_foreign_free(again);
    seenset_foreign_free(file);
    seenset_free(set);
    free(written);
    free(bytes);
}

static void dcso_files_are_checked(void **state)
{
    static const struct {
        size_t at;
        uint64_t value;
    } fields[] = {{0, 2},
                  {0, 257},
                  {8, 0},
                  {8, UINT64_MAX},
                  {16, 0},
                  {24, 0},
                  {24, 256},
                  {32, 0},
                  {32, UINT64_MAX},
                  {40, UINT64_MAX},
                  {16, UINT64_C(0x7FF8000000000000)},
                  {16, UINT64_C(0x3FF0000000000000)}};
    size_t size;
    (void)state;
    uint8_t *bytes = foreign_dcso_make(&size);
    for (size_t i = 0; i < TEST_COUNT(fields); i++) {
        uint64_t was = test_fetch(bytes + fields[i].at, 8);
        test_store(bytes + fields[i].at, 8, fields[i].value);
        assert_int_equal(
            foreign_refused(bytes, size, "none of the formats that are known"),
            SEENSET_EFORMAT);
        test_store(bytes + fields[i].at, 8, was);
    }
    assert_int_equal(
        foreign_refused(bytes, 48 + 71, "the file ends inside the bits"),
        SEENSET_ETRUNCATED);
    bytes[48 + 71] |= 128; /* bit 575 */
    assert_int_equal(
        foreign_refused(bytes, size, "bits are set after the last"),
        SEENSET_ECORRUPT);
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dcso_opens),
        cmocka_unit_test(dcso_is_written_again),
        cmocka_unit_test(dcso_files_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
