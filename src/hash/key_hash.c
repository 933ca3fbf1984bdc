/* key_hash.c - plain, keyed or by a scheme; the idea is in key_hash.h */
#include "hash/key_hash.h"

#include <string.h>

#include "base/random.h"
#include "hash/siphash.h"

_Static_assert(SEENSET_SECRET_BYTES == (int)SS_SIPHASH_SECRET_BYTES,
               "the secret is a SipHash key");

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
    return a->hash == b->hash && a->scheme == b->scheme &&
           is_same_secret(a->secret, b->secret) &&
           a->caller.function == b->caller.function &&
           a->caller.context == b->caller.context;
}

uint64_t ss_key_hash_of(const ss_key_hash *identity, const void *key,
                        size_t key_len)
{
    return identity->hash == SS_HASH_XXH3_64
               ? ss_hash_key(key, key_len)
               : ss_siphash_2_4_128(key, key_len, identity->secret);
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
    /* volatile: else a compiler leaves out what nobody reads afterwards */
    volatile uint8_t *secret = identity->secret;
    for (size_t i = 0; i < sizeof identity->secret; i++)
        secret[i] = 0;
}
