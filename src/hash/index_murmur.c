/*
 * index_murmur.c - the schemes of two well-known kinds of filter.
 *
 * murmur2a+fnv1a: one index from each of two independent 32-bit hashes, taken
 * modulo m. Two indices, so a low rate takes many bits; 32 bits, so no more
 * than 2^32 places can ever be used and larger tables are refused.
 *
 * murmur3-128: the halves h1 and h2 of one MurmurHash3_x64_128 make any number
 * of indices, ((h1 + i h2) mod 2^64) mod m (Kirsch & Mitzenmacher 2006). That
 * is plain double hashing, with the limit that index_scheme.c explains. The
 * empty key hashes to h1 = h2 = 0, so all its indices are bit 0.
 *
 * murmur2a+fnv1a-signed: the same for a C program that hands the bytes of a key
 * to its FNV-1a as plain char, on a machine whose char is signed, such as x86.
 * A byte from 128 on is then less than zero, and becomes one of 32 bits with
 * ones in front. Keys of ASCII have the same places in both.
 *
 * A seed is that of the MurmurHash; all three have 0.
 */
#include "hash/index_scheme.h"
#include "hash/murmur.h"

static const uint32_t fnv_basis = 2166136261u;
static const uint32_t fnv_prime = 16777619u;

/* FNV-1a, 32 bits (Fowler, Noll, Vo): over unsigned bytes. */
static uint32_t fnv_1a(const unsigned char *bytes, size_t count)
{
    uint32_t hash = fnv_basis;
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ bytes[i]) * fnv_prime;
    return hash;
}

/* The same over bytes of -128 to 127. */
static uint32_t fnv_1a_signed(const unsigned char *bytes, size_t count)
{
    uint32_t hash = fnv_basis;
    for (size_t i = 0; i < count; i++) {
        uint32_t sign = bytes[i] >= 0x80 ? 0xFFFFFF00u : 0;
        hash = (hash ^ (sign | bytes[i])) * fnv_prime;
    }
    return hash;
}

static void two_indices(const ss_scheme_arguments *arguments, const void *key,
                        size_t key_len, uint64_t size_bits, uint32_t hash_count,
                        uint64_t *indices)
{
    uint32_t seed = (uint32_t)arguments->seed;
    (void)hash_count;
    indices[0] = ss_murmur_2a(key, key_len, seed) % size_bits;
    indices[1] = fnv_1a(key, key_len) % size_bits;
}

static void two_signed_indices(const ss_scheme_arguments *arguments,
                               const void *key, size_t key_len,
                               uint64_t size_bits, uint32_t hash_count,
                               uint64_t *indices)
{
    uint32_t seed = (uint32_t)arguments->seed;
    (void)hash_count;
    indices[0] = ss_murmur_2a(key, key_len, seed) % size_bits;
    indices[1] = fnv_1a_signed(key, key_len) % size_bits;
}

static void pair_indices(const ss_scheme_arguments *arguments, const void *key,
                         size_t key_len, uint64_t size_bits,
                         uint32_t hash_count, uint64_t *indices)
{
    uint32_t seed = (uint32_t)arguments->seed;
    ss_murmur_pair hash = ss_murmur_3_128(key, key_len, seed);
    for (uint32_t i = 0; i < hash_count; i++)
        indices[i] = (hash.first + i * hash.second) % size_bits;
}

const ss_scheme ss_scheme_murmur2a_fnv1a = {.id = SS_SCHEME_MURMUR2A_FNV1A,
                                            .name = "murmur2a+fnv1a",
                                            .first_file_version = 2,
                                            .min_hash_count = 2,
                                            .max_hash_count = 2,
                                            .max_size_bits = UINT64_C(1) << 32,
                                            .max_seed = UINT32_MAX,
                                            .indices = two_indices};

const ss_scheme ss_scheme_murmur2a_fnv1a_signed = {
    .id = SS_SCHEME_MURMUR2A_FNV1A_SIGNED,
    .name = "murmur2a+fnv1a-signed",
    .first_file_version = 4,
    .min_hash_count = 2,
    .max_hash_count = 2,
    .max_size_bits = UINT64_C(1) << 32,
    .max_seed = UINT32_MAX,
    .indices = two_signed_indices};

const ss_scheme ss_scheme_murmur3_128 = {
    .id = SS_SCHEME_MURMUR3_128,
    .name = "murmur3-128",
    .first_file_version = 2,
    .min_hash_count = 1,
    .max_hash_count = SS_SCHEME_MAX_INDICES,
    .max_size_bits = SS_SCHEME_MAX_SIZE_BITS,
    .max_seed = UINT32_MAX,
    .indices = pair_indices};
