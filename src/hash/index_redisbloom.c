/*
 * index_redisbloom.c - the scheme of RedisBloom's filters, those of hashes of
 * 64 bits, which all servers make:
 *
 *     a = MurmurHash64A(key, seed 0xc6a4a7935bd1e995)
 *     b = MurmurHash64A(key, seed a)
 *     place i = (a + i b mod 2^64) mod m             i = 0 .. k - 1
 *
 * It is plain double hashing, with the limit that index_scheme.c explains.
 * Found in what RedisBloom 2.4.18 and 8.2.0 reply to BF.SCANDUMP.
 */
#include "base/wide.h"
#include "hash/index_scheme.h"
#include "hash/murmur.h"

static const uint64_t first_seed = UINT64_C(0xc6a4a7935bd1e995);

static void redisbloom_indices(const ss_scheme_arguments *arguments,
                               const void *key, size_t key_len,
                               uint64_t size_bits, uint32_t hash_count,
                               uint64_t *indices)
{
    ss_divisor size = ss_divisor_of(size_bits);
    uint64_t sum = ss_murmur_64a(key, key_len, first_seed);
    uint64_t step = ss_murmur_64a(key, key_len, sum);
    (void)arguments;
    for (uint32_t i = 0; i < hash_count; i++, sum += step)
        indices[i] = ss_divisor_rest(&size, sum);
}

const ss_scheme ss_scheme_redisbloom = {.id = SS_SCHEME_REDISBLOOM,
                                        .name = "redisbloom",
                                        .first_file_version = 4,
                                        .min_hash_count = 1,
                                        .max_hash_count = SS_SCHEME_MAX_INDICES,
                                        .max_size_bits =
                                            SS_SCHEME_MAX_SIZE_BITS,
                                        .indices = redisbloom_indices};
