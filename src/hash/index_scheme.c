/*
 * index_scheme.c - the table of index schemes, and the four that need no file
 * of their own: the chain, enhanced double hashing, Parquet's, and the caller's
 * function.
 *
 * Enhanced double hashing (Dillinger & Manolios, "Bloom filters in
 * probabilistic verification", FMCAD 2004) makes all indices from two numbers
 * below m, which multiply-high draws from the halves of one XXH3-128:
 *
 *     x[0] = a    x[i+1] = x[i] + y[i]      mod m
 *     y[0] = b    y[i+1] = y[i] + i + 1     mod m
 *
 * It is kept for study and not the default: there are m^2 pairs (a, b), so a
 * new key meets the very indices of one of n others with probability n / m^2,
 * whatever k. At a thousand keys planned for 1e-6 that more than doubles the
 * rate promised, at a hundred it is over ten times as high. The chain has 2^64
 * ways at any m.
 */
#include "hash/index_scheme.h"

#include <string.h>

static void chain_indices(const ss_scheme_arguments *arguments, const void *key,
                          size_t key_len, uint64_t size_bits,
                          uint32_t hash_count, uint64_t *indices)
{
    uint64_t x = XXH3_64bits_withSeed(key, key_len, arguments->seed);
    for (uint32_t i = 0; i < hash_count; i++) {
        indices[i] = ss_hash_range(x, size_bits);
        x = ss_hash_step(x);
    }
}

static void enhanced_indices(const ss_scheme_arguments *arguments,
                             const void *key, size_t key_len,
                             uint64_t size_bits, uint32_t hash_count,
                             uint64_t *indices)
{
    XXH128_hash_t hash = XXH3_128bits_withSeed(key, key_len, arguments->seed);
    uint64_t x = ss_hash_range(hash.low64, size_bits);
    uint64_t y = ss_hash_range(hash.high64, size_bits);
    for (uint32_t i = 0; i < hash_count; i++) {
        indices[i] = x;
        x = (x + y) % size_bits;
        y = (y + i + 1) % size_bits;
    }
}

static void caller_indices(const ss_scheme_arguments *arguments,
                           const void *key, size_t key_len, uint64_t size_bits,
                           uint32_t hash_count, uint64_t *indices)
{
    const ss_scheme_caller *caller = &arguments->caller;
    memset(indices, 0, hash_count * sizeof *indices);
    caller->function(caller->context, key, key_len, size_bits, hash_count,
                     indices);
    for (uint32_t i = 0; i < hash_count; i++) {
        if (indices[i] >= size_bits)
            indices[i] %= size_bits;
    }
}

static const ss_scheme chain = {.id = SS_SCHEME_CHAIN,
                                .name = "chain",
                                .first_file_version = 1,
                                .min_hash_count = 1,
                                .max_hash_count = SS_SCHEME_MAX_INDICES,
                                .max_size_bits = SS_SCHEME_MAX_SIZE_BITS,
                                .max_seed = UINT64_MAX,
                                .indices = chain_indices};

static const ss_scheme enhanced_double = {
    .id = SS_SCHEME_ENHANCED_DOUBLE,
    .name = "enhanced-double",
    .first_file_version = 2,
    .min_hash_count = 1,
    .max_hash_count = SS_SCHEME_MAX_INDICES,
    .max_size_bits = SS_SCHEME_MAX_SIZE_BITS,
    .max_seed = UINT64_MAX,
    .indices = enhanced_indices};

static const ss_scheme caller = {.id = SS_SCHEME_CALLER,
                                 .name = "caller",
                                 .first_file_version = 2,
                                 .min_hash_count = 1,
                                 .max_hash_count = SS_SCHEME_MAX_INDICES,
                                 .max_size_bits = SS_SCHEME_MAX_SIZE_BITS,
                                 .indices = caller_indices};

/* No indices: the hash is in key_hash.c, and blocks are the layout's. */
static const ss_scheme parquet = {.id = SS_SCHEME_PARQUET,
                                  .name = "parquet",
                                  .first_file_version = 4,
                                  .min_hash_count = 8,
                                  .max_hash_count = 8,
                                  .max_size_bits = SS_SCHEME_MAX_SIZE_BITS,
                                  .hashed_layout = SEENSET_LAYOUT_SPLIT_BLOCK};

static const ss_scheme *const schemes[] = {
    &chain,
    &ss_scheme_murmur2a_fnv1a,
    &ss_scheme_murmur3_128,
    &ss_scheme_polynomial,
    &ss_scheme_md5_divmod,
    &enhanced_double,
    &caller,
    &ss_scheme_clickhouse_bloom,
    &ss_scheme_clickhouse_tokenbf,
    &ss_scheme_murmur2a_fnv1a_signed,
    &parquet,
    &ss_scheme_dcso,
    &ss_scheme_guava_mitz_64,
    &ss_scheme_guava_mitz_32,
    &ss_scheme_leveldb,
    &ss_scheme_rocksdb_legacy,
    &ss_scheme_rocksdb,
    &ss_scheme_bip37,
    &ss_scheme_redisbloom,
};

enum {
    SCHEME_COUNT = sizeof schemes / sizeof schemes[0]
};

const ss_scheme *ss_scheme_find(uint32_t id)
{
    for (size_t i = 0; i < SCHEME_COUNT; i++) {
        if (schemes[i]->id == id)
            return schemes[i];
    }
    return NULL;
}

const char *seenset_scheme_name(seenset_scheme scheme)
{
    const ss_scheme *found = ss_scheme_find(scheme);
    return found == NULL ? "unknown" : found->name;
}
