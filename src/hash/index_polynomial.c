/*
 * index_polynomial.c - k hashes from one function and k seeds.
 *
 *     r = 0; for each byte: r = seed r + byte  (32 bits);  index = r mod m
 *
 * with seeds 5 7 11 13 31 37 61, so at most seven indices, and m a power of
 * two, as programs that take the low bits with a mask need it. A polynomial of
 * 32 bits reaches 2^32 places at most; larger tables are refused. Its low bits
 * depend on the low bits of the bytes only, and keys that differ in few
 * places have indices near each other: hash a key well first, or use another
 * scheme, unless these very bits are wanted.
 *
 * Programs that run over 16-bit characters instead of bytes agree with this
 * one for ASCII keys.
 */
#include "hash/index_scheme.h"

static const uint32_t seeds[] = {5, 7, 11, 13, 31, 37, 61};

enum {
    SEED_COUNT = sizeof seeds / sizeof seeds[0]
};

static uint32_t polynomial(uint32_t seed, const unsigned char *bytes,
                           size_t count)
{
    uint32_t value = 0;
    for (size_t i = 0; i < count; i++)
        value = seed * value + bytes[i];
    return value;
}

static bool polynomial_accepts(uint64_t size_bits, uint32_t hash_count)
{
    return size_bits >= 1 && size_bits <= UINT64_C(1) << 32 &&
           (size_bits & (size_bits - 1)) == 0 && hash_count >= 1 &&
           hash_count <= SEED_COUNT;
}

static void polynomial_indices(const void *context, const void *key,
                               size_t key_len, uint64_t size_bits,
                               uint32_t hash_count, uint64_t *indices)
{
    (void)context;
    for (uint32_t i = 0; i < hash_count; i++)
        indices[i] = polynomial(seeds[i], key, key_len) & (size_bits - 1);
}

const ss_scheme ss_scheme_polynomial = {.id = SS_SCHEME_POLYNOMIAL,
                                        .name = "polynomial",
                                        .accepts = polynomial_accepts,
                                        .indices = polynomial_indices};
