/*
 * index_bip37.c - the scheme of Bitcoin's Bloom filters (BIP-37), which a
 * wallet sends to a node so that this one returns what concerns it:
 *
 *     place i = MurmurHash3_x86_32(key, seed i * 0xfba4c795 + tweak) mod m
 *
 * for i = 0 .. k - 1, with seeds modulo 2^32. The tweak, a number of the
 * filter's own, is the seed of the scheme. A filter has whole bytes, at most
 * 36,000, and at most 50 places a key. The hashes are independent, so the
 * formulas of the classic filter hold.
 */
#include "hash/index_scheme.h"
#include "hash/murmur.h"

enum {
    MOST_BYTES = 36000,
    MOST_HASHES = 50
};

static void bip37_indices(const ss_scheme_arguments *arguments, const void *key,
                          size_t key_len, uint64_t size_bits,
                          uint32_t hash_count, uint64_t *indices)
{
    uint32_t seed = (uint32_t)arguments->seed;
    for (uint32_t i = 0; i < hash_count; i++, seed += 0xfba4c795u)
        indices[i] = ss_murmur_3_32(key, key_len, seed) % size_bits;
}

const ss_scheme ss_scheme_bip37 = {.id = SS_SCHEME_BIP37,
                                   .name = "bip37",
                                   .first_file_version = 4,
                                   .min_hash_count = 1,
                                   .max_hash_count = MOST_HASHES,
                                   .max_size_bits = 8 * MOST_BYTES,
                                   .size_rule = SS_SCHEME_WHOLE_BYTES,
                                   .max_seed = UINT32_MAX,
                                   .indices = bip37_indices};
