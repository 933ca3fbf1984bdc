/*
 * foreign_bip37.c - Bitcoin's filters (BIP-37): the published payloads, opened,
 * asked as a file and as a set, added to and written again; and what no node
 * would accept, refused.
 */
#include <stdlib.h>
#include <string.h>

#include "foreign_opened.h"

enum {
    TAIL_BYTES = 9
};

/* The bytes of two hexadecimal digits each. Returns how many. */
static size_t read_hex(uint8_t *out, const char *digits)
{
    size_t count = strlen(digits) / 2;
    for (size_t i = 0; i < count; i++) {
        const char two[] = {digits[2 * i], digits[2 * i + 1], '\0'};
        out[i] = (uint8_t)strtoul(two, NULL, 16);
    }
    return count;
}

#define FIRST "99108ad8ed9bb6274d3980bab5a85c048f0950c8"
#define FIRST_CHANGED "19108ad8ed9bb6274d3980bab5a85c048f0950c8"
#define SECOND "b5a2c786d9ef4658287ced5914b37a1b4aa32eee"
#define THIRD "b9300670b4c5366e95b2699e8b18bc75e5f729c5"
#define PUBLIC_KEY                                                             \
    "045b81f0017e2091e2edcd5eecf10d5bdd120a5514cb3ee65b8447ec18bfc4575c6d5bf4" \
    "15e54e03b1067934a0f0ba76b01c6b9ab227142ee1d543764b69d901e0"
#define PUBLIC_KEY_ID "477abbacd4113f2e6b100526222eedd953c26a64"

/* Payloads that Bitcoin Core's bloom_tests.cpp publishes, and
 * python3-bitcoinlib 0.11.2 makes as well: a filter of so many keys, with
 * BLOOM_UPDATE_ALL. */
static const struct {
    const char *payload;
    uint64_t capacity_items;
    double fp_rate;
    uint64_t tweak;
    const char *keys[3];
} published[] = {
    {"03614e9b050000000000000001", 3, 0.01, 0, {FIRST, SECOND, THIRD}},
    {"03ce4299050000000100008001", 3, 0.01, 2147483649, {FIRST, SECOND, THIRD}},
    {"038fc16b080000000000000001", 2, 0.001, 0, {PUBLIC_KEY, PUBLIC_KEY_ID}}};

static void bip37_opens_what_is_published(void **state)
{
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(published); i++) {
        uint8_t bytes[16], key[80];
        size_t size = read_hex(bytes, published[i].payload);
        seenset_foreign *file = foreign_open_whole(bytes, size);
        seenset_foreign_filter filter = foreign_filter_of(file, 0);
        assert_int_equal(foreign_info_of(file).format, SEENSET_FORMAT_BIP37);
        assert_int_equal(foreign_info_of(file).filter_count, 1);
        assert_int_equal(filter.size_bits, 24);
        assert_int_equal(filter.hash_count, bytes[4]);
        assert_int_equal(filter.seed, published[i].tweak);
        assert_int_equal(filter.scheme, SEENSET_SCHEME_BIP37);
        for (size_t j = 0; j < 3 && published[i].keys[j] != NULL; j++) {
            size_t length = read_hex(key, published[i].keys[j]);
            assert_int_equal(seenset_foreign_has(file, 0, key, length), 1);
        }
        size_t length = read_hex(key, FIRST_CHANGED);
        assert_int_equal(seenset_foreign_has(file, 0, key, length), 0);
        seenset_foreign_free(file);
    }
}

/* A new file for so many keys, to which they are added, is the payload but for
 * the flags, which are 0. */
static void bip37_makes_what_is_published(void **state)
{
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(published); i++) {
        const seenset_plan plan = {.capacity_items =
                                       published[i].capacity_items,
                                   .fp_rate = published[i].fp_rate};
        uint8_t made[16], written[16], expected[16], key[80];
        size_t size = sizeof made, expected_size;
        seenset *set = NULL;
        assert_int_equal(seenset_foreign_new_bytes(SEENSET_FORMAT_BIP37, 0,
                                                   &plan, made, &size),
                         0);
        seenset_foreign *file = foreign_open_whole(made, size);
        seenset_foreign_filter filter = foreign_filter_of(file, 0);
        const seenset_scheme_arguments tweak = {.seed = published[i].tweak};
        const seenset_options options = {.layout = SEENSET_LAYOUT_BLOOM,
                                         .scheme = SEENSET_SCHEME_BIP37,
                                         .size_bits = filter.size_bits,
                                         .hash_count = filter.hash_count,
                                         .scheme_arguments = &tweak};
        assert_int_equal(seenset_new(&set, &options), 0);
        for (size_t j = 0; j < 3 && published[i].keys[j] != NULL; j++) {
            size_t length = read_hex(key, published[i].keys[j]);
            assert_true(seenset_add(set, key, length) >= 0);
        }
        assert_int_equal(seenset_foreign_write_bytes(file, set, written, &size),
                         0);
        expected_size = read_hex(expected, published[i].payload);
        assert_int_equal(size, expected_size);
        assert_memory_not_equal(written, expected, size); /* planted: flags */
        expected[size - 1] = 0;
        assert_memory_equal(written, expected, size);
        seenset_free(set);
        seenset_foreign_free(file);
    }
}

/* Short and long numbers of bytes, with a tweak and flags, which stay. */
static void bip37_is_written_again(void **state)
{
    static const size_t sizes[] = {1, 72, 252, 253, 36000};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(sizes); i++) {
        size_t size, written_size;
        seenset *set = NULL;
        uint8_t *bytes = foreign_bip37_make(sizes[i], &size);
        uint8_t *written = malloc(size);
        assert_non_null(written);
        seenset_foreign *file = foreign_open_whole(bytes, size);
        seenset_foreign_filter filter = foreign_filter_of(file, 0);
        assert_int_equal(filter.size_bits, 8 * sizes[i]);
        assert_int_equal(filter.bits_offset, sizes[i] < 253 ? 1 : 3);
        assert_int_equal(filter.seed, FOREIGN_TWEAK);
        assert_int_equal(seenset_foreign_set(&set, file, 0), 0);
        foreign_check_set(file, set, "bip37");
        written_size = size;
        assert_int_equal(
            seenset_foreign_write_bytes(file, set, written, &written_size), 0);
        assert_int_equal(written_size, size);
        assert_memory_equal(written, bytes, size);
        seenset_free(set);
        seenset_foreign_free(file);
        free(written);
        free(bytes);
    }
}

/* Another tweak is another filter: of equal bits, no union is made. */
static void bip37_keeps_its_tweak(void **state)
{
    uint8_t bytes[16];
    seenset *sets[2];
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        size_t size = read_hex(bytes, published[i].payload);
        seenset_foreign *file = foreign_open_whole(bytes, size);
        seenset_info info;
        assert_int_equal(seenset_foreign_set(&sets[i], file, 0), 0);
        assert_int_equal(seenset_get_info(sets[i], &info, sizeof info), 0);
        assert_int_equal(info.seed, published[i].tweak);
        seenset_foreign_free(file);
    }
    assert_int_equal(seenset_merge(sets[0], sets[1]), SEENSET_EMISMATCH);
    assert_int_equal(seenset_merge(sets[0], sets[0]), SEENSET_OK);
    seenset_free(sets[1]);
    seenset_free(sets[0]);
}

/* What no node accepts, or what has any other length. */
static void bip37_files_are_checked(void **state)
{
    static const struct {
        size_t at; /* in the tail, from its first byte on */
        uint8_t value;
    } fields[] = {{0, 0}, {0, 51}, {1, 1}, {2, 1}, {3, 1}, {8, 3}, {8, 255}};
    size_t size;
    (void)state;
    uint8_t *bytes = foreign_bip37_make(72, &size);
    for (size_t i = 0; i < TEST_COUNT(fields); i++) {
        uint8_t *at = bytes + size - TAIL_BYTES + fields[i].at, was = *at;
        *at = fields[i].value;
        assert_int_equal(
            foreign_refused(bytes, size, "none of the formats that are known"),
            SEENSET_EFORMAT);
        *at = was;
    }
    seenset_foreign_free(foreign_open_whole(bytes, size)); /* planted: sound */
    free(bytes);
}

/* Counts that are not in their shortest form, or too large. */
static void bip37_counts_are_checked(void **state)
{
    static const struct {
        uint8_t head[3];
        size_t count;
        bool is_sound;
    } tried[] = {{{253, 253, 0}, 253, true}, /* planted */
                 {{253, 252, 0}, 252, false},
                 {{253, 0x60, 0x13}, 0x1360, true},
                 {{253, 0xA0, 0x8C}, 36000, true},
                 {{253, 0xA1, 0x8C}, 36001, false},
                 {{254, 0, 1}, 0x1000, false},
                 {{255, 0, 1}, 0x1000, false},
                 {{0, 0, 0}, 0, false}};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(tried); i++) {
        size_t size = 3 + tried[i].count + TAIL_BYTES;
        uint8_t *bytes = calloc(size, 1);
        assert_non_null(bytes);
        memcpy(bytes, tried[i].head, 3);
        bytes[size - TAIL_BYTES] = 7;
        if (tried[i].is_sound)
            seenset_foreign_free(foreign_open_whole(bytes, size));
        else
            assert_int_equal(
                foreign_refused(bytes, size,
                                "none of the formats that are known"),
                SEENSET_EFORMAT);
        free(bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bip37_opens_what_is_published),
        cmocka_unit_test(bip37_makes_what_is_published),
        cmocka_unit_test(bip37_is_written_again),
        cmocka_unit_test(bip37_keeps_its_tweak),
        cmocka_unit_test(bip37_files_are_checked),
        cmocka_unit_test(bip37_counts_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
