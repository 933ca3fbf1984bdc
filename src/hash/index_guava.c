/*
 * index_guava.c - the two schemes of Guava's BloomFilter, which has them as
 * strategies. Both cut up one MurmurHash3_x64_128 with seed 0, h1 and h2.
 *
 * guava-mitz-64 (MURMUR128_MITZ_64, what Guava makes today):
 *
 *     place i = (h1 + i h2 mod 2^63) mod m           i = 0 .. k - 1
 *
 * guava-mitz-32 (MURMUR128_MITZ_32): a and b are the low and the high half of
 * h1, as signed 32-bit numbers; where a + i b, which wraps around, is negative,
 * all its bits are inverted:
 *
 *     place i = |a + i b| mod m                      i = 1 .. k
 *
 * A place is below 2^31 then, so no more than 2^31 bits can ever be used and
 * larger tables are refused. Sums wrap around, and a sign bit is the uppermost
 * one, so all of it is done with unsigned numbers.
 */
#include "base/inlining.h"
#include "base/wide.h"
#include "hash/index_scheme.h"
#include "hash/murmur.h"

static SS_ALWAYS_INLINE void mitz_64(const ss_divisor *size, const void *key,
                                     size_t key_len, uint32_t hash_count,
                                     uint64_t *indices)
{
    ss_murmur_pair hash = ss_murmur_3_128(key, key_len, 0);
    for (uint32_t i = 0; i < hash_count; i++) {
        indices[i] = ss_divisor_rest(size, hash.first & INT64_MAX);
        hash.first += hash.second;
    }
}

static void mitz_64_indices(const ss_scheme_arguments *arguments,
                            const void *key, size_t key_len, uint64_t size_bits,
                            uint32_t hash_count, uint64_t *indices)
{
    ss_divisor size = ss_divisor_of(size_bits);
    (void)arguments;
    mitz_64(&size, key, key_len, hash_count, indices);
}

static void mitz_64_indices_of_many(const ss_scheme_arguments *arguments,
                                    const seenset_key *keys, size_t count,
                                    uint64_t size_bits, uint32_t hash_count,
                                    uint64_t *indices)
{
    ss_divisor size = ss_divisor_of(size_bits);
    (void)arguments;
    for (size_t i = 0; i < count; i++, indices += hash_count)
        mitz_64(&size, keys[i].data, keys[i].len, hash_count, indices);
}

static void mitz_32_indices(const ss_scheme_arguments *arguments,
                            const void *key, size_t key_len, uint64_t size_bits,
                            uint32_t hash_count, uint64_t *indices)
{
    ss_divisor size = ss_divisor_of(size_bits);
    uint64_t hash = ss_murmur_3_128(key, key_len, 0).first;
    uint32_t sum = (uint32_t)hash, step = (uint32_t)(hash >> 32);
    (void)arguments;
    for (uint32_t i = 0; i < hash_count; i++) {
        sum += step;
        indices[i] = ss_divisor_rest(&size, sum > INT32_MAX ? ~sum : sum);
    }
}

const ss_scheme ss_scheme_guava_mitz_64 = {
    .id = SS_SCHEME_GUAVA_MITZ_64,
    .name = "guava-mitz-64",
    .first_file_version = 4,
    .min_hash_count = 1,
    .max_hash_count = SS_SCHEME_MAX_INDICES,
    .max_size_bits = SS_SCHEME_MAX_SIZE_BITS,
    .indices = mitz_64_indices,
    .indices_of_many = mitz_64_indices_of_many};

const ss_scheme ss_scheme_guava_mitz_32 = {.id = SS_SCHEME_GUAVA_MITZ_32,
                                           .name = "guava-mitz-32",
                                           .first_file_version = 4,
                                           .min_hash_count = 1,
                                           .max_hash_count =
                                               SS_SCHEME_MAX_INDICES,
                                           .max_size_bits = UINT64_C(1) << 31,
                                           .indices = mitz_32_indices};
