/*
 * golden_sets.c - the sets behind the files of tests/golden/, in one place for
 * the program that writes them and the tests that read them.
 *
 * Golden files are written once for each format version and then kept: a
 * reader must open them for ever, and a writer of that version must give the
 * same bytes again.
 */
#include <stdio.h>
#include <string.h>

#include "bits.h"
#include "header.h"
#include "support.h"

const test_golden test_goldens[TEST_GOLDEN_COUNT] = {
    {"v1-bloom.seenset",
     {.layout = SEENSET_BLOOM,
      .on_full = SEENSET_DEGRADE,
      .capacity_items = 100,
      .fp_rate = 0.01}},
    {"v1-blocked.seenset",
     {.layout = SEENSET_BLOCKED,
      .on_full = SEENSET_DEGRADE,
      .capacity_items = 100,
      .fp_rate = 0.01}},
    {"v1-blocked-3-lines-refuse.seenset",
     {.layout = SEENSET_BLOCKED,
      .on_full = SEENSET_REFUSE,
      .capacity_items = 100,
      .fp_rate = 1e-6,
      .hash_count = 24}},
    {"v2-bloom-grown.seenset",
     {.layout = SEENSET_BLOOM,
      .on_full = SEENSET_GROW,
      .capacity_items = 20,
      .fp_rate = 0.01}},
    {"v2-counting.seenset",
     {.layout = SEENSET_COUNTING,
      .on_full = SEENSET_REFUSE,
      .capacity_items = 100,
      .fp_rate = 0.01,
      .counter_bits = 8}},
    {"v2-blocked-window.seenset",
     {.layout = SEENSET_BLOCKED,
      .on_full = SEENSET_ROTATE,
      .capacity_items = 100,
      .fp_rate = 0.01,
      .window_generations = 4}},
};

seenset *test_golden_make(const test_golden *golden)
{
    seenset *set = NULL;
    assert_int_equal(seenset_new(&set, &golden->options), SEENSET_OK);
    for (int i = 0; i < TEST_GOLDEN_KEYS; i++) {
        char key[16];
        int length = snprintf(key, sizeof key, "key %d", i);
        assert_true(seenset_add(set, key, (size_t)length) >= 0);
    }
    return set;
}

const test_bad test_bads[TEST_BAD_COUNT] = {
    {"empty.seenset", SEENSET_ETRUNCATED},
    {"other-magic.seenset", SEENSET_EFORMAT},
    {"cut-in-header.seenset", SEENSET_ETRUNCATED},
    {"cut-in-payload.seenset", SEENSET_ETRUNCATED},
    {"a-byte-more.seenset", SEENSET_ECORRUPT},
    {"version-2.seenset", SEENSET_ECORRUPT}, /* it is not as long as one */
    {"header-bit.seenset", SEENSET_ECORRUPT},
    {"payload-bit.seenset", SEENSET_ECORRUPT},
    {"other-hash.seenset", SEENSET_EHASH},
    {"other-hash-check.seenset", SEENSET_EHASH},
    {"unknown-layout.seenset", SEENSET_EVERSION},
    {"claims-a-pebibyte.seenset", SEENSET_ETRUNCATED},
    {"bit-past-the-end.seenset", SEENSET_ECORRUPT},
    {"reserved-in-use.seenset", SEENSET_EVERSION},
    {"version-3.seenset", SEENSET_EVERSION},
    {"v2-a-table-too-many.seenset", SEENSET_ECORRUPT},
    {"v2-window-of-one.seenset", SEENSET_ECORRUPT},
};

size_t test_bad_origin(size_t i)
{
    return i == 15 ? 3 : i == 16 ? 5 : 0;
}

/* Sizes that agree with each other, and with no file. */
static void claim_pebibyte(uint8_t *bytes)
{
    ss_bits_store(bytes + 128, 8, SEENSET_MAX_SIZE_BITS);
    ss_bits_store(bytes + 176, 8, SEENSET_MAX_SIZE_BITS / 8);
    ss_bits_store(bytes + 16, 8, SS_HEADER_BYTES + SEENSET_MAX_SIZE_BITS / 8);
}

void test_bad_make(size_t i, uint8_t *bytes, size_t *size_bytes)
{
    /* the byte to change and how, for those that change only one */
    static const struct {
        size_t at;
        uint8_t flip;
        bool is_repaired;
    } changes[TEST_BAD_COUNT] = {
        [1] = {1, 0x20, false},   [5] = {8, 3, true},   [6] = {144, 1, false},
        [7] = {200, 0x10, false}, [8] = {24, 3, true},  [9] = {39, 0x80, true},
        [10] = {40, 8, true},     [13] = {60, 1, true}, [14] = {8, 2, true},
        [15] = {44, 2, true},     [16] = {56, 5, true},
    };
    size_t header_bytes = test_header_bytes(bytes);
    bytes[changes[i].at] ^= changes[i].flip;
    switch (i) {
    case 0:
        *size_bytes = 0;
        break;
    case 2:
        *size_bytes = 100;
        break;
    case 3:
        --*size_bytes;
        break;
    case 4:
        bytes[(*size_bytes)++] = 0;
        break;
    case 11:
        claim_pebibyte(bytes);
        test_repair_header(bytes, header_bytes);
        break;
    case 12:
        bytes[*size_bytes - 1] ^= 0x80;
        test_repair_payload(bytes, *size_bytes);
        break;
    default:
        if (changes[i].is_repaired)
            test_repair_header(bytes, header_bytes);
    }
}
