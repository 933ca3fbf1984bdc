/*
 * index_dcso.c - the scheme of DCSO's bloom, in which CIRCL publishes its list
 * of known files (hashlookup).
 *
 * A key is hashed by FNV-1, 64 bits, and reduced modulo the largest prime below
 * 2^64, p = 2^64 - 59. Each of the k places multiplies what the
 * last one left, as 64-bit numbers do, and reduces it again, by p at most once:
 *
 *     h[0] = FNV-1(key) mod p       h[i+1] = (h[i] g mod 2^64) mod p
 *     place i = h[i+1] mod m        g = 2^64 - 1469
 *
 * A hash of 0 stays 0, and all places are 0 then.
 */
#include "base/wide.h"
#include "hash/index_scheme.h"

static const uint64_t fnv_basis = UINT64_C(14695981039346656037);
static const uint64_t fnv_prime = UINT64_C(1099511628211);
static const uint64_t dcso_prime = UINT64_C(18446744073709551557);
static const uint64_t dcso_factor = UINT64_C(18446744073709550147);

/* FNV-1, 64 bits (Fowler, Noll, Vo): multiplied first. */
static uint64_t fnv_1(const unsigned char *bytes, size_t count)
{
    uint64_t hash = fnv_basis;
    for (size_t i = 0; i < count; i++)
        hash = hash * fnv_prime ^ bytes[i];
    return hash;
}

static uint64_t reduce(uint64_t hash)
{
    return hash >= dcso_prime ? hash - dcso_prime : hash;
}

static void dcso_indices(const ss_scheme_arguments *arguments, const void *key,
                         size_t key_len, uint64_t size_bits,
                         uint32_t hash_count, uint64_t *indices)
{
    ss_divisor size = ss_divisor_of(size_bits);
    uint64_t hash = reduce(fnv_1(key, key_len));
    (void)arguments;
    for (uint32_t i = 0; i < hash_count; i++) {
        hash = reduce(hash * dcso_factor);
        indices[i] = ss_divisor_rest(&size, hash);
    }
}

const ss_scheme ss_scheme_dcso = {.id = SS_SCHEME_DCSO,
                                  .name = "dcso",
                                  .first_file_version = 4,
                                  .min_hash_count = 1,
                                  .max_hash_count = SS_SCHEME_MAX_INDICES,
                                  .max_size_bits = SS_SCHEME_MAX_SIZE_BITS,
                                  .indices = dcso_indices};
