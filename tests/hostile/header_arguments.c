/*
 * header_arguments.c - the arguments of a scheme in a file: each field that is
 * wrong is refused by name, and no older version of the format holds them.
 */
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "file/header/header.h"
#include "support.h"

/* Golden sets. The first three have one table. */
enum {
    MD5_3 = 13,
    BLOOM = 17,
    TOKENBF = 18,
    POLYNOMIAL = 19,
    SEEDED = 20
};

/* Where the arguments of a set of one table are; IN: of its table. */
#define OF(at) (256 + (at))
#define IN(at) (128 + (at))

typedef struct refusal {
    int set;
    unsigned at, size_bytes;
    uint64_t value;
    int error;
    unsigned offset;
    const char *reason;
} refusal;

static const char bad_hash[] = "the hash, the index scheme or its arguments "
                               "are unknown",
                  bad_old[] = "the hash or the index scheme is unknown",
                  bad_check[] = "the writer's hash gave other values",
                  bad_length[] = "the header's length does not fit it",
                  bad_seeds[] = "the seeds do not fit the header",
                  bad_reserved[] = "reserved bytes are in use",
                  bad_shape[] = "the index scheme has no tables of this size";

static const refusal refusals[] = {
    /* other hashes and schemes than take such arguments */
    {TOKENBF, 24, 4, 1, SEENSET_EHASH, 24, bad_hash},
    {TOKENBF, 24, 4, 2, SEENSET_EHASH, 24, bad_hash},
    {TOKENBF, 24, 4, 3, SEENSET_EHASH, 24, bad_hash},
    {SEEDED, 24, 4, 0, SEENSET_EHASH, 24, bad_hash},
    {SEEDED, 24, 4, 1, SEENSET_EHASH, 24, bad_hash},
    {SEEDED, 24, 4, 2, SEENSET_EHASH, 24, bad_hash},
    {SEEDED, 24, 4, 4, SEENSET_EHASH, 24, bad_hash},
    {TOKENBF, 28, 4, 0, SEENSET_EHASH, 24, bad_hash},
    {TOKENBF, 28, 4, 1, SEENSET_EHASH, 24, bad_hash},
    {TOKENBF, 28, 4, 3, SEENSET_EHASH, 32, bad_check},
    {TOKENBF, 28, 4, 4, SEENSET_EHASH, 24, bad_hash},
    {TOKENBF, 28, 4, 5, SEENSET_EHASH, 24, bad_hash},
    {TOKENBF, 28, 4, 7, SEENSET_EHASH, 24, bad_hash},
    {TOKENBF, 28, 4, 8, SEENSET_EHASH, 24, bad_hash},
    {TOKENBF, 28, 4, 10, SEENSET_EHASH, 32, bad_check},
    {TOKENBF, 28, 4, 11, SEENSET_EHASH, 24, bad_hash},
    {SEEDED, 28, 4, 0, SEENSET_EHASH, 24, bad_hash},
    {SEEDED, 28, 4, 6, SEENSET_EHASH, 24, bad_hash},
    {BLOOM, 28, 4, 9, SEENSET_EHASH, 32, bad_check},
    {BLOOM, 28, 4, 2, SEENSET_EHASH, 24, bad_hash}, /* version 3 holds it */
    {POLYNOMIAL, 28, 4, 8, SEENSET_EHASH, 24, bad_hash},
    /* a version that came before them */
    {TOKENBF, 8, 4, 3, SEENSET_ECORRUPT, 12, bad_length},
    {MD5_3, 28, 4, 8, SEENSET_EHASH, 24, bad_old},
    {MD5_3, 28, 4, 9, SEENSET_EHASH, 24, bad_old},
    {MD5_3, 24, 4, 3, SEENSET_EHASH, 24, bad_old},
    {MD5_3, 8, 4, 4, SEENSET_ECORRUPT, 12, bad_length},
    /* their length */
    {BLOOM, 12, 4, OF(0), SEENSET_ECORRUPT, 12, bad_length},
    {BLOOM, 12, 4, OF(32), SEENSET_ECORRUPT, 12, bad_length},
    {BLOOM, 12, 4, OF(65), SEENSET_ECORRUPT, 12, bad_length},
    {BLOOM, 12, 4, OF(1088 + 64), SEENSET_ECORRUPT, 12, bad_length},
    {BLOOM, 12, 4, UINT32_MAX, SEENSET_ECORRUPT, 12, bad_length},
    /* the arguments */
    {TOKENBF, OF(0), 8, 0, SEENSET_EHASH, 32, bad_check},
    {TOKENBF, OF(0), 8, UINT64_MAX, SEENSET_EHASH, 32, bad_check},
    {BLOOM, OF(0), 8, 1, SEENSET_EHASH, 24, bad_hash},
    {BLOOM, OF(8), 4, 16, SEENSET_EHASH, 24, bad_hash},
    {POLYNOMIAL, OF(0), 8, 1, SEENSET_EHASH, 24, bad_hash},
    {POLYNOMIAL, OF(8), 4, 8, SEENSET_EHASH, 24, bad_hash},
    {POLYNOMIAL, OF(8), 4, 17, SEENSET_EHASH, 24, bad_hash},
    {POLYNOMIAL, OF(8), 4, 0, SEENSET_OK, 0, ""}, /* its seeds over bytes */
    {POLYNOMIAL, OF(12), 4, 0, SEENSET_EVERSION, OF(16), bad_reserved},
    {POLYNOMIAL, OF(12), 4, 2, SEENSET_EVERSION, OF(16), bad_reserved},
    {POLYNOMIAL, OF(12), 4, 4, SEENSET_OK, 0, ""}, /* the fourth is 0 */
    {POLYNOMIAL, OF(12), 4, 12, SEENSET_OK, 0, ""},
    {POLYNOMIAL, OF(12), 4, 13, SEENSET_ECORRUPT, OF(12), bad_seeds},
    {POLYNOMIAL, OF(12), 4, 255, SEENSET_ECORRUPT, OF(12), bad_seeds},
    {POLYNOMIAL, OF(12), 4, 256, SEENSET_ECORRUPT, OF(12), bad_seeds},
    {POLYNOMIAL, OF(12), 4, UINT32_MAX, SEENSET_ECORRUPT, OF(12), bad_seeds},
    {TOKENBF, OF(12), 4, 1, SEENSET_EHASH, 24, bad_hash},
    {POLYNOMIAL, OF(16), 4, 5, SEENSET_EHASH, 32, bad_check},
    {POLYNOMIAL, OF(20), 4, 5, SEENSET_EHASH, 32, bad_check},
    {POLYNOMIAL, OF(24), 4, 5, SEENSET_OK, 0, ""}, /* not in the check value */
    {POLYNOMIAL, OF(28), 1, 1, SEENSET_EVERSION, OF(16), bad_reserved},
    {POLYNOMIAL, OF(63), 1, 1, SEENSET_EVERSION, OF(16), bad_reserved},
    {TOKENBF, OF(16), 1, 1, SEENSET_EVERSION, OF(16), bad_reserved},
    /* tables that the scheme does not have */
    {POLYNOMIAL, IN(8), 4, 4, SEENSET_ECORRUPT, IN(0), bad_shape},
    {POLYNOMIAL, IN(0), 8, 1023, SEENSET_ECORRUPT, IN(0), bad_shape},
    {BLOOM, IN(8), 4, 16, SEENSET_ECORRUPT, IN(0), bad_shape},
    {BLOOM, IN(0), 8, 1001, SEENSET_ECORRUPT, IN(0), bad_shape},
    {TOKENBF, IN(0), 8, 1023, SEENSET_ECORRUPT, IN(0), bad_shape},
    {TOKENBF, 44, 4, SEENSET_ON_FULL_GROW, SEENSET_ECORRUPT, 28,
     "no such set can have an index scheme"},
};

static void each_argument_that_is_wrong_is_named(void **state)
{
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(refusals); i++) {
        const refusal *row = &refusals[i];
        size_t size_bytes;
        seenset_file_report report;
        ss_header header;
        uint8_t *bytes = test_golden_bytes((size_t)row->set, &size_bytes);
        size_t header_bytes = test_header_bytes(bytes);
        assert_int_equal(
            ss_header_decode(&header, bytes, size_bytes, size_bytes, &report),
            0);
        assert_true(ss_bits_load(bytes + row->at, row->size_bytes) !=
                    row->value);
        ss_bits_store(bytes + row->at, row->size_bytes, row->value);
        test_repair_header(bytes, header_bytes);
        int error =
            ss_header_decode(&header, bytes, size_bytes, size_bytes, &report);
        if (error != row->error || report.offset != row->offset ||
            strcmp(report.reason, row->reason) != 0)
            fail_msg("row %zu: error %d at %llu, %s", i, error,
                     (unsigned long long)report.offset, report.reason);
        free(bytes);
    }
}

/* What decoding says to the header of a set with other arguments, in
 * version 4. */
static int decode_as(seenset_options options,
                     const ss_scheme_arguments *arguments)
{
    seenset *set = test_make(options);
    ss_header header, decoded;
    uint8_t bytes[SS_HEADER_MAX_BYTES];
    seenset_file_report report;
    ss_header_describe(&header, set);
    header.version = 4;
    header.kind.identity.arguments = *arguments;
    ss_header_place(&header);
    ss_header_encode(&header, bytes);
    seenset_free(set);
    return ss_header_decode(&decoded, bytes, ss_header_bytes(&header),
                            ss_header_file_bytes(&header), &report);
}

/* Sets that version 3 can hold have one spelling, which is version 3. */
static void version_4_is_for_sets_that_need_it(void **state)
{
    static const uint32_t own[] = {5, 7, 11, 13, 31, 37, 61};
    static const ss_scheme_arguments none = {0},
                                     as_own = {.seeds = own, .seed_count = 7};
    seenset_options plain = {.capacity_items = 100},
                    polynomial = {.capacity_items = 100,
                                  .scheme = SEENSET_SCHEME_POLYNOMIAL},
                    clickhouse = {.capacity_items = 100,
                                  .scheme = SEENSET_SCHEME_CLICKHOUSE_BLOOM};
    (void)state;
    assert_int_equal(decode_as(plain, &none), SEENSET_EHASH);
    assert_int_equal(decode_as(polynomial, &none), SEENSET_EHASH);
    assert_int_equal(decode_as(polynomial, &as_own), SEENSET_EHASH);
    assert_int_equal(decode_as(clickhouse, &none), SEENSET_OK);
}

/* As many seeds as there can be hashes: the longest header of one table. */
static void version_4_holds_255_seeds(void **state)
{
    uint32_t seeds[SEENSET_MAX_HASH_COUNT];
    size_t size_bytes;
    seenset *opened = NULL;
    (void)state;
    for (uint32_t i = 0; i < SEENSET_MAX_HASH_COUNT; i++)
        seeds[i] = UINT32_MAX - 7 * i;
    seenset_scheme_arguments arguments = {
        .seeds = seeds, .seed_count = SEENSET_MAX_HASH_COUNT, .unit_bits = 16};
    seenset *set =
        test_make((seenset_options){.size_bits = 65536,
                                    .hash_count = SEENSET_MAX_HASH_COUNT,
                                    .scheme = SEENSET_SCHEME_POLYNOMIAL,
                                    .scheme_arguments = &arguments});
    assert_int_equal(seenset_add(set, "key", 3), 1);
    uint8_t *bytes = test_bytes_of(set, &size_bytes);
    assert_int_equal(test_header_bytes(bytes),
                     OF(SS_HEADER_ARGUMENTS_MAX_BYTES));
    assert_int_equal(seenset_open_bytes(&opened, bytes, size_bytes, NULL), 0);
    assert_int_equal(seenset_has(opened, "key", 3), 1);
    assert_int_equal(test_is_superset(opened, set), 1);
    seenset_info info;
    assert_int_equal(seenset_get_info(opened, &info, sizeof info), 0);
    assert_int_equal(info.seed_count, SEENSET_MAX_HASH_COUNT);
    assert_memory_equal(info.seeds, seeds, sizeof seeds);
    seenset_free(opened);
    seenset_free(set);
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_argument_that_is_wrong_is_named),
        cmocka_unit_test(version_4_is_for_sets_that_need_it),
        cmocka_unit_test(version_4_holds_255_seeds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
