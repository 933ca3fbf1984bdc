/*
 * header_refusals.c - a header that is refused says which field it was.
 *
 * Each row is one field of a sound file set to something else, its checksum
 * made right again, and what decoding must answer: the error, the place and
 * the words. Every refusal of a field has a row, and those whose limit is a
 * number have one on each side of it.
 */
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "file/header.h"
#include "support.h"

/* The sets that are changed; the first are golden ones. */
enum {
    BLOOM = 0, /* version 1, one table */
    GROWN = 3, /* version 2, from here on */
    COUNTING = 4,
    WINDOW = 5,
    GROWN_3 = 9, /* version 3 */
    WINDOW_3 = 11,
    SEALED_3 = 12,
    SEALED = TEST_GOLDEN_COUNT,
    SCHEME
};

/* Of a record, in a file of either version. */
#define IN_FIRST(at) (128 + (at))
#define IN_SECOND(at) (256 + (at))

#define ONE UINT64_C(0x3FF0000000000000) /* 1.0 */
#define MOST (UINT64_C(1) << 53)         /* of items, and of bits */

typedef struct refusal {
    int set;
    unsigned at, size_bytes;
    uint64_t value;
    int error;
    unsigned offset;
    const char *reason;
} refusal;

static const char bad_count[] = "the number of generations is out of range",
                  bad_hash[] = "the hash or the index scheme is unknown",
                  bad_version[] = "the format version is not 1, 2 or 3",
                  bad_layout[] = "the layout is unknown to this version",
                  bad_policy[] = "the policy is unknown to this version",
                  bad_places[] = "no table has places of this width",
                  bad_window[] = "the window does not fit the set",
                  bad_many[] = "more tables than the policy makes",
                  bad_flag[] = "a flag is unknown to this version",
                  bad_blocks[] = "the blocks are not of 4096 bytes",
                  bad_sums[] = "the sums are not where the tables end",
                  bad_promise[] = "the whole set's promise is out of range",
                  bad_reserved[] = "reserved bytes are in use",
                  bad_shape[] = "no table has this size and hash count",
                  bad_capacity[] = "the capacity is outside its range",
                  bad_rate[] = "the false-positive rate is outside (0, 1]",
                  bad_added[] = "more keys than a table can hold",
                  bad_payload[] = "the payload is not where its size puts it",
                  bad_length[] = "the file size does not fit the table's";

static const refusal refusals[] = {
    {BLOOM, 0, 1, 'x', SEENSET_EFORMAT, 0,
     "the first 8 bytes are not seenset's"},
    {BLOOM, 7, 1, 'x', SEENSET_EFORMAT, 0,
     "the first 8 bytes are not seenset's"},
    {BLOOM, 8, 4, 0, SEENSET_EVERSION, 8, bad_version},
    {BLOOM, 8, 4, 4, SEENSET_EVERSION, 8, bad_version},
    {BLOOM, 12, 4, 191, SEENSET_ECORRUPT, 12,
     "the header's length does not fit it"},
    {BLOOM, 48, 4, 0, SEENSET_ECORRUPT, 48, bad_count},
    {BLOOM, 48, 4, 2, SEENSET_ECORRUPT, 48, bad_count},
    {GROWN, 48, 4, 0, SEENSET_ECORRUPT, 48, bad_count},
    {GROWN, 48, 4, SS_MAX_GENERATIONS + 1, SEENSET_ECORRUPT, 48, bad_count},
    {BLOOM, 24, 4, 0, SEENSET_EHASH, 24, bad_hash},
    {BLOOM, 24, 4, 2, SEENSET_EHASH, 24, bad_hash},
    {BLOOM, 28, 4, 2, SEENSET_EHASH, 24, bad_hash},
    {GROWN, 28, 4, 2, SEENSET_EHASH, 24, bad_hash},
    {SCHEME, 28, 4, 1, SEENSET_EHASH, 24, bad_hash},
    {SCHEME, 28, 4, 77, SEENSET_EHASH, 24, bad_hash},
    {BLOOM, 32, 1, 0, SEENSET_EHASH, 32, "the writer's hash gave other values"},
    {SCHEME, 32, 1, 0, SEENSET_EHASH, 32,
     "the writer's hash gave other values"},
    {BLOOM, 40, 4, 0, SEENSET_EVERSION, 40, bad_layout},
    {BLOOM, 40, 4, SEENSET_LAYOUT_COUNTING, SEENSET_EVERSION, 40, bad_layout},
    {GROWN, 40, 4, 0, SEENSET_EVERSION, 40, bad_layout},
    {GROWN, 40, 4, 5, SEENSET_EVERSION, 40, bad_layout},
    {BLOOM, 44, 4, 0, SEENSET_EVERSION, 44, bad_policy},
    {BLOOM, 44, 4, SEENSET_ON_FULL_GROW, SEENSET_EVERSION, 44, bad_policy},
    {GROWN, 44, 4, 0, SEENSET_EVERSION, 44, bad_policy},
    {GROWN, 44, 4, SEENSET_ON_FULL_ROTATE + 1, SEENSET_EVERSION, 44,
     bad_policy},
    {GROWN, 44, 4, SEENSET_ON_FULL_REFUSE, SEENSET_ECORRUPT, 48,
     "more tables than the policy makes"},
    {SCHEME, 40, 4, SEENSET_LAYOUT_BLOCKED, SEENSET_ECORRUPT, 28,
     "no such set can have an index scheme"},
    {SCHEME, 44, 4, SEENSET_ON_FULL_REFUSE, SEENSET_ECORRUPT, 28,
     "no such set can have an index scheme"},
    {COUNTING, 44, 4, SEENSET_ON_FULL_GROW, SEENSET_ECORRUPT, 44,
     "this layout cannot do that when full"},
    {SEALED, 44, 4, SEENSET_ON_FULL_ROTATE, SEENSET_ECORRUPT, 44,
     "this layout cannot do that when full"},
    {BLOOM, 52, 1, 1, SEENSET_EVERSION, 88, bad_reserved},
    {BLOOM, 119, 1, 1, SEENSET_EVERSION, 88, bad_reserved},
    {COUNTING, 52, 4, 1, SEENSET_ECORRUPT, 52, bad_places},
    {COUNTING, 52, 4, 7, SEENSET_ECORRUPT, 52, bad_places},
    {GROWN, 52, 4, 0, SEENSET_ECORRUPT, 52, bad_places},
    {GROWN, 52, 4, 4, SEENSET_ECORRUPT, 52, bad_places},
    {GROWN, 56, 4, 2, SEENSET_ECORRUPT, 56, bad_window},
    {GROWN, 64, 8, 1, SEENSET_ECORRUPT, 56, bad_window},
    {WINDOW, 56, 4, 1, SEENSET_ECORRUPT, 56, bad_window},
    {WINDOW, 56, 4, 2, SEENSET_ECORRUPT, 48, bad_many}, /* of 3 tables */
    {WINDOW_3, 56, 4, 2, SEENSET_ECORRUPT, 48, bad_many},
    {GROWN_3, 48, 4, SS_MAX_TABLES + 1, SEENSET_ECORRUPT, 48, bad_count},
    {GROWN_3, 60, 4, 1, SEENSET_ECORRUPT, 56, bad_window},
    {WINDOW_3, 60, 4, 1, SEENSET_OK, 0, ""}, /* it slides */
    {WINDOW_3, 60, 4, 2, SEENSET_EVERSION, 60, bad_flag},
    {WINDOW_3, 63, 1, 1, SEENSET_EVERSION, 60, bad_flag},
    {GROWN_3, 88, 8, 8192, SEENSET_EVERSION, 88, bad_blocks},
    {GROWN_3, 96, 8, 0, SEENSET_ECORRUPT, 96, bad_sums},
    {GROWN_3, 104, 8, 0, SEENSET_ECORRUPT, 96, bad_sums},
    {GROWN_3, IN_SECOND(104), 8, 7, SEENSET_OK, 0, ""}, /* noticed */
    {GROWN_3, IN_SECOND(112), 1, 1, SEENSET_EVERSION, IN_SECOND(12),
     bad_reserved},
    {SEALED_3, IN_FIRST(112), 1, 1, SEENSET_EVERSION, IN_FIRST(12),
     bad_reserved},
    {WINDOW, 56, 4, 3, SEENSET_OK, 0, ""},
    {WINDOW, 56, 4, SS_MAX_GENERATIONS, SEENSET_OK, 0, ""},
    {WINDOW, 56, 4, SS_MAX_GENERATIONS + 1, SEENSET_ECORRUPT, 56, bad_window},
    {WINDOW, 64, 8, UINT64_MAX, SEENSET_OK, 0, ""},
    {GROWN, 72, 8, 0, SEENSET_ECORRUPT, 72, bad_promise},
    {GROWN, 72, 8, 1, SEENSET_OK, 0, ""},
    {GROWN, 72, 8, MOST, SEENSET_OK, 0, ""},
    {GROWN, 72, 8, MOST + 1, SEENSET_ECORRUPT, 72, bad_promise},
    {GROWN, 80, 8, 0, SEENSET_ECORRUPT, 72, bad_promise},
    {GROWN, 80, 8, 1, SEENSET_OK, 0, ""},
    {GROWN, 80, 8, ONE, SEENSET_OK, 0, ""},
    {GROWN, 80, 8, ONE + 1, SEENSET_ECORRUPT, 72, bad_promise},
    {GROWN, 60, 1, 1, SEENSET_EVERSION, 88, bad_reserved},
    {GROWN, 63, 1, 1, SEENSET_EVERSION, 88, bad_reserved},
    {GROWN, 88, 1, 1, SEENSET_EVERSION, 88, bad_reserved},
    {GROWN, 119, 1, 1, SEENSET_EVERSION, 88, bad_reserved},
    {BLOOM, IN_FIRST(0), 8, 0, SEENSET_ECORRUPT, IN_FIRST(0), bad_shape},
    {BLOOM, IN_FIRST(8), 4, 0, SEENSET_ECORRUPT, IN_FIRST(0), bad_shape},
    {BLOOM, IN_FIRST(8), 4, 255, SEENSET_OK, 0, ""},
    {BLOOM, IN_FIRST(8), 4, 256, SEENSET_ECORRUPT, IN_FIRST(0), bad_shape},
    {GROWN, IN_SECOND(8), 4, 256, SEENSET_ECORRUPT, IN_SECOND(0), bad_shape},
    {SEALED, IN_FIRST(8), 4, 2, SEENSET_ECORRUPT, IN_FIRST(0), bad_shape},
    {SEALED, IN_FIRST(72), 4, 9, SEENSET_ECORRUPT, IN_FIRST(0), bad_shape},
    {SEALED, IN_FIRST(80), 8, 3, SEENSET_ECORRUPT, IN_FIRST(0), bad_shape},
    {SEALED, IN_FIRST(88), 8, UINT64_MAX, SEENSET_ECORRUPT, IN_FIRST(0),
     bad_shape},
    {BLOOM, IN_FIRST(16), 8, 0, SEENSET_ECORRUPT, IN_FIRST(16), bad_capacity},
    {BLOOM, IN_FIRST(16), 8, 1, SEENSET_OK, 0, ""},
    {BLOOM, IN_FIRST(16), 8, MOST, SEENSET_OK, 0, ""},
    {BLOOM, IN_FIRST(16), 8, MOST + 1, SEENSET_ECORRUPT, IN_FIRST(16),
     bad_capacity},
    {GROWN, IN_SECOND(16), 8, 0, SEENSET_ECORRUPT, IN_SECOND(16), bad_capacity},
    {BLOOM, IN_FIRST(24), 8, 0, SEENSET_ECORRUPT, IN_FIRST(24), bad_rate},
    {BLOOM, IN_FIRST(24), 8, ONE, SEENSET_OK, 0, ""},
    {BLOOM, IN_FIRST(24), 8, ONE + 1, SEENSET_ECORRUPT, IN_FIRST(24), bad_rate},
    {GROWN, IN_SECOND(24), 8, 0, SEENSET_ECORRUPT, IN_SECOND(24), bad_rate},
    {BLOOM, IN_FIRST(32), 8, MOST, SEENSET_OK, 0, ""},
    {BLOOM, IN_FIRST(32), 8, MOST + 1, SEENSET_ECORRUPT, IN_FIRST(32),
     bad_added},
    {GROWN, IN_SECOND(32), 8, MOST + 1, SEENSET_ECORRUPT, IN_SECOND(32),
     bad_added},
    {BLOOM, IN_FIRST(12), 1, 1, SEENSET_EVERSION, IN_FIRST(12), bad_reserved},
    {BLOOM, IN_FIRST(15), 1, 1, SEENSET_EVERSION, IN_FIRST(12), bad_reserved},
    {GROWN, IN_SECOND(12), 1, 1, SEENSET_EVERSION, IN_SECOND(12), bad_reserved},
    {GROWN, IN_SECOND(72), 1, 1, SEENSET_EVERSION, IN_SECOND(12), bad_reserved},
    {GROWN, IN_SECOND(127), 1, 1, SEENSET_EVERSION, IN_SECOND(12),
     bad_reserved},
    {SEALED, IN_FIRST(76), 1, 1, SEENSET_EVERSION, IN_FIRST(12), bad_reserved},
    {SEALED, IN_FIRST(104), 1, 1, SEENSET_EVERSION, IN_FIRST(12), bad_reserved},
    {GROWN, IN_FIRST(64), 8, UINT64_MAX, SEENSET_OK, 0, ""}, /* started */
    {BLOOM, IN_FIRST(40), 8, 191, SEENSET_ECORRUPT, IN_FIRST(40), bad_payload},
    {BLOOM, IN_FIRST(48), 8, 1, SEENSET_ECORRUPT, IN_FIRST(40), bad_payload},
    {GROWN, IN_SECOND(40), 8, 1, SEENSET_ECORRUPT, IN_SECOND(40), bad_payload},
    {GROWN, IN_SECOND(48), 8, 1, SEENSET_ECORRUPT, IN_SECOND(40), bad_payload},
    {BLOOM, 16, 8, 1, SEENSET_ECORRUPT, 16, bad_length},
    {GROWN, 16, 8, 1, SEENSET_ECORRUPT, 16, bad_length},
};

static seenset *make(int number)
{
    static const seenset_key keys[] = {{"a", 1}, {"b", 1}, {"c", 1}};
    seenset *set = NULL;
    if (number == SCHEME)
        return test_make(
            (seenset_options){.layout = SEENSET_LAYOUT_BLOOM,
                              .on_full = SEENSET_ON_FULL_DEGRADE,
                              .scheme = SEENSET_SCHEME_MD5_DIVMOD});
    assert_int_equal(
        seenset_build_sealed(&set, NULL, keys, TEST_COUNT(keys), NULL),
        SEENSET_OK);
    return set;
}

static uint8_t *bytes_of(int number, size_t *size_bytes)
{
    if (number < TEST_GOLDEN_COUNT)
        return test_golden_bytes((size_t)number, size_bytes);
    seenset *set = make(number);
    uint8_t *bytes = test_bytes_of(set, size_bytes);
    seenset_free(set);
    test_to_version(2, bytes, size_bytes);
    return bytes;
}

static int decode(const uint8_t *bytes, size_t size_bytes, uint64_t file_bytes,
                  seenset_file_report *report)
{
    ss_header header;
    return ss_header_decode(&header, bytes, size_bytes, file_bytes, report);
}

static void each_field_that_is_wrong_is_named(void **state)
{
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(refusals); i++) {
        const refusal *row = &refusals[i];
        size_t size_bytes;
        seenset_file_report report;
        uint8_t *bytes = bytes_of(row->set, &size_bytes);
        size_t header_bytes = test_header_bytes(bytes);
        assert_int_equal(decode(bytes, size_bytes, size_bytes, &report), 0);
        assert_true(ss_bits_load(bytes + row->at, row->size_bytes) !=
                    row->value);
        ss_bits_store(bytes + row->at, row->size_bytes, row->value);
        test_repair_header(bytes, header_bytes);
        int error = decode(bytes, size_bytes, size_bytes, &report);
        if (error != row->error || report.offset != row->offset ||
            strcmp(report.reason, row->reason) != 0)
            fail_msg("row %zu: error %d at %llu, %s", i, error,
                     (unsigned long long)report.offset, report.reason);
        free(bytes);
    }
}

/* Where it ends is where a file is cut, and where more begins. */
static void lengths_that_are_wrong_are_named(void **state)
{
    (void)state;
    for (int number = 0; number <= SCHEME; number++) {
        size_t size_bytes;
        seenset_file_report report;
        uint8_t *bytes = bytes_of(number, &size_bytes);
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
                            ss_bits_load(bytes + 8, 4) == 3
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

/* ---- versions, policies, windows ---- */

/* The version is known from the 12th byte on, and told before the length. */
static void versions_are_told_as_soon_as_they_are_there(void **state)
{
    seenset *set = test_make((seenset_options){.capacity_items = 10});
    seenset *opened = NULL;
    size_t size_bytes;
    uint8_t *bytes = test_bytes_of(set, &size_bytes);
    (void)state;
    ss_bits_store(bytes + 8, 4, 9);
    for (size_t length = 1; length <= 200; length++)
        assert_int_equal(seenset_open_bytes(&opened, bytes, length,
                                            &(seenset_open_options){
                                                .flags = SEENSET_OPEN_COPY}),
                         length < 12 ? SEENSET_ETRUNCATED : SEENSET_EVERSION);
    assert_null(opened);
    free(bytes);
    seenset_free(set);
}

/* Policies came with versions: each knows its own. */
static void versions_know_their_policies(void **state)
{
    enum {
        AT_POLICY = 44
    };
    seenset *opened = NULL;
    size_t size_bytes;
    uint8_t *bytes = test_golden_bytes(0, &size_bytes);
    (void)state;
    assert_int_equal(ss_bits_load(bytes + 8, 4), 1);
    for (uint64_t policy = 0; policy < 8; policy++) {
        bool is_known = policy == SEENSET_ON_FULL_DEGRADE ||
                        policy == SEENSET_ON_FULL_REFUSE;
        ss_bits_store(bytes + AT_POLICY, 4, policy);
        test_repair_header(bytes, test_header_bytes(bytes));
        int error = seenset_open_bytes(
            &opened, bytes, size_bytes,
            &(seenset_open_options){.flags = SEENSET_OPEN_COPY});
        assert_int_equal(error, is_known ? SEENSET_OK : SEENSET_EVERSION);
        if (is_known)
            seenset_free(opened);
    }
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
        ss_record *record = &header.records[i];
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
        cmocka_unit_test(lengths_that_are_wrong_are_named),
        cmocka_unit_test(versions_are_told_as_soon_as_they_are_there),
        cmocka_unit_test(versions_know_their_policies),
        cmocka_unit_test(windows_have_tables_of_one_shape),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
