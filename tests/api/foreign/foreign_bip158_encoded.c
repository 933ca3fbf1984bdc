/*
 * foreign_bip158_encoded.c - Golomb-coded sets of any size, by an encoder that
 * was written here from the text of BIP-158, over libsodium's SipHash.
 */
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "foreign_opened.h"

enum {
    LOW_BITS = 19,
    SPREAD = 784931
};

typedef struct coder {
    uint8_t *bytes;
    size_t bits;
} coder;

static void put_bit(coder *to, unsigned bit)
{
    to->bytes[to->bits / 8] |= (uint8_t)(bit << (7 - to->bits % 8));
    to->bits++;
}

/* golomb_encode of the BIP */
static void put_value(coder *to, uint64_t value)
{
    for (uint64_t ones = value >> LOW_BITS; ones > 0; ones--)
        put_bit(to, 1);
    put_bit(to, 0);
    for (int bit = LOW_BITS - 1; bit >= 0; bit--)
        put_bit(to, value >> bit & 1);
}

static int compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static size_t key_of(char key[24], uint64_t i)
{
    return (size_t)snprintf(key, 24, "script %llu", (unsigned long long)i);
}

/* The upper 64 bits of a product, digit by digit. */
static uint64_t upper(uint64_t x, uint64_t y)
{
    uint64_t low = (x & UINT32_MAX) * (y & UINT32_MAX);
    uint64_t first = (x >> 32) * (y & UINT32_MAX) + (low >> 32);
    uint64_t second = (x & UINT32_MAX) * (y >> 32) + (first & UINT32_MAX);
    return (x >> 32) * (y >> 32) + (first >> 32) + (second >> 32);
}

static void hash_keys(uint64_t *values, uint64_t count, const uint8_t *secret)
{
    for (uint64_t i = 0; i < count; i++) {
        char key[24];
        uint8_t hash[8];
        size_t length = key_of(key, i);
        crypto_shorthash(hash, (const uint8_t *)key, length, secret);
        values[i] = upper(test_fetch(hash, 8), count * SPREAD);
    }
    qsort(values, count, sizeof *values, compare);
}

/* From calloc. */
static uint8_t *encode(uint64_t count, const uint8_t *secret, size_t *size)
{
    uint64_t *values = calloc(count + 1, sizeof *values), last = 0;
    coder to = {.bytes = calloc(count * 4 + 16, 1)};
    assert_true(values != NULL && to.bytes != NULL);
    hash_keys(values, count, secret);
    size_t head = count < 253 ? 1 : count < 65536 ? 3 : 5;
    to.bytes[0] = (uint8_t)(head == 1 ? count : head == 3 ? 253 : 254);
    if (head > 1)
        test_store(to.bytes + 1, (unsigned)head - 1, count);
    to.bits = 8 * head;
    for (uint64_t i = 0; i < count; i++) {
        put_value(&to, values[i] - last);
        last = values[i];
    }
    free(values);
    *size = (to.bits + 7) / 8;
    return to.bytes;
}

/* All keys are found, one by one and in groups; of a million others, 1.3 are
 * expected, and 20 come by chance once in 10^16 times. */
static void check_keys(const seenset_foreign *file, uint64_t count)
{
    enum {
        GROUP = 1500,
        OTHERS = 1000000
    };
    static char keys[GROUP][24];
    seenset_key batch[GROUP];
    uint8_t is_seen[GROUP];
    uint64_t found = 0, wrong = 0;
    for (uint64_t i = 0; i < count + OTHERS; i += GROUP) {
        for (int j = 0; j < GROUP; j++)
            batch[j] = (seenset_key){keys[j], key_of(keys[j], i + (unsigned)j)};
        assert_int_equal(
            seenset_foreign_has_many(file, 0, batch, GROUP, is_seen), 0);
        assert_int_equal(seenset_foreign_has(file, 0, keys[7], batch[7].len),
                         is_seen[7]);
        for (int j = 0; j < GROUP; j++) {
            found += is_seen[j] && i + (unsigned)j < count;
            wrong += is_seen[j] && i + (unsigned)j >= count;
        }
    }
    assert_int_equal(found, count);
    assert_true(wrong <= 20);
}

static void bip158_reads_what_is_encoded(void **state)
{
    static const uint64_t counts[] = {0, 1, 2, 252, 253, 5000, 65535, 70000};
    static const uint8_t secret[SEENSET_SECRET_BYTES] = "of the block  3";
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(counts); i++) {
        size_t size;
        uint8_t *bytes = encode(counts[i], secret, &size);
        seenset_foreign *file = NULL;
        const seenset_open_options options = {.secret = secret};
        assert_int_equal(
            seenset_foreign_open_bytes(&file, bytes, size, &options), 0);
        assert_int_equal(foreign_filter_of(file, 0).added_items, counts[i]);
        if (counts[i] < 6000)
            check_keys(file, counts[i]);
        seenset_foreign_free(file);
        free(bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bip158_reads_what_is_encoded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
