/* key_hash.c - plain, keyed or by a scheme; the idea is in key_hash.h */
#include "hash/key_hash.h"

#include <string.h>

#include "base/random.h"
#include "hash/siphash.h"

_Static_assert(SEENSET_SECRET_BYTES == (int)SS_SIPHASH_SECRET_BYTES,
               "the secret is a SipHash key");

#ifdef SS_HASH_ONE_COPY
uint64_t ss_hash_bytes(const void *key, size_t key_len)
{
    return XXH3_64bits(key, key_len);
}
#endif

uint64_t seenset_hash(const void *key, size_t key_len)
{
    return ss_hash_key(key, key == NULL ? 0 : key_len);
}

int seenset_make_secret(uint8_t secret[SEENSET_SECRET_BYTES])
{
    if (secret == NULL)
        return SEENSET_EINVAL;
    return ss_random_fill(secret, SEENSET_SECRET_BYTES) ? SEENSET_OK
                                                        : SEENSET_EIO;
}

int ss_key_hash_make(ss_key_hash *identity, uint32_t scheme,
                     const uint8_t *secret,
                     const ss_scheme_arguments *arguments)
{
    const ss_scheme *row =
        ss_scheme_find(scheme == 0 ? SS_SCHEME_CHAIN : scheme);
    bool has_function = arguments->caller.function != NULL;
    if (row == NULL || !ss_scheme_takes(row, arguments) ||
        has_function != (row->id == SS_SCHEME_CALLER))
        return SEENSET_EINVAL;
    bool is_chain = row->id == SS_SCHEME_CHAIN;
    if (secret != NULL && (!is_chain || ss_scheme_has_arguments(arguments)))
        return SEENSET_EINVAL;
    *identity = (ss_key_hash){.hash = ss_key_hash_for_scheme(row->id),
                              .scheme = (uint16_t)row->id,
                              .arguments = *arguments};
    if (is_chain)
        identity->hash =
            arguments->seed == 0 ? SS_HASH_XXH3_64 : SS_HASH_XXH3_64_SEEDED;
    if (secret != NULL) {
        identity->hash = SS_HASH_SIPHASH_2_4_128;
        memcpy(identity->secret, secret, SEENSET_SECRET_BYTES);
    }
    return SEENSET_OK;
}

void ss_key_hash_lock(ss_key_hash *identity, uint64_t check)
{
    identity->is_locked = true;
    memset(identity->secret, 0, sizeof identity->secret);
    memcpy(identity->secret, &check, sizeof check);
}

/* Takes as long wherever the two differ, so that time reveals nothing. */
static bool is_same_secret(const uint8_t *a, const uint8_t *b)
{
    unsigned differing = 0;
    for (int i = 0; i < SEENSET_SECRET_BYTES; i++)
        differing |= a[i] ^ b[i];
    return differing == 0;
}

bool ss_key_hash_is_same(const ss_key_hash *a, const ss_key_hash *b)
{
    return !a->is_locked && !b->is_locked && a->hash == b->hash &&
           a->scheme == b->scheme && is_same_secret(a->secret, b->secret) &&
           ss_scheme_is_same(&a->arguments, &b->arguments);
}

uint64_t ss_key_hash_of(const ss_key_hash *identity, const void *key,
                        size_t key_len)
{
    switch (identity->hash) {
    case SS_HASH_XXH3_64:
        return ss_hash_key(key, key_len);
    case SS_HASH_XXH3_64_SEEDED:
        return XXH3_64bits_withSeed(key, key_len, identity->arguments.seed);
    case SS_HASH_XXH64:
        return XXH64(key, key_len, 0);
    default:
        return ss_siphash_2_4_128(key, key_len, identity->secret);
    }
}

/* XXH64 of eight bytes, seed 0 (the XXH64 specification: an input of less than
 * 32 bytes, one lane of eight, and the final mix). */
static SS_ALWAYS_INLINE uint64_t hash_eight_bytes(const void *key)
{
    uint64_t lane = XXH_readLE64(key) * XXH_PRIME64_2;
    uint64_t x = XXH_PRIME64_5 + 8;
    x ^= ss_hash_rotate(lane, 31) * XXH_PRIME64_1;
    x = ss_hash_rotate(x, 27) * XXH_PRIME64_1 + XXH_PRIME64_4;
    x = (x ^ x >> 33) * XXH_PRIME64_2;
    x = (x ^ x >> 29) * XXH_PRIME64_3;
    return x ^ x >> 32;
}

/* Apart, so that the loop over keys of eight bytes keeps to registers. */
static SS_NOINLINE uint64_t hash_other_bytes(const void *key, size_t key_len)
{
    return XXH64(key, key_len, 0);
}

static void hash_for_parquet(const seenset_key *keys, size_t count,
                             uint64_t *hashes)
{
    for (size_t i = 0; i < count; i++)
        hashes[i] = keys[i].len == 8
                        ? hash_eight_bytes(keys[i].data)
                        : hash_other_bytes(keys[i].data, keys[i].len);
}

void ss_key_hash_many(const ss_key_hash *identity, const seenset_key *keys,
                      size_t count, uint64_t *hashes)
{
    if (identity->hash == SS_HASH_XXH64) {
        hash_for_parquet(keys, count, hashes);
        return;
    }
    for (size_t i = 0; i < count; i++)
        hashes[i] = ss_key_hash_of(identity, keys[i].data, keys[i].len);
}

/* Two indices of a large table, as one number; the second is 0 if the scheme
 * makes one only. */
static uint64_t check_of_scheme(const ss_key_hash *identity)
{
    enum {
        CHECK_BITS = 1 << 25,
        CHECK_COUNT = 2
    };
    uint64_t indices[CHECK_COUNT] = {0};
    const ss_scheme *scheme = ss_scheme_find(identity->scheme);
    uint32_t most = ss_scheme_max_hash_count(scheme, &identity->arguments);
    scheme->indices(&identity->arguments, "seenset", 7, CHECK_BITS,
                    most < CHECK_COUNT ? most : CHECK_COUNT, indices);
    return indices[0] << 32 | indices[1];
}

uint64_t ss_key_hash_check(const ss_key_hash *identity)
{
    uint64_t check;
    memcpy(&check, identity->secret, sizeof check);
    if (identity->is_locked)
        return check;
    return ss_key_hash_is_hash(identity)
               ? ss_key_hash_of(identity, "seenset", 7)
               : check_of_scheme(identity);
}

uint32_t ss_key_hash_file_version(const ss_key_hash *identity)
{
    uint32_t first = ss_scheme_find(identity->scheme)->first_file_version;
    return ss_scheme_has_arguments(&identity->arguments) ? 4 : first;
}

void ss_key_hash_wipe(ss_key_hash *identity)
{
    /* volatile: else a compiler leaves out what nobody reads afterwards */
    volatile uint8_t *secret = identity->secret;
    for (size_t i = 0; i < sizeof identity->secret; i++)
        secret[i] = 0;
}
