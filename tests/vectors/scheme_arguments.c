/*
 * scheme_arguments.c - keys to places under schemes that were given something:
 * seeds, UTF-16 units; and ClickHouse's. Against the file that an independent
 * program wrote (scheme_oracle.mjs).
 *
 * Built three times, as scheme.c is.
 */
#define _POSIX_C_SOURCE 200809L /* strtok_r */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hash/index_scheme.h"
#include "hash/utf16.h"
#include "scheme_named.h"
#include "support.h"

enum {
    MOST = 255,
    KEY_BYTES = 512,
    LINE_BYTES = 16384
};

/* A line of the file. */
typedef struct expected {
    char scheme[40];
    ss_scheme_arguments arguments;
    uint32_t seeds[MOST];
    uint64_t size_bits;
    uint32_t hash_count;
    uint8_t key[KEY_BYTES];
    size_t key_len;
    uint64_t places[MOST];
} expected;

/* A number, or 0 for "-". */
static uint64_t number(const char *word)
{
    return strcmp(word, "-") == 0 ? 0 : strtoull(word, NULL, 10);
}

static void read_seeds(expected *out, char *list)
{
    char *next, *word = strtok_r(list, ",", &next);
    if (strcmp(word, "-") == 0)
        return;
    out->arguments.seeds = out->seeds;
    for (; word != NULL; word = strtok_r(NULL, ",", &next))
        out->seeds[out->arguments.seed_count++] = (uint32_t)number(word);
}

static void read_key(expected *out, const char *hex)
{
    if (strcmp(hex, "-") == 0)
        return;
    for (out->key_len = 0; hex[2 * out->key_len] != '\0'; out->key_len++) {
        unsigned byte;
        assert_true(out->key_len < KEY_BYTES);
        assert_int_equal(sscanf(hex + 2 * out->key_len, "%2x", &byte), 1);
        out->key[out->key_len] = (uint8_t)byte;
    }
}

static void read_line(expected *out, char *line)
{
    char *next, *words[7];
    *out = (expected){.key_len = 0};
    words[0] = strtok_r(line, " \n", &next);
    for (size_t i = 1; i < TEST_COUNT(words); i++) {
        words[i] = strtok_r(NULL, " \n", &next);
        assert_non_null(words[i]);
    }
    snprintf(out->scheme, sizeof out->scheme, "%s", words[0]);
    out->arguments.seed = number(words[1]);
    out->arguments.unit_bits = number(words[2]) == 16 ? 16 : 0;
    read_seeds(out, words[3]);
    out->size_bits = number(words[4]);
    out->hash_count = (uint32_t)number(words[5]);
    read_key(out, words[6]);
    for (uint32_t i = 0; i < out->hash_count; i++)
        out->places[i] = number(strtok_r(NULL, " \n", &next));
}

static bool is_so(const expected *line)
{
    uint64_t places[MOST];
    const ss_scheme *scheme = scheme_named(line->scheme);
    assert_non_null(scheme);
    assert_true(ss_scheme_accepts(scheme, &line->arguments, line->size_bits,
                                  line->hash_count));
    scheme->indices(&line->arguments, line->key, line->key_len, line->size_bits,
                    line->hash_count, places);
    return memcmp(places, line->places, line->hash_count * sizeof *places) == 0;
}

/* Planted: with another seed, other units or another key, another line. */
static void must_differ(const expected *line)
{
    expected planted = *line;
    planted.places[line->hash_count - 1] ^= 1;
    assert_false(is_so(&planted));
    planted = *line;
    planted.key[planted.key_len++] = 'x';
    assert_false(is_so(&planted));
    planted = *line;
    if (planted.arguments.seeds != NULL)
        planted.arguments.seeds = planted.seeds;
    planted.seeds[0] += 2;
    planted.arguments.seed ^= 1;
    bool has_none = strcmp(line->scheme, "clickhouse-bloom") == 0;
    assert_true(has_none || line->key_len < 5 || !is_so(&planted));
}

static void places_are_those_of_the_oracle(void **state)
{
    FILE *file = fopen(SEENSET_TEST_GOLDEN "/schemes-expected.txt", "r");
    static char text[LINE_BYTES];
    expected line;
    size_t lines = 0;
    (void)state;
    assert_non_null(file);
    for (; fgets(text, sizeof text, file) != NULL; lines++) {
        assert_true(strchr(text, '\n') != NULL);
        read_line(&line, text);
        if (!is_so(&line))
            fail_msg("line %zu: %s", lines + 1, line.scheme);
        must_differ(&line);
    }
    assert_true(lines > 400);
    fclose(file);
}

/* ---- UTF-16 ---- */

/* All units of some bytes; returns how many. */
static size_t units_of(const char *text, uint32_t *units)
{
    const unsigned char *bytes = (const unsigned char *)text;
    size_t count = 0, left = strlen(text);
    while (left > 0) {
        unsigned more;
        size_t taken = ss_utf16_next(bytes, left, units + count, &more);
        assert_true(taken >= 1 && taken <= left);
        bytes += taken;
        left -= taken;
        count += more;
    }
    return count;
}

static void utf16_has_surrogate_pairs(void **state)
{
    uint32_t units[8];
    (void)state;
    assert_int_equal(units_of("\xF0\x9F\x98\x80", units), 2); /* U+1F600 */
    assert_true(units[0] == 0xD83D && units[1] == 0xDE00);
    assert_int_equal(units_of("\xF4\x8F\xBF\xBF", units), 2); /* the last */
    assert_true(units[0] == 0xDBFF && units[1] == 0xDFFF);
    assert_int_equal(units_of("\xEF\xBF\xBF", units), 1);
    assert_int_equal(units[0], 0xFFFF);
    assert_int_equal(units_of("\xED\xA0\x80", units), 3); /* no character */
    assert_true(units[0] == 0xDCED && units[1] == 0xDCA0 && units[2] == 0xDC80);
}

/* The bytes again, from units alone. */
static size_t bytes_of(const uint32_t *units, size_t count, uint8_t *bytes)
{
    size_t length = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t unit = units[i], point = unit;
        if (unit >= 0xDC80 && unit <= 0xDCFF) {
            bytes[length++] = (uint8_t)(unit - 0xDC00);
            continue;
        }
        if (unit >= 0xD800 && unit <= 0xDBFF)
            point = 0x10000 + ((unit & 0x3FF) << 10) + (units[++i] & 0x3FF);
        if (point < 0x80)
            bytes[length++] = (uint8_t)point;
        else if (point < 0x800)
            bytes[length++] = (uint8_t)(0xC0 | point >> 6);
        else if (point < 0x10000)
            bytes[length++] = (uint8_t)(0xE0 | point >> 12);
        else
            bytes[length++] = (uint8_t)(0xF0 | point >> 18);
        if (point >= 0x10000)
            bytes[length++] = (uint8_t)(0x80 | (point >> 12 & 0x3F));
        if (point >= 0x800)
            bytes[length++] = (uint8_t)(0x80 | (point >> 6 & 0x3F));
        if (point >= 0x80)
            bytes[length++] = (uint8_t)(0x80 | (point & 0x3F));
    }
    return length;
}

/* Bytes that UTF-8 is made of, and breaks at. */
static uint8_t tricky_byte(test_random *random)
{
    static const uint8_t bytes[] = {0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0,
                                    0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1,
                                    0xED, 0xEF, 0xF0, 0xF3, 0xF4, 0xF5, 0xFF};
    return bytes[test_random_below(random, TEST_COUNT(bytes))];
}

/* So no two keys are one for their units: nothing that was added is another. */
static void utf16_keeps_every_byte(void **state)
{
    test_random random = {16};
    (void)state;
    for (unsigned round = 0; round < 300000; round++) {
        uint32_t units[16];
        uint8_t again[32];
        char text[9];
        size_t len = test_random_below(&random, sizeof text);
        for (size_t i = 0; i < len; i++)
            text[i] = (char)tricky_byte(&random);
        text[len] = '\0';
        size_t count = units_of(text, units);
        assert_int_equal(bytes_of(units, count, again), len);
        assert_memory_equal(again, text, len);
    }
}

/* ---- what a scheme takes ---- */

static int read_as(const char *name, const seenset_scheme_arguments *given)
{
    ss_scheme_arguments out;
    int error = ss_scheme_read_arguments(&out, scheme_named(name), given);
    if (error == SEENSET_OK)
        assert_true(ss_scheme_takes(scheme_named(name), &out));
    return error;
}

static const char *const names[] = {"chain",
                                    "murmur2a+fnv1a",
                                    "murmur3-128",
                                    "polynomial",
                                    "md5-divmod",
                                    "enhanced-double",
                                    "caller",
                                    "clickhouse-bloom",
                                    "clickhouse-tokenbf",
                                    "murmur2a+fnv1a-signed",
                                    "parquet",
                                    "dcso",
                                    "guava-mitz-64",
                                    "guava-mitz-32",
                                    "leveldb",
                                    "rocksdb-legacy",
                                    "rocksdb",
                                    "bip37",
                                    "redisbloom"};

static void schemes_take_their_arguments_only(void **state)
{
    static const uint64_t seeds[TEST_COUNT(names)] = {
        UINT64_MAX, UINT32_MAX, UINT32_MAX, 0,          0, UINT64_MAX, 0,
        0,          UINT64_MAX, UINT32_MAX, 0,          0, 0,          0,
        0,          0,          0,          UINT32_MAX, 0};
    static const uint32_t factors[] = {3, 9, 27};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(names); i++) {
        bool is_list = strcmp(names[i], "polynomial") == 0;
        int of_list = is_list ? SEENSET_OK : SEENSET_EINVAL;
        seenset_scheme_arguments seed = {.seed = seeds[i]};
        assert_int_equal(read_as(names[i], NULL), SEENSET_OK);
        assert_int_equal(read_as(names[i], &seed), SEENSET_OK);
        seed.seed++;
        if (seed.seed != 0)
            assert_int_equal(read_as(names[i], &seed), SEENSET_EINVAL);
        seenset_scheme_arguments list = {.seeds = factors, .seed_count = 3};
        assert_int_equal(read_as(names[i], &list), of_list);
        for (uint32_t bits = 1; bits < 40; bits++) {
            seenset_scheme_arguments unit = {.unit_bits = bits};
            assert_int_equal(read_as(names[i], &unit), bits == 8 || bits == 16
                                                           ? of_list
                                                           : SEENSET_EINVAL);
        }
    }
}

static void lists_are_checked_and_made_simple(void **state)
{
    static const uint32_t own[] = {5, 7, 11, 13, 31, 37, 61};
    uint32_t many[MOST + 1] = {0};
    const ss_scheme *polynomial = scheme_named("polynomial");
    ss_scheme_arguments out;
    (void)state;
    seenset_scheme_arguments given = {.seeds = many, .seed_count = MOST};
    assert_int_equal(read_as("polynomial", &given), SEENSET_OK);
    given.seed_count++;
    assert_int_equal(read_as("polynomial", &given), SEENSET_EINVAL);
    given.seed_count = 0;
    assert_int_equal(read_as("polynomial", &given), SEENSET_EINVAL);
    given = (seenset_scheme_arguments){.seed_count = 2};
    assert_int_equal(read_as("polynomial", &given), SEENSET_EINVAL);
    given = (seenset_scheme_arguments){.reserved = {0, 0, 0, 1}};
    assert_int_equal(read_as("polynomial", &given), SEENSET_EINVAL);
    /* its own seeds and bytes are nothing that was given */
    given = (seenset_scheme_arguments){
        .seeds = own, .seed_count = 7, .unit_bits = 8};
    assert_int_equal(ss_scheme_read_arguments(&out, polynomial, &given), 0);
    assert_false(ss_scheme_has_arguments(&out));
    given.seed_count = 6;
    assert_int_equal(ss_scheme_read_arguments(&out, polynomial, &given), 0);
    assert_true(ss_scheme_has_arguments(&out));
    assert_true(ss_scheme_accepts(polynomial, &out, 64, 6));
    assert_false(ss_scheme_accepts(polynomial, &out, 64, 7));
}

static void sizes_are_rounded_up(void **state)
{
    const ss_scheme *power = scheme_named("polynomial");
    const ss_scheme *bytes = scheme_named("clickhouse-tokenbf");
    const ss_scheme *any = scheme_named("murmur3-128");
    (void)state;
    assert_int_equal(ss_scheme_round_up(power, 1), 1);
    assert_int_equal(ss_scheme_round_up(power, 3), 4);
    assert_int_equal(ss_scheme_round_up(power, 9592960), 16777216);
    assert_true(ss_scheme_round_up(power, UINT64_C(1) << 32) == UINT64_C(1)
                                                                    << 32);
    assert_int_equal(ss_scheme_round_up(power, (UINT64_C(1) << 32) + 1), 0);
    assert_int_equal(ss_scheme_round_up(bytes, 1), 8);
    assert_int_equal(ss_scheme_round_up(bytes, 16), 16);
    assert_int_equal(ss_scheme_round_up(bytes, (UINT64_C(1) << 33) + 1), 0);
    assert_int_equal(ss_scheme_round_up(any, 12345), 12345);
    assert_int_equal(ss_scheme_round_up(any, (UINT64_C(1) << 53) + 1), 0);
}

/* The seed of XXH3, as it was published: its tests hash the empty input. */
static void seeds_of_xxh3_are_its_own(void **state)
{
    static const ss_scheme_arguments seeded = {.seed = 0x9E3779B185EBCA8DULL};
    uint64_t places[3], m = UINT64_C(1) << 53, x = 0xA8A6B918B2F0364AULL;
    (void)state;
    scheme_named("chain")->indices(&seeded, "", 0, m, 3, places);
    for (size_t i = 0; i < TEST_COUNT(places); i++) {
        assert_true(places[i] == ss_hash_range(x, m));
        x = ss_hash_step(x);
    }
    XXH128_hash_t both = XXH3_128bits_withSeed("a key", 5, seeded.seed);
    scheme_named("enhanced-double")->indices(&seeded, "a key", 5, m, 2, places);
    assert_true(places[0] == ss_hash_range(both.low64, m));
    assert_true(places[1] == (places[0] + ss_hash_range(both.high64, m)) % m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_are_those_of_the_oracle),
        cmocka_unit_test(utf16_has_surrogate_pairs),
        cmocka_unit_test(utf16_keeps_every_byte),
        cmocka_unit_test(schemes_take_their_arguments_only),
        cmocka_unit_test(lists_are_checked_and_made_simple),
        cmocka_unit_test(sizes_are_rounded_up),
        cmocka_unit_test(seeds_of_xxh3_are_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
