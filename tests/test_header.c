/*
 * test_header.c - a header is believed in nothing: every field at its extremes
 * with the checksum made right again, and no allocation before it is refused.
 */
#include "header.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bits.h"
#include "file.h"
#include "support.h"

/* Each field as docs/format.md has it. */
static const struct field {
    const char *name;
    unsigned at;
    unsigned size_bytes;
} fields[] = {{"magic", 0, 8},
              {"version", 8, 4},
              {"header_bytes", 12, 4},
              {"file_bytes", 16, 8},
              {"hash", 24, 4},
              {"scheme", 28, 4},
              {"hash_check", 32, 8},
              {"layout", 40, 4},
              {"on_full", 44, 4},
              {"generation_count", 48, 4},
              {"reserved", 52, 4},
              {"reserved", 88, 8},
              {"reserved", 116, 4},
              {"size_bits", 128, 8},
              {"hash_count", 136, 4},
              {"reserved_2", 140, 4},
              {"capacity_items", 144, 8},
              {"fp_rate", 152, 8},
              {"added_items", 160, 8},
              {"payload_offset", 168, 8},
              {"payload_bytes", 176, 8},
              {"payload_checksum", 184, 8}};

static uint8_t *golden_bytes(size_t i, size_t *size_bytes)
{
    seenset *set = test_golden_make(&test_goldens[i]);
    uint8_t *bytes = test_bytes_of(set, size_bytes);
    seenset_free(set);
    return bytes;
}

static void header_round_trips(void **state)
{
    test_random random = {3};
    (void)state;
    for (int i = 0; i < 10000; i++) {
        uint64_t unit = UINT64_C(64) * 24;
        uint64_t units = 1 + test_random_below(&random, 1u << (i % 20));
        ss_header in = {.layout = i % 2 ? SEENSET_BLOOM : SEENSET_BLOCKED,
                        .on_full = i % 3 ? SEENSET_DEGRADE : SEENSET_REFUSE,
                        .size_bits = unit * units,
                        .hash_count = 24,
                        .capacity_items = 1 + test_random_below(&random, 1e15),
                        .fp_rate = 1.0 - test_random_unit(&random),
                        .added_items = test_random_below(&random, 1e15),
                        .payload_bytes = unit * units / 8,
                        .payload_checksum = test_random_next(&random)};
        uint8_t bytes[SS_HEADER_BYTES];
        ss_header out;
        seenset_report report;
        memset(&out, 0, sizeof out);
        ss_header_encode(&in, bytes);
        uint64_t file_bytes = SS_HEADER_BYTES + in.payload_bytes;
        assert_int_equal(
            ss_header_decode(&out, bytes, sizeof bytes, file_bytes, &report),
            SEENSET_OK);
        assert_string_equal(report.reason, "");
        assert_true(
            out.layout == in.layout && out.on_full == in.on_full &&
            out.size_bits == in.size_bits && out.hash_count == in.hash_count &&
            out.capacity_items == in.capacity_items &&
            out.fp_rate == in.fp_rate && out.added_items == in.added_items &&
            out.payload_bytes == in.payload_bytes &&
            out.payload_checksum == in.payload_checksum);
    }
}

/* Where each field lies, said once more: written by nobody's encoder. */
static void header_bytes_are_where_the_format_says(void **state)
{
    size_t size_bytes;
    uint8_t *bytes = golden_bytes(2, &size_bytes);
    double fp_rate = 1e-6;
    uint64_t fp_rate_bits;
    (void)state;
    memcpy(&fp_rate_bits, &fp_rate, 8);
    assert_memory_equal(bytes, "\x89SSET\r\n\x1A", 8);
    assert_int_equal(ss_bits_load(bytes + 8, 4), 1);
    assert_int_equal(ss_bits_load(bytes + 12, 4), 192);
    assert_int_equal(ss_bits_load(bytes + 16, 8), size_bytes);
    assert_int_equal(ss_bits_load(bytes + 24, 4), 1);
    assert_int_equal(ss_bits_load(bytes + 28, 4), 1);
    assert_int_equal(ss_bits_load(bytes + 40, 4), 1);
    assert_int_equal(ss_bits_load(bytes + 44, 4), 2);
    assert_int_equal(ss_bits_load(bytes + 48, 4), 1);
    assert_int_equal(ss_bits_load(bytes + 128, 8), 8 * (size_bytes - 192));
    assert_int_equal(ss_bits_load(bytes + 136, 4), 24);
    assert_int_equal(ss_bits_load(bytes + 144, 8), 100);
    assert_int_equal(ss_bits_load(bytes + 152, 8), fp_rate_bits);
    assert_int_equal(ss_bits_load(bytes + 160, 8), 100);
    assert_int_equal(ss_bits_load(bytes + 168, 8), 192);
    assert_int_equal(ss_bits_load(bytes + 176, 8), size_bytes - 192);
    free(bytes);
}

static void header_refuses_each_flipped_bit(void **state)
{
    (void)state;
    for (size_t golden = 0; golden < TEST_GOLDEN_COUNT; golden++) {
        size_t size_bytes;
        uint8_t *bytes = golden_bytes(golden, &size_bytes);
        for (unsigned bit = 0; bit < 8 * SS_HEADER_BYTES; bit++) {
            ss_header header;
            seenset_report report;
            bytes[bit / 8] ^= (uint8_t)(1u << (bit % 8));
            int error = ss_header_decode(&header, bytes, size_bytes, size_bytes,
                                         &report);
            assert_true(error < 0);
            assert_true(strlen(report.reason) > 0);
            assert_true(report.offset < SS_HEADER_BYTES);
            bytes[bit / 8] ^= (uint8_t)(1u << (bit % 8));
        }
        free(bytes);
    }
}

/* ---- extremes, with a right checksum ---- */

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
    test_write_file(path, bytes, size_bytes);
    int error =
        ss_file_load(&ss_io_system, &memory.allocator, false, &set, path);
    *is_blown = memory.largest_bytes > size_bytes;
    assert_true((error == SEENSET_OK) == (set != NULL));
    if (error == SEENSET_OK) {
        assert_int_equal(seenset_get_stats(set, &stats), SEENSET_OK);
        for (uint64_t i = 0; i < 1000; i++)
            (void)seenset_add_hash(set, test_mix(i));
    }
    seenset_free(set);
    assert_int_equal(memory.live_blocks, 0);
    seenset_report report;
    assert_int_equal(seenset_verify(path, &report), error);
    assert_true((strlen(report.reason) > 0) == (error != SEENSET_OK));
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

/* Which fields may change within limits and still make a set. */
static bool may_differ(const struct field *field)
{
    static const char *const names[] = {
        "layout",      "on_full",   "hash_count",    "fp_rate",
        "added_items", "size_bits", "capacity_items"};
    for (size_t i = 0; i < TEST_COUNT(names); i++) {
        if (strcmp(field->name, names[i]) == 0)
            return true;
    }
    return false;
}

static void header_refuses_extremes_before_allocating(void **state)
{
    test_folder folder;
    (void)state;
    test_folder_make(&folder);
    for (size_t i = 0; i < TEST_GOLDEN_COUNT * TEST_COUNT(fields); i++) {
        const struct field *field = &fields[i / TEST_GOLDEN_COUNT];
        size_t size_bytes;
        uint8_t *bytes = golden_bytes(i % TEST_GOLDEN_COUNT, &size_bytes);
        uint64_t old = ss_bits_load(bytes + field->at, field->size_bytes);
        uint64_t value;
        for (size_t j = 0; extreme(j, old, &value); j++) {
            bool is_blown;
            ss_bits_store(bytes + field->at, field->size_bytes, value);
            bool is_same =
                ss_bits_load(bytes + field->at, field->size_bytes) == old;
            test_repair_header(bytes);
            int error = load(&folder, bytes, size_bytes, &is_blown);
            assert_false(is_blown);
            if (is_same)
                assert_int_equal(error, SEENSET_OK);
            else if (!may_differ(field) && error == SEENSET_OK)
                fail_msg("%s = %llx was believed", field->name,
                         (unsigned long long)value);
        }
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
        uint8_t *bytes = golden_bytes(0, &size_bytes);
        uint64_t m = UINT64_C(1) << shift;
        bool is_blown;
        ss_bits_store(bytes + 128, 8, m);
        ss_bits_store(bytes + 176, 8, m / 8);
        ss_bits_store(bytes + 16, 8, SS_HEADER_BYTES + m / 8);
        test_repair_header(bytes);
        assert_int_equal(load(&folder, bytes, size_bytes, &is_blown),
                         shift <= 53 ? SEENSET_ETRUNCATED : SEENSET_ECORRUPT);
        assert_false(is_blown);
        free(bytes);
    }
    test_folder_remove(&folder);
}

static int decode_rate(double fp_rate)
{
    size_t size_bytes;
    uint8_t *bytes = golden_bytes(0, &size_bytes);
    uint64_t bits;
    ss_header header;
    seenset_report report;
    memcpy(&bits, &fp_rate, 8);
    ss_bits_store(bytes + 152, 8, bits);
    test_repair_header(bytes);
    int error =
        ss_header_decode(&header, bytes, size_bytes, size_bytes, &report);
    free(bytes);
    return error;
}

static void header_refuses_rates_that_are_none(void **state)
{
    (void)state;
    assert_int_equal(decode_rate(0.5), SEENSET_OK);
    assert_int_equal(decode_rate(1.0), SEENSET_OK);
    assert_int_equal(decode_rate(0.0), SEENSET_ECORRUPT);
    assert_int_equal(decode_rate(-0.5), SEENSET_ECORRUPT);
    assert_int_equal(decode_rate(1.5), SEENSET_ECORRUPT);
    assert_int_equal(decode_rate((double)NAN), SEENSET_ECORRUPT);
    assert_int_equal(decode_rate((double)INFINITY), SEENSET_ECORRUPT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(header_round_trips),
        cmocka_unit_test(header_bytes_are_where_the_format_says),
        cmocka_unit_test(header_refuses_each_flipped_bit),
        cmocka_unit_test(header_refuses_extremes_before_allocating),
        cmocka_unit_test(header_extremes_oracle_sees_a_large_block),
        cmocka_unit_test(header_refuses_sizes_the_file_has_not),
        cmocka_unit_test(header_refuses_rates_that_are_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
