/*
 * test_mutants.c - faults that `make mutants` planted and no test noticed.
 *
 * Each test here is the answer to one of them: an edge at which a comparison
 * decides, an error that has a name of its own, a check whose place in a row
 * of checks matters.
 */
#include <stdlib.h>
#include <string.h>

#include "bits.h"
#include "crc32c.h"
#include "queue_manifest.h"
#include "set.h"
#include "support.h"

/* ---- a queue's manifest ---- */

enum {
    MANIFEST_CRC_AT = 84
};

typedef struct manifest_case {
    unsigned at, size_bytes;
    uint64_t value;
    int error; /* once the checksum is right again */
} manifest_case;

static int decode(const uint8_t *bytes, size_t size_bytes)
{
    static const ss_manifest rubbish = {.log_id = 77};
    ss_manifest out = rubbish;
    int error = ss_manifest_decode(&out, bytes, size_bytes);
    if (error != SEENSET_OK)
        assert_memory_equal(&out, &rubbish, sizeof out);
    return error;
}

static void make_manifest(uint8_t bytes[SS_MANIFEST_BYTES])
{
    ss_manifest manifest;
    seenset_queue_options options = {.set = {.capacity_items = 1000}};
    assert_int_equal(ss_manifest_from_options(&manifest, &options), SEENSET_OK);
    ss_manifest_encode(&manifest, bytes);
    assert_int_equal(decode(bytes, SS_MANIFEST_BYTES), SEENSET_OK);
}

static void manifests_say_what_is_wrong(void **state)
{
    static const manifest_case cases[] = {
        {0, 1, 'x', SEENSET_EFORMAT},
        {6, 1, 'x', SEENSET_EFORMAT},
        {7, 1, 2, SEENSET_EVERSION},
        {12, 4, 2, SEENSET_EHASH},
        {16, 4, 0, SEENSET_EDAMAGED},
        {16, 4, SEENSET_NORMALISE_OFF, SEENSET_OK},
        {16, 4, SEENSET_NORMALISE_URL, SEENSET_OK},
        {16, 4, SEENSET_NORMALISE_URL + 1, SEENSET_EDAMAGED},
        {28, 1, 1, SEENSET_EVERSION},
        {31, 1, 1, SEENSET_EVERSION},
        {60, 1, 1, SEENSET_EVERSION},
        {63, 1, 1, SEENSET_EVERSION},
        {72, 1, 1, SEENSET_EVERSION},
        {79, 1, 1, SEENSET_EVERSION},
        {80, 1, 1, SEENSET_EVERSION},
        {83, 1, 1, SEENSET_EVERSION},
        {64, 8, 4095, SEENSET_EDAMAGED},
        {64, 8, 4096, SEENSET_OK},
        {64, 8, UINT64_C(1) << 40, SEENSET_OK},
        {64, 8, (UINT64_C(1) << 40) + 1, SEENSET_EDAMAGED},
    };
    uint8_t bytes[SS_MANIFEST_BYTES + 1] = {0};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(cases); i++) {
        const manifest_case *c = &cases[i];
        make_manifest(bytes);
        ss_bits_store(bytes + c->at, c->size_bytes, c->value);
        uint64_t crc = ss_crc32c(bytes, MANIFEST_CRC_AT);
        ss_bits_store(bytes + MANIFEST_CRC_AT, 4, crc);
        assert_int_equal(decode(bytes, SS_MANIFEST_BYTES), c->error);
    }
}

/* A checksum that is wrong tells of damage, but not of another version's. */
static void manifests_of_other_lengths_are_damaged(void **state)
{
    uint8_t bytes[SS_MANIFEST_BYTES + 1] = {0};
    (void)state;
    make_manifest(bytes);
    assert_int_equal(decode(bytes, 0), SEENSET_EFORMAT);
    assert_int_equal(decode(bytes, 7), SEENSET_EFORMAT);
    assert_int_equal(decode(bytes, 8), SEENSET_EDAMAGED);
    assert_int_equal(decode(bytes, SS_MANIFEST_BYTES - 1), SEENSET_EDAMAGED);
    assert_int_equal(decode(bytes, SS_MANIFEST_BYTES + 1), SEENSET_EDAMAGED);
    bytes[MANIFEST_CRC_AT] ^= 1;
    assert_int_equal(decode(bytes, SS_MANIFEST_BYTES), SEENSET_EDAMAGED);
    bytes[7]++;
    assert_int_equal(decode(bytes, SS_MANIFEST_BYTES), SEENSET_EVERSION);
    assert_int_equal(decode(bytes, 8), SEENSET_EVERSION);
}

/* ---- a set's header ---- */

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
        assert_int_equal(
            seenset_open_bytes(&opened, bytes, length, SEENSET_OPEN_COPY),
            length < 12 ? SEENSET_ETRUNCATED : SEENSET_EVERSION);
    assert_null(opened);
    free(bytes);
    seenset_free(set);
}

/* ---- sets that grow ---- */

static void add_numbers(seenset *set, uint64_t first, uint64_t end)
{
    for (uint64_t i = first; i < end; i++)
        assert_int_equal(seenset_add(set, &i, sizeof i), 1);
}

/* A table takes in another one up to its capacity, and not one key more. */
static void merges_fill_tables_to_the_last_key(void **state)
{
    (void)state;
    for (uint64_t more = 0; more < 2; more++) {
        seenset_options options = {.capacity_items = 10, .fp_rate = 1e-9};
        seenset *into = test_make(options), *from = test_make(options);
        add_numbers(into, 0, 4);
        add_numbers(from, 100, 106 + more);
        assert_int_equal(seenset_merge(into, from), SEENSET_OK);
        assert_int_equal(into->generation_count, 1 + more);
        seenset_free(into);
        seenset_free(from);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(manifests_say_what_is_wrong),
        cmocka_unit_test(manifests_of_other_lengths_are_damaged),
        cmocka_unit_test(versions_are_told_as_soon_as_they_are_there),
        cmocka_unit_test(merges_fill_tables_to_the_last_key),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
