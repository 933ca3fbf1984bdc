/*
 * key_hash.h - how a set turns keys into places: what must be the same for two
 * sets to be merged, and for a file to be opened.
 *
 *     plain    XXH3-64, then the chain of xxh3.h
 *     seeded   the same with a seed that is not 0
 *     keyed    the first half of SipHash-2-4-128 under a secret, then the chain
 *     parquet  XXH64 with seed 0, and then split blocks, without the chain
 *     scheme   an index scheme (index_scheme.h), which needs the key itself
 *
 * A file names which, has the arguments, and holds a check value: what this
 * very function makes of the seven bytes "seenset". The check value of a keyed
 * set tells a right secret from a wrong one and, SipHash being what it is,
 * nothing more.
 */
#ifndef SS_HASH_KEY_HASH_H
#define SS_HASH_KEY_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/export.h"
#include "hash/index_scheme.h"
#include "seenset/hash.h"
#include "seenset/seenset.h"

/* Ids in a file. */
enum {
    SS_HASH_OF_SCHEME = 0,
    SS_HASH_SIPHASH_2_4_128 = 2,
    SS_HASH_XXH3_64_SEEDED = 3,
    SS_HASH_XXH64 = 4
};

typedef struct ss_key_hash {
    uint32_t hash;
    uint16_t scheme;
    bool is_locked; /* keyed by a secret that is not known: `secret` begins with
                       its check value, and no key can be hashed */
    uint8_t secret[SEENSET_SECRET_BYTES]; /* zeros unless keyed */
    ss_scheme_arguments arguments;        /* whose seeds someone else has */
} ss_key_hash;

/* scheme 0 means the chain; secret may be NULL. SEENSET_EINVAL if they, and
 * the caller's function among the arguments, do not go together. */
SS_EXPORT int ss_key_hash_make(ss_key_hash *identity, uint32_t scheme,
                               const uint8_t *secret,
                               const ss_scheme_arguments *arguments);

static inline bool ss_key_hash_is_unkeyed(const ss_key_hash *identity)
{
    return identity->hash == SS_HASH_XXH3_64;
}

/* Hashed under a secret? */
static inline bool ss_key_hash_is_keyed(const ss_key_hash *identity)
{
    return identity->hash == SS_HASH_SIPHASH_2_4_128;
}

/* Hashed to 64 bits, and not as tables hash keys themselves? */
static inline bool ss_key_hash_is_apart(const ss_key_hash *identity)
{
    return identity->hash == SS_HASH_SIPHASH_2_4_128 ||
           identity->hash == SS_HASH_XXH3_64_SEEDED ||
           identity->hash == SS_HASH_XXH64;
}

/* Do places come from a 64-bit hash? */
static inline bool ss_key_hash_is_hash(const ss_key_hash *identity)
{
    return identity->hash != SS_HASH_OF_SCHEME;
}

/* The hash of a set of a scheme that is not the chain. */
static inline uint32_t ss_key_hash_for_scheme(uint32_t scheme)
{
    return scheme == SS_SCHEME_PARQUET ? SS_HASH_XXH64 : SS_HASH_OF_SCHEME;
}

/* Keyed, by a secret that is not known: only what a file says of it is. */
void ss_key_hash_lock(ss_key_hash *identity, uint64_t check);

/* Those that are locked are the same as none. */
bool ss_key_hash_is_same(const ss_key_hash *a, const ss_key_hash *b);

/* The hash of a key, of an identity that is hashed. */
SS_EXPORT uint64_t ss_key_hash_of(const ss_key_hash *identity, const void *key,
                                  size_t key_len);

/* The hashes of many keys: those of eight bytes, of Parquet's integers, cost a
 * few instructions each and no call. */
void ss_key_hash_many(const ss_key_hash *identity, const seenset_key *keys,
                      size_t count, uint64_t *hashes);

SS_EXPORT uint64_t ss_key_hash_check(const ss_key_hash *identity);

/* The first version of the file format that can hold it. */
uint32_t ss_key_hash_file_version(const ss_key_hash *identity);

/* Leaves nothing of a secret in memory. */
SS_EXPORT void ss_key_hash_wipe(ss_key_hash *identity);

#endif
