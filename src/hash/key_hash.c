/* identity.c - plain, keyed or by a scheme; the idea is in identity.h */
#define _DEFAULT_SOURCE /* getentropy */
#include "hash/key_hash.h"

#include <sodium.h>
#include <string.h>
#include <unistd.h>

#include "base/bits.h"

_Static_assert(SEENSET_SECRET_BYTES == crypto_shorthash_siphashx24_KEYBYTES,
               "the secret is a SipHash key");

int seenset_make_secret(uint8_t secret[SEENSET_SECRET_BYTES])
{
    if (secret == NULL)
        return SEENSET_EINVAL;
    return getentropy(secret, SEENSET_SECRET_BYTES) == 0 ? SEENSET_OK
                                                         : SEENSET_EIO;
}

int ss_key_hash_make(ss_key_hash *identity, uint32_t scheme,
                     const uint8_t *secret, seenset_index_function *function,
                     void *context)
{
    *identity =
        (ss_key_hash){.hash = SS_HASH_XXH3_64, .scheme = SS_SCHEME_CHAIN};
    bool is_chain = scheme == 0 || scheme == SS_SCHEME_CHAIN;
    bool is_caller = scheme == SS_SCHEME_CALLER;
    if ((!is_chain && (ss_scheme_find(scheme) == NULL || secret != NULL)) ||
        is_caller != (function != NULL))
        return SEENSET_EINVAL;
    if (secret != NULL) {
        identity->hash = SS_HASH_SIPHASH_2_4_128;
        memcpy(identity->secret, secret, SEENSET_SECRET_BYTES);
    }
    if (!is_chain) {
        identity->hash = SS_HASH_OF_SCHEME;
        identity->scheme = scheme;
        identity->caller =
            (ss_scheme_caller){.function = function, .context = context};
    }
    return SEENSET_OK;
}

bool ss_key_hash_is_same(const ss_key_hash *a, const ss_key_hash *b)
{
    return a->hash == b->hash && a->scheme == b->scheme &&
           sodium_memcmp(a->secret, b->secret, sizeof a->secret) == 0 &&
           a->caller.function == b->caller.function &&
           a->caller.context == b->caller.context;
}

uint64_t ss_key_hash_of(const ss_key_hash *identity, const void *key,
                        size_t key_len)
{
    uint8_t digest[crypto_shorthash_siphashx24_BYTES];
    if (identity->hash == SS_HASH_XXH3_64)
        return ss_hash_key(key, key_len);
    crypto_shorthash_siphashx24(digest, key, key_len, identity->secret);
    return ss_bits_load(digest, 8);
}

/* Two indices of a large table, as one number. */
static uint64_t check_of_scheme(const ss_key_hash *identity)
{
    enum {
        CHECK_BITS = 1 << 25,
        CHECK_COUNT = 2
    };
    uint64_t indices[CHECK_COUNT] = {0};
    ss_scheme_find(identity->scheme)
        ->indices(&identity->caller, "seenset", 7, CHECK_BITS, CHECK_COUNT,
                  indices);
    return indices[0] << 32 | indices[1];
}

uint64_t ss_key_hash_check(const ss_key_hash *identity)
{
    return ss_key_hash_is_hash(identity)
               ? ss_key_hash_of(identity, "seenset", 7)
               : check_of_scheme(identity);
}

void ss_key_hash_wipe(ss_key_hash *identity)
{
    sodium_memzero(identity->secret, sizeof identity->secret);
}
