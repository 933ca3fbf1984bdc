/*
 * index_polynomial.c - k hashes from one function and k seeds.
 *
 *     r = 0; for each unit: r = seed r + unit  (32 bits);  index = r mod m
 *
 * with seeds 5 7 11 13 31 37 61, so at most seven indices, or with seeds that
 * the arguments list. m is a power of two, as programs that take the low bits
 * with a mask need it. A polynomial of 32 bits reaches 2^32 places at most;
 * larger tables are refused. Its low bits depend on the low bits of the units
 * only, and keys that differ in few places have indices near each other: hash
 * a key well first, or use another scheme, unless these very bits are wanted.
 *
 * The units are the key's bytes, or the UTF-16 units of the text that it is
 * (utf16.h), as programs that run over 16-bit characters have it. For ASCII the
 * two are the same.
 */
#include "hash/index_scheme.h"
#include "hash/utf16.h"

static const uint32_t own_seeds[] = {5, 7, 11, 13, 31, 37, 61};

enum {
    OWN_SEEDS = sizeof own_seeds / sizeof own_seeds[0]
};

/* All k values are advanced together: none waits for another. */
static inline void add_unit(uint64_t *values, const uint32_t *seeds,
                            uint32_t count, uint32_t unit)
{
    for (uint32_t i = 0; i < count; i++)
        values[i] = (uint32_t)(seeds[i] * values[i] + unit);
}

static void add_bytes(uint64_t *values, const uint32_t *seeds, uint32_t count,
                      const unsigned char *bytes, size_t byte_count)
{
    for (size_t i = 0; i < byte_count; i++)
        add_unit(values, seeds, count, bytes[i]);
}

static void add_text(uint64_t *values, const uint32_t *seeds, uint32_t count,
                     const unsigned char *bytes, size_t byte_count)
{
    uint32_t units[2];
    unsigned unit_count;
    for (size_t i = 0; i < byte_count;) {
        i += ss_utf16_next(bytes + i, byte_count - i, units, &unit_count);
        for (unsigned j = 0; j < unit_count; j++)
            add_unit(values, seeds, count, units[j]);
    }
}

static void polynomial_indices(const ss_scheme_arguments *arguments,
                               const void *key, size_t key_len,
                               uint64_t size_bits, uint32_t hash_count,
                               uint64_t *indices)
{
    const uint32_t *seeds =
        arguments->seeds != NULL ? arguments->seeds : own_seeds;
    for (uint32_t i = 0; i < hash_count; i++)
        indices[i] = 0;
    if (arguments->unit_bits == 16)
        add_text(indices, seeds, hash_count, key, key_len);
    else
        add_bytes(indices, seeds, hash_count, key, key_len);
    for (uint32_t i = 0; i < hash_count; i++)
        indices[i] &= size_bits - 1;
}

const ss_scheme ss_scheme_polynomial = {.id = SS_SCHEME_POLYNOMIAL,
                                        .name = "polynomial",
                                        .first_file_version = 2,
                                        .min_hash_count = 1,
                                        .max_hash_count = OWN_SEEDS,
                                        .max_size_bits = UINT64_C(1) << 32,
                                        .size_rule = SS_SCHEME_POWER_OF_TWO,
                                        .own_seeds = own_seeds,
                                        .own_seed_count = OWN_SEEDS,
                                        .indices = polynomial_indices};
