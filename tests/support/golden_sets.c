/*
 * golden_sets.c - the sets behind the files of vectors/golden/, in one place
 * for the program that writes them and the tests that read them.
 *
 * Golden files are written once for each format version and then kept: a
 * reader must open them for ever, and a writer of that version must give the
 * same bytes again. The library writes versions 3 to 7: the bytes of older
 * ones are made from its (test_to_version).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "halving.h"
#include "support.h"

static const uint32_t some_seeds[] = {31, 131, 1313};

static const seenset_scheme_arguments a_seed = {.seed = 20261122},
                                      java_words = {.seeds = some_seeds,
                                                    .seed_count = 3,
                                                    .unit_bits = 16};

const test_golden test_goldens[TEST_GOLDEN_COUNT] = {
    {1,
     "v1-bloom.seenset",
     {.layout = SEENSET_LAYOUT_BLOOM,
      .on_full = SEENSET_ON_FULL_DEGRADE,
      .capacity_items = 100,
      .fp_rate = 0.01}},
    {1,
     "v1-blocked.seenset",
     {.layout = SEENSET_LAYOUT_BLOCKED,
      .on_full = SEENSET_ON_FULL_DEGRADE,
      .capacity_items = 100,
      .fp_rate = 0.01}},
    {1,
     "v1-blocked-3-lines-refuse.seenset",
     {.layout = SEENSET_LAYOUT_BLOCKED,
      .on_full = SEENSET_ON_FULL_REFUSE,
      .capacity_items = 100,
      .fp_rate = 1e-6,
      .hash_count = 24}},
    {2,
     "v2-bloom-grown.seenset",
     {.layout = SEENSET_LAYOUT_BLOOM,
      .on_full = SEENSET_ON_FULL_GROW,
      .capacity_items = 20,
      .fp_rate = 0.01}},
    {2,
     "v2-counting.seenset",
     {.layout = SEENSET_LAYOUT_COUNTING,
      .on_full = SEENSET_ON_FULL_REFUSE,
      .capacity_items = 100,
      .fp_rate = 0.01,
      .counter_bits = 8}},
    {2,
     "v2-blocked-window.seenset",
     {.layout = SEENSET_LAYOUT_BLOCKED,
      .on_full = SEENSET_ON_FULL_ROTATE,
      .capacity_items = 100,
      .fp_rate = 0.01,
      .window_generations = 4}},
    {3,
     "v3-bloom.seenset",
     {.layout = SEENSET_LAYOUT_BLOOM,
      .on_full = SEENSET_ON_FULL_DEGRADE,
      .capacity_items = 100,
      .fp_rate = 0.01}},
    {3,
     "v3-blocked.seenset",
     {.layout = SEENSET_LAYOUT_BLOCKED,
      .on_full = SEENSET_ON_FULL_DEGRADE,
      .capacity_items = 100,
      .fp_rate = 0.01}},
    {3,
     "v3-blocked-3-lines-refuse.seenset",
     {.layout = SEENSET_LAYOUT_BLOCKED,
      .on_full = SEENSET_ON_FULL_REFUSE,
      .capacity_items = 100,
      .fp_rate = 1e-6,
      .hash_count = 24}},
    {3,
     "v3-bloom-grown.seenset",
     {.layout = SEENSET_LAYOUT_BLOOM,
      .on_full = SEENSET_ON_FULL_GROW,
      .capacity_items = 20,
      .fp_rate = 0.01}},
    {3,
     "v3-counting.seenset",
     {.layout = SEENSET_LAYOUT_COUNTING,
      .on_full = SEENSET_ON_FULL_REFUSE,
      .capacity_items = 100,
      .fp_rate = 0.01,
      .counter_bits = 8}},
    {3,
     "v3-blocked-window.seenset",
     {.layout = SEENSET_LAYOUT_BLOCKED,
      .on_full = SEENSET_ON_FULL_ROTATE,
      .capacity_items = 100,
      .fp_rate = 0.01,
      .window_generations = 4}},
    {3,
     "v3-sealed.seenset",
     {.layout = SEENSET_LAYOUT_SEALED, .fp_rate = 0.01, .hash_count = 3}},
    {3,
     "v3-bloom-md5.seenset",
     {.layout = SEENSET_LAYOUT_BLOOM,
      .on_full = SEENSET_ON_FULL_DEGRADE,
      .capacity_items = 100,
      .fp_rate = 0.01,
      .scheme = SEENSET_SCHEME_MD5_DIVMOD}},
    {3,
     "v3-split-block-grown.seenset",
     {.layout = SEENSET_LAYOUT_SPLIT_BLOCK,
      .on_full = SEENSET_ON_FULL_GROW,
      .capacity_items = 20,
      .fp_rate = 0.01}},
    {3,
     "v3-counting-3-bits.seenset",
     {.layout = SEENSET_LAYOUT_COUNTING,
      .on_full = SEENSET_ON_FULL_DEGRADE,
      .capacity_items = 100,
      .fp_rate = 0.01,
      .counter_bits = 3}},
    {3,
     "v3-counting-11-bits.seenset",
     {.layout = SEENSET_LAYOUT_COUNTING,
      .on_full = SEENSET_ON_FULL_DEGRADE,
      .capacity_items = 100,
      .fp_rate = 0.01,
      .counter_bits = 11}},
    {4,
     "v4-bloom-clickhouse.seenset",
     {.layout = SEENSET_LAYOUT_BLOOM,
      .on_full = SEENSET_ON_FULL_DEGRADE,
      .capacity_items = 100,
      .fp_rate = 0.01,
      .hash_count = 7, /* the set is as before its rule was ClickHouse's */
      .scheme = SEENSET_SCHEME_CLICKHOUSE_BLOOM}},
    {4,
     "v4-bloom-clickhouse-tokenbf.seenset",
     {.layout = SEENSET_LAYOUT_BLOOM,
      .on_full = SEENSET_ON_FULL_DEGRADE,
      .size_bits = 1024,
      .hash_count = 3,
      .scheme = SEENSET_SCHEME_CLICKHOUSE_TOKENBF,
      .scheme_arguments = &a_seed}},
    {4,
     "v4-counting-polynomial-utf16.seenset",
     {.layout = SEENSET_LAYOUT_COUNTING,
      .on_full = SEENSET_ON_FULL_DEGRADE,
      .capacity_items = 100,
      .fp_rate = 0.01,
      .counter_bits = 4,
      .scheme = SEENSET_SCHEME_POLYNOMIAL,
      .scheme_arguments = &java_words}},
    {4,
     "v4-blocked-seed-grown.seenset",
     {.layout = SEENSET_LAYOUT_BLOCKED,
      .on_full = SEENSET_ON_FULL_GROW,
      .capacity_items = 20,
      .fp_rate = 0.01,
      .scheme_arguments = &a_seed}},
    {5,
     "v5-fingerprint.seenset",
     {.layout = SEENSET_LAYOUT_FINGERPRINT,
      .on_full = SEENSET_ON_FULL_DEGRADE,
      .capacity_items = 100,
      .fp_rate = 0.01}},
    {5,
     "v5-fingerprint-refuse.seenset",
     {.layout = SEENSET_LAYOUT_FINGERPRINT,
      .on_full = SEENSET_ON_FULL_REFUSE,
      .capacity_items = 2000,
      .fp_rate = 1e-6}},
    {6,
     "v6-blocked-grown.seenset",
     {.layout = SEENSET_LAYOUT_BLOCKED,
      .on_full = SEENSET_ON_FULL_GROW,
      .capacity_items = 20,
      .fp_rate = 0.01}},
    {6,
     "v6-split-block-seed-grown.seenset",
     {.layout = SEENSET_LAYOUT_SPLIT_BLOCK,
      .on_full = SEENSET_ON_FULL_GROW,
      .capacity_items = 50,
      .fp_rate = 1e-5,
      .scheme_arguments = &a_seed}},
    {4,
     "v4-bloom-signed-char.seenset",
     {.layout = SEENSET_LAYOUT_BLOOM,
      .on_full = SEENSET_ON_FULL_DEGRADE,
      .capacity_items = 100,
      .fp_rate = 0.01,
      .scheme = SEENSET_SCHEME_MURMUR2A_FNV1A_SIGNED}},
    {7,
     "v7-sealed-7-bits.seenset",
     {.layout = SEENSET_LAYOUT_SEALED, .fp_rate = 0.01}},
    {7,
     "v7-sealed-27-bits-seed.seenset",
     {.layout = SEENSET_LAYOUT_SEALED,
      .fp_rate = 1e-8,
      .hash_count = 3,
      .scheme_arguments = &a_seed}},
    {4,
     "v4-split_block-parquet.seenset",
     {.layout = SEENSET_LAYOUT_SPLIT_BLOCK,
      .on_full = SEENSET_ON_FULL_DEGRADE,
      .capacity_items = 100,
      .fp_rate = 0.01,
      .scheme = SEENSET_SCHEME_PARQUET}},
    {4,
     "v4-bloom-dcso.seenset",
     {.layout = SEENSET_LAYOUT_BLOOM,
      .on_full = SEENSET_ON_FULL_DEGRADE,
      .capacity_items = 100,
      .fp_rate = 0.01,
      .scheme = SEENSET_SCHEME_DCSO}},
};

/* At first a sealed set had fingerprints of 8, 16 or 32 bits, whichever kept
 * the rate: 8 for 0.01. Now 2^-8 asks for them; the promise is put right. */
static const double rate_of_8_bits = 0x1p-8;

static void promise_at_first(uint8_t *bytes, double fp_rate)
{
    uint64_t rate;
    memcpy(&rate, &fp_rate, sizeof rate);
    test_store(bytes + 80, 8, rate);
    test_store(bytes + 128 + 24, 8, rate);
}

/* All keys at once, as a sealed set wants them. */
static seenset *seal(const seenset_options *options)
{
    char texts[TEST_GOLDEN_KEYS][16];
    seenset_key keys[TEST_GOLDEN_KEYS];
    seenset *set = NULL;
    for (int i = 0; i < TEST_GOLDEN_KEYS; i++) {
        int length = snprintf(texts[i], sizeof texts[i], "key %d", i);
        keys[i] = (seenset_key){texts[i], (size_t)length};
    }
    assert_int_equal(
        seenset_build_sealed(&set, options, keys, TEST_GOLDEN_KEYS, NULL, NULL),
        SEENSET_OK);
    return set;
}

static bool is_first_sealed(const test_golden *golden)
{
    return golden->options.layout == SEENSET_LAYOUT_SEALED &&
           golden->version == 3;
}

seenset *test_golden_make(const test_golden *golden)
{
    /* version 2's was planned as sets were then */
    bool is_halving = strcmp(golden->name, "v2-bloom-grown.seenset") == 0;
    bool is_list =
        golden->version < 6 && golden->options.on_full == SEENSET_ON_FULL_GROW;
    seenset_options options = golden->options;
    if (is_first_sealed(golden))
        options.fp_rate = rate_of_8_bits;
    if (options.layout == SEENSET_LAYOUT_SEALED)
        return seal(&options);
    seenset *set = is_halving ? test_make_halving(golden->options)
                              : test_make(golden->options);
    for (int i = 0; i < TEST_GOLDEN_KEYS; i++) {
        char key[16];
        if (is_halving)
            test_grow_halving(set);
        else if (is_list)
            test_grow_list(set);
        int length = snprintf(key, sizeof key, "key %d", i);
        assert_true(seenset_add(set, key, (size_t)length) >= 0);
    }
    return set;
}

uint8_t *test_golden_bytes(size_t i, size_t *size_bytes)
{
    seenset *set = test_golden_make(&test_goldens[i]);
    uint8_t *bytes = test_bytes_of(set, size_bytes);
    seenset_free(set);
    if (is_first_sealed(&test_goldens[i]))
        promise_at_first(bytes, test_goldens[i].options.fp_rate);
    test_to_version(test_goldens[i].version, bytes, size_bytes);
    bytes = realloc(bytes, *size_bytes + 1);
    assert_non_null(bytes);
    return bytes;
}

/* What came with version 3: at 60 flags, from 88 on where the sums are, and in
 * each record, at 104, when it was noticed. */
static void forget_version_3(uint8_t *bytes, size_t *size_bytes)
{
    uint64_t tables = test_fetch(bytes + 48, 4);
    *size_bytes = (size_t)test_fetch(bytes + 96, 8);
    memset(bytes + 60, 0, 4);
    memset(bytes + 88, 0, 32);
    for (uint64_t i = 0; i < tables; i++)
        memset(bytes + 128 + 128 * i + 104, 0, 8);
}

/* What came with version 2: more fields from 52 on, and the second half of the
 * only record. */
static void forget_version_2(uint8_t *bytes, size_t *size_bytes)
{
    memset(bytes + 52, 0, 68);
    memmove(bytes + 192, bytes + 256, *size_bytes - 256);
    *size_bytes -= 64;
    test_store(bytes + 12, 4, 192);
    test_store(bytes + 168, 8, 192);
}

void test_to_version(uint32_t version, uint8_t *bytes, size_t *size_bytes)
{
    if (version < 3)
        forget_version_3(bytes, size_bytes);
    if (version < 2)
        forget_version_2(bytes, size_bytes);
    test_store(bytes + 8, 4, version);
    test_store(bytes + 16, 8, *size_bytes);
    test_repair_header(bytes, test_header_bytes(bytes));
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
    {"version-3.seenset", SEENSET_ECORRUPT}, /* nor as one of these, */
    {"v2-a-table-too-many.seenset", SEENSET_ECORRUPT},
    {"v2-window-of-one.seenset", SEENSET_ECORRUPT},
    {"version-4.seenset", SEENSET_ECORRUPT}, /* nor as one of these */
    {"v3-payload-bit.seenset", SEENSET_ECORRUPT},
    {"v3-sum-bit.seenset", SEENSET_ECORRUPT},
    {"v3-cut-in-sums.seenset", SEENSET_ETRUNCATED},
    {"version-5.seenset", SEENSET_EVERSION},
    {"v4-other-seed.seenset", SEENSET_EHASH},
    {"v4-more-seeds.seenset", SEENSET_ECORRUPT},
    {"version-6.seenset", SEENSET_ECORRUPT},
    {"version-7.seenset", SEENSET_ECORRUPT},
    {"v6-other-layout.seenset", SEENSET_EVERSION},
    {"v6-directory-bit.seenset", SEENSET_ECORRUPT},
    {"v6-a-segment-more.seenset", SEENSET_ECORRUPT},
    {"version-8.seenset", SEENSET_EVERSION},
    {"v7-other-layout.seenset", SEENSET_EVERSION},
    {"v7-whole-bytes.seenset", SEENSET_ECORRUPT},
    {"v7-a-bit-less.seenset", SEENSET_ECORRUPT},
};

size_t test_bad_origin(size_t i)
{
    return i == 15   ? 3
           : i == 16 ? 5
           : i > 29  ? 26
           : i > 28  ? 6
           : i > 25  ? 23
           : i > 23  ? 6
           : i > 21  ? 19
           : i > 17  ? 6
                     : 0;
}

/* Sizes that agree with each other, and with no file. */
static void claim_pebibyte(uint8_t *bytes)
{
    test_store(bytes + 128, 8, SEENSET_MAX_SIZE_BITS);
    test_store(bytes + 176, 8, SEENSET_MAX_SIZE_BITS / 8);
    test_store(bytes + 16, 8, 192 + SEENSET_MAX_SIZE_BITS / 8);
}

void test_bad_make(size_t i, uint8_t *bytes, size_t *size_bytes)
{
    /* the byte to change and how, for those that change only one */
    static const struct {
        size_t at;
        uint8_t flip;
        bool is_repaired;
    } changes[TEST_BAD_COUNT] = {
        [1] = {1, 0x20, false},    [5] = {8, 3, true},
        [6] = {144, 1, false},     [7] = {200, 0x10, false},
        [8] = {24, 3, true},       [9] = {39, 0x80, true},
        [10] = {40, 8, true},      [13] = {60, 1, true},
        [14] = {8, 2, true},       [15] = {44, 2, true},
        [16] = {56, 5, true},      [17] = {8, 5, true},
        [18] = {300, 0x10, false}, [21] = {8, 6, true},
        [22] = {272, 1, true},     [23] = {268, 0x10, true},
        [24] = {8, 5, true},       [25] = {8, 4, true},
        [26] = {268, 1, true},     [28] = {344, 3, true},
        [29] = {8, 11, true},      [30] = {40, 6, true},
        [31] = {200, 15, true},    [32] = {200, 1, true},
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
    case 20:
        --*size_bytes;
        break;
    case 19:
        bytes[*size_bytes - 1] ^= 1;
        break;
    case 27: /* of the table's last 128 bytes, which the sums follow */
        bytes[test_fetch(bytes + 96, 8) - 100] ^= 1;
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
