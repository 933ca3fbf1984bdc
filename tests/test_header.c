/*
 * test_header.c - a header is believed in nothing: every field at its extremes
 * with the checksum made right again, and no allocation before it is refused.
 */
#include "header.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bits.h"
#include "file.h"
#include "forge.h"
#include "hash.h"
#include "support.h"

static uint8_t *golden_bytes(size_t i, size_t *size_bytes)
{
    seenset *set = test_golden_make(&test_goldens[i]);
    uint8_t *bytes = test_bytes_of(set, size_bytes);
    seenset_free(set);
    return bytes;
}

/* A header like those that sets have, of any kind. */
static ss_header random_header(test_random *random, int i)
{
    static const ss_kind kinds[] = {
        {.on_full = SEENSET_DEGRADE},
        {.on_full = SEENSET_REFUSE},
        {.on_full = SEENSET_GROW},
        {.on_full = SEENSET_ROTATE, .window_generations = 64},
        {.on_full = SEENSET_ROTATE,
         .window_generations = 64,
         .window_seconds = 86400}};
    ss_header in = {.layout = i % 2 ? SEENSET_BLOOM : SEENSET_BLOCKED,
                    .kind = kinds[i % 5],
                    .place_bits = 1,
                    .generation_count = 1};
    if (i % 5 > 1)
        in.generation_count += (uint32_t)test_random_below(random, 64);
    if (i % 5 < 2 && i % 3 == 0) {
        in.layout = SEENSET_COUNTING;
        in.place_bits = 4u << i % 9 / 3;
    }
    in.kind.identity =
        (ss_identity){.hash = SS_HASH_XXH3_64, .scheme = SS_SCHEME_CHAIN};
    in.hash_check = ss_identity_check(&in.kind.identity);
    in.kind.capacity_items = 1 + test_random_below(random, 1e15);
    in.kind.fp_rate = 1.0 - test_random_unit(random);
    uint64_t units = 1 + test_random_below(random, 1u << (i % 20));
    uint64_t offset = ss_header_bytes(&in);
    for (uint32_t g = 0; g < in.generation_count; g++) {
        if (i % 5 == 2)
            units = 1 + test_random_below(random, 1u << (i % 20));
        uint64_t size_bits = 64 * 24 * units;
        ss_record *record = &in.records[g];
        *record = (ss_record){.size_bits = size_bits,
                              .hash_count = 24,
                              .capacity_items = in.kind.capacity_items,
                              .fp_rate = in.kind.fp_rate,
                              .added_items = test_random_below(random, 1e15),
                              .payload_offset = offset,
                              .payload_bytes = size_bits / 8 * in.place_bits,
                              .payload_checksum = test_random_next(random)};
        if (i % 5 == 4)
            record->started_seconds = test_random_next(random);
        offset += record->payload_bytes;
    }
    return in;
}

static bool are_headers_equal(const ss_header *a, const ss_header *b)
{
    bool are = a->layout == b->layout && a->place_bits == b->place_bits &&
               a->generation_count == b->generation_count &&
               a->hash_check == b->hash_check &&
               ss_identity_is_same(&a->kind.identity, &b->kind.identity) &&
               a->kind.on_full == b->kind.on_full &&
               a->kind.capacity_items == b->kind.capacity_items &&
               a->kind.fp_rate == b->kind.fp_rate &&
               a->kind.window_generations == b->kind.window_generations &&
               a->kind.window_seconds == b->kind.window_seconds;
    for (uint32_t i = 0; are && i < a->generation_count; i++) {
        const ss_record *x = &a->records[i], *y = &b->records[i];
        are = x->size_bits == y->size_bits && x->hash_count == y->hash_count &&
              x->capacity_items == y->capacity_items &&
              x->fp_rate == y->fp_rate && x->added_items == y->added_items &&
              x->started_seconds == y->started_seconds &&
              x->payload_offset == y->payload_offset &&
              x->payload_bytes == y->payload_bytes &&
              x->payload_checksum == y->payload_checksum;
    }
    return are;
}

static void header_round_trips(void **state)
{
    test_random random = {3};
    (void)state;
    for (int i = 0; i < 10000; i++) {
        ss_header in = random_header(&random, i), out;
        uint8_t bytes[SS_HEADER_MOST_BYTES];
        seenset_report report;
        memset(&out, 0, sizeof out);
        ss_header_encode(&in, bytes);
        assert_int_equal(test_header_bytes(bytes), ss_header_bytes(&in));
        assert_int_equal(ss_header_claimed_bytes(bytes), ss_header_bytes(&in));
        assert_int_equal(test_is_version_1(bytes),
                         i % 5 < 2 && in.place_bits == 1);
        assert_int_equal(ss_header_decode(&out, bytes, ss_header_bytes(&in),
                                          ss_header_file_bytes(&in), &report),
                         SEENSET_OK);
        assert_string_equal(report.reason, "");
        assert_true(are_headers_equal(&in, &out));
        /* planted: a field that is lost shows */
        out.records[out.generation_count - 1].payload_checksum ^= 1;
        assert_false(are_headers_equal(&in, &out));
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

/* The same for a window, whose three tables are in use. */
static void header_bytes_of_version_2_too(void **state)
{
    size_t size_bytes;
    uint8_t *bytes = golden_bytes(5, &size_bytes);
    double whole_rate = 0.01, fp_rate = 0.01 / 4;
    uint64_t whole_bits, rate_bits, offset = 128 + 3 * 128;
    (void)state;
    memcpy(&whole_bits, &whole_rate, 8);
    memcpy(&rate_bits, &fp_rate, 8);
    assert_int_equal(ss_bits_load(bytes + 8, 4), 2);
    assert_int_equal(ss_bits_load(bytes + 12, 4), offset);
    assert_int_equal(ss_bits_load(bytes + 16, 8), size_bytes);
    assert_int_equal(ss_bits_load(bytes + 40, 4), SEENSET_BLOCKED);
    assert_int_equal(ss_bits_load(bytes + 44, 4), SEENSET_ROTATE);
    assert_int_equal(ss_bits_load(bytes + 48, 4), 3);
    assert_int_equal(ss_bits_load(bytes + 52, 4), 1);
    assert_int_equal(ss_bits_load(bytes + 56, 4), 4);
    assert_int_equal(ss_bits_load(bytes + 64, 8), 0);
    assert_int_equal(ss_bits_load(bytes + 72, 8), 100);
    assert_int_equal(ss_bits_load(bytes + 80, 8), whole_bits);
    uint64_t added = 0, payload = (size_bytes - offset) / 3;
    for (unsigned i = 0; i < 3; i++) {
        const uint8_t *record = bytes + 128 + 128 * i;
        assert_int_equal(ss_bits_load(record, 8), 8 * payload);
        assert_int_equal(ss_bits_load(record + 16, 8), 34);
        assert_int_equal(ss_bits_load(record + 24, 8), rate_bits);
        added += ss_bits_load(record + 32, 8);
        assert_int_equal(ss_bits_load(record + 40, 8), offset + i * payload);
        assert_int_equal(ss_bits_load(record + 48, 8), payload);
        assert_int_equal(ss_bits_load(record + 64, 8), 0);
    }
    assert_in_range(added, 95, 100);
    free(bytes);
    bytes = golden_bytes(4, &size_bytes);
    assert_int_equal(ss_bits_load(bytes + 40, 4), SEENSET_COUNTING);
    assert_int_equal(ss_bits_load(bytes + 52, 4), 8);
    uint64_t counters = ss_bits_load(bytes + 128, 8);
    assert_int_equal(ss_bits_load(bytes + 176, 8), (counters + 63) / 64 * 64);
    free(bytes);
}

static void header_refuses_each_flipped_bit(void **state)
{
    (void)state;
    for (size_t golden = 0; golden < TEST_GOLDEN_COUNT; golden++) {
        size_t size_bytes;
        uint8_t *bytes = golden_bytes(golden, &size_bytes);
        size_t header_bytes = test_header_bytes(bytes);
        for (unsigned bit = 0; bit < 8 * header_bytes; bit++) {
            ss_header header;
            seenset_report report;
            bytes[bit / 8] ^= (uint8_t)(1u << (bit % 8));
            int error = ss_header_decode(&header, bytes, size_bytes, size_bytes,
                                         &report);
            assert_true(error < 0);
            assert_true(strlen(report.reason) > 0);
            assert_true(report.offset < header_bytes);
            bytes[bit / 8] ^= (uint8_t)(1u << (bit % 8));
        }
        free(bytes);
    }
}

/* ---- extremes, with a right checksum ---- */

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
        assert_int_equal(seenset_get_stats(set, &stats), SEENSET_OK);
        for (uint64_t i = 0; i < 1000; i++)
            (void)seenset_add_hash(set, test_mix(i));
    }
    seenset_free(set);
    assert_int_equal(memory.live_blocks, 0);
    seenset_report report;
    int verified = seenset_verify(path, &report);
    /* whoever verifies needs no secret */
    assert_int_equal(verified, error == SEENSET_ESECRET ? SEENSET_OK : error);
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
        uint8_t *bytes = golden_bytes(golden, &size_bytes);
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
        uint8_t *bytes = golden_bytes(0, &size_bytes);
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

static int decode_rate(double fp_rate)
{
    size_t size_bytes;
    uint8_t *bytes = golden_bytes(0, &size_bytes);
    uint64_t bits;
    ss_header header;
    seenset_report report;
    memcpy(&bits, &fp_rate, 8);
    ss_bits_store(bytes + 152, 8, bits);
    test_repair_header(bytes, SS_HEADER_BYTES);
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

/* A layout that came after version 1 is not in a file of version 1. */
static void header_knows_the_layouts_of_each_version(void **state)
{
    static const uint32_t later[] = {SEENSET_COUNTING, SEENSET_SEALED};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(later); i++) {
        size_t size_bytes;
        uint8_t *bytes = golden_bytes(0, &size_bytes);
        test_field fields[TEST_FIELDS_MOST];
        size_t at = 0, count = test_list_fields(bytes, fields);
        ss_header header;
        seenset_report report;
        assert_true(test_is_version_1(bytes));
        while (at < count && strcmp(fields[at].name, "layout") != 0)
            at++;
        assert_true(at < count);
        ss_bits_store(bytes + fields[at].at, fields[at].size_bytes, later[i]);
        test_repair_header(bytes, SS_HEADER_BYTES);
        assert_int_equal(
            ss_header_decode(&header, bytes, size_bytes, size_bytes, &report),
            SEENSET_EVERSION);
        free(bytes);
    }
}

/* ---- of the right kind ---- */

/* A header fits the options that made its set, and no others. */
static void header_fits_what_made_it(void **state)
{
    static const uint8_t secret[SEENSET_SECRET_BYTES] = "a secret";
    static const seenset_options kinds[] = {
        {0},
        {.capacity_items = 500},
        {.fp_rate = 1e-4},
        {.layout = SEENSET_BLOOM},
        {.layout = SEENSET_COUNTING},
        {.layout = SEENSET_COUNTING, .counter_bits = 16},
        {.on_full = SEENSET_DEGRADE},
        {.on_full = SEENSET_REFUSE},
        {.on_full = SEENSET_ROTATE},
        {.on_full = SEENSET_ROTATE, .window_generations = 3},
        {.on_full = SEENSET_ROTATE, .window_seconds = 60},
        {.layout = SEENSET_BLOOM, .size_bits = 5000, .hash_count = 7},
        {.layout = SEENSET_BLOOM, .size_bits = 5000, .hash_count = 6},
        {.layout = SEENSET_BLOOM, .size_bits = 5064, .hash_count = 7},
        {.layout = SEENSET_BLOOM,
         .on_full = SEENSET_DEGRADE,
         .scheme = SEENSET_SCHEME_MD5_DIVMOD},
        {.secret = secret}};
    static const seenset_options impossible = {.fp_rate = 2};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(kinds); i++) {
        ss_header header;
        seenset *set = test_make(kinds[i]);
        ss_header_describe(&header, set);
        for (size_t j = 0; j < TEST_COUNT(kinds); j++)
            assert_int_equal(ss_header_fits(&header, &kinds[j]), i == j);
        assert_false(ss_header_fits(&header, &impossible));
        header.hash_check ^= 1; /* of a hash that is none of ours */
        assert_false(ss_header_fits(&header, &kinds[i]));
        seenset_free(set);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(header_fits_what_made_it),
        cmocka_unit_test(header_round_trips),
        cmocka_unit_test(header_bytes_are_where_the_format_says),
        cmocka_unit_test(header_bytes_of_version_2_too),
        cmocka_unit_test(header_refuses_each_flipped_bit),
        cmocka_unit_test(header_refuses_extremes_before_allocating),
        cmocka_unit_test(header_extremes_oracle_sees_a_large_block),
        cmocka_unit_test(header_refuses_sizes_the_file_has_not),
        cmocka_unit_test(header_refuses_rates_that_are_none),
        cmocka_unit_test(header_knows_the_layouts_of_each_version),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
