/*
 * identity.h - how a set turns keys into places: what must be the same for two
 * sets to be merged, and for a file to be opened.
 *
 *     plain    XXH3-64, then the chain of hash.h
 *     keyed    the first half of SipHash-2-4-128 under a secret, then the chain
 *     scheme   an index scheme (scheme.h), which needs the key itself
 *
 * A file says which, and holds a check value: what this very function makes of
 * the seven bytes "seenset". The check value of a keyed set tells a right
 * secret from a wrong one and, SipHash being what it is, nothing more.
 */
#ifndef SS_IDENTITY_H
#define SS_IDENTITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scheme.h"
#include "seenset/seenset.h"

/* Ids in a file. */
enum {
    SS_HASH_OF_SCHEME = 0,
    SS_HASH_SIPHASH_2_4_128 = 2
};

typedef struct ss_identity {
    uint32_t hash;
    uint32_t scheme;
    uint8_t secret[SEENSET_SECRET_BYTES]; /* zeros unless keyed */
    ss_scheme_caller caller;              /* of the scheme "caller" */
} ss_identity;

/* scheme 0 means the chain; secret and function may be NULL. SEENSET_EINVAL
 * if they do not go together. */
int ss_identity_make(ss_identity *identity, uint32_t scheme,
                     const uint8_t *secret, seenset_index_function *function,
                     void *context);

static inline bool ss_identity_is_plain(const ss_identity *identity)
{
    return identity->hash == SS_HASH_XXH3_64;
}

/* Hashed under a secret? */
static inline bool ss_identity_is_keyed(const ss_identity *identity)
{
    return identity->hash == SS_HASH_SIPHASH_2_4_128;
}

/* Do places come from a 64-bit hash? */
static inline bool ss_identity_is_hashed(const ss_identity *identity)
{
    return identity->hash != SS_HASH_OF_SCHEME;
}

bool ss_identity_is_same(const ss_identity *a, const ss_identity *b);

/* The hash of a key, of an identity that is hashed. */
uint64_t ss_identity_hash(const ss_identity *identity, const void *key,
                          size_t key_len);

uint64_t ss_identity_check(const ss_identity *identity);

/* Leaves nothing of a secret in memory. */
void ss_identity_forget(ss_identity *identity);

#endif
