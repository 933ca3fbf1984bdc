/*
 * chain.h - a filter in RedisBloom's own form: a chain of Bloom filters.
 *
 * A filter that BF.LOADCHUNK brings from RedisBloom has its bits where
 * RedisBloom's hash puts them, so it is kept as it is, asked and added to by
 * the same rule, and dumped again as RedisBloom dumps it. It begins with a
 * header, little-endian and without padding, and then come the bits of each
 * link, the oldest first:
 *
 *     u64 size                 items of all links
 *     u32 count, options, growth
 *     each link, 53 bytes:
 *         u64 bytes, bits, size
 *         f64 error, bits per entry
 *         u32 hashes
 *         u64 entries          items that it was planned for
 *         u8  n2               bits is 2^n2, if this is not 0
 *
 * With a = MurmurHash64A(key, 0xc6a4a7935bd1e995) and b = MurmurHash64A(key, a)
 * an item sets bits (a + i b) mod bits, i below hashes; bit j is bit j mod 8 of
 * byte j / 8. An item goes to the newest link; when that has its entries, one
 * of growth times as many and half the error is added. Read from what
 * RedisBloom 2.4.18 and 8.2.0 reply to BF.SCANDUMP.
 *
 * A filter that BF.LOAD brings from valkey-bloom is kept in the same way, with
 * that one's hash and sizes (valkey_rule.h). The header's options then
 * have 16, and before its links come
 *
 *     u8  seed[32]             two keys of the hash
 *     f64 rate, tightening     the link after i others has rate tightening^i
 *
 * so RedisBloom, to which its length is wrong, refuses it.
 */
#ifndef SEENSET_REDIS_KEY_FOREIGN_CHAIN_H
#define SEENSET_REDIS_KEY_FOREIGN_CHAIN_H

#include <stdbool.h>

#include "key/foreign/valkey_rule.h"
#include "seenset/seenset.h"

enum {
    SR_CHAIN_HEAD_BYTES = 20,
    SR_CHAIN_LINK_BYTES = 53,
    SR_CHAIN_VALKEY_BYTES = SR_VALKEY_SEED_BYTES + 16,
    SR_CHAIN_MAX_LINKS = 1024, /* more than any chain that can be filled */

    SR_CHAIN_NO_ROUND = 1, /* sizes are not powers of two */
    SR_CHAIN_64_BITS = 4,  /* hashes of 64 bits: RedisBloom's filters all */
    SR_CHAIN_FIXED = 8,    /* NONSCALING */
    SR_CHAIN_VALKEY = 16,  /* valkey-bloom's hash and sizes */
    SR_CHAIN_ALL = 31
};

typedef struct sr_link {
    uint64_t bytes, bits, size;
    double error, bits_per_entry;
    uint32_t hashes;
    uint64_t entries;
    uint8_t n2;
    uint8_t *data;
} sr_link;

typedef struct sr_chain {
    uint64_t size;
    uint32_t count, options, growth;
    sr_link *links;
    uint32_t room; /* for links */
    /* SR_CHAIN_VALKEY */
    uint8_t seed[SR_VALKEY_SEED_BYTES];
    double rate, tightening;
} sr_chain;

/* Whether its hash and its sizes are valkey-bloom's. */
static inline bool sr_chain_is_valkey(const sr_chain *chain)
{
    return (chain->options & SR_CHAIN_VALKEY) != 0;
}

/*
 * The length of the header at the start of len bytes, and in *body_bytes that
 * of what follows it. Nothing is allocated. Returns 0: not a sound header.
 */
size_t sr_chain_head(const uint8_t *bytes, size_t len, uint64_t *body_bytes);

/* A chain with a header like this one's, and room for so many links, of which
 * it has none yet; NULL: no memory. */
sr_chain *sr_chain_new(const sr_chain *head, uint32_t room);

/* Plans the link after those of the chain, which is in valkey-bloom's form, for
 * so many items. Returns 0 or SEENSET_ETOOBIG. */
int sr_chain_plan_valkey(const sr_chain *chain, uint64_t entries,
                         sr_link *planned);

/* Appends a link with a copy of its bits; NULL: they are all zero. Returns 0,
 * SEENSET_ECORRUPT, SEENSET_ETOOBIG or SEENSET_ENOMEM. */
int sr_chain_append(sr_chain *chain, const sr_link *link, const uint8_t *bits);

/* Makes a chain of a header and all its bits. Returns 0, SEENSET_ECORRUPT or
 * SEENSET_ENOMEM. */
int sr_chain_open(sr_chain **out, const uint8_t *bytes, uint64_t len);

void sr_chain_free(sr_chain *chain);
sr_chain *sr_chain_copy(const sr_chain *chain);
uint64_t sr_chain_bytes(const sr_chain *chain);

/* 1 or 0. */
int sr_chain_has(const sr_chain *chain, const seenset_key *key);

/* 1, 0, SEENSET_EFULL, SEENSET_ETOOBIG or SEENSET_ENOMEM. */
int sr_chain_add(sr_chain *chain, const seenset_key *key);

/* The header's bytes, and the length of header and bits. */
size_t sr_chain_head_bytes(const sr_chain *chain);
uint64_t sr_chain_total_bytes(const sr_chain *chain);

/*
 * The bits from offset on, up to the end of a link and at most most_bytes: NULL
 * past the end.
 */
const uint8_t *sr_chain_part(const sr_chain *chain, uint64_t offset,
                             uint64_t most_bytes, size_t *len);

/* Hands over the header, or header and bits, in pieces; write returns 0. */
void sr_chain_write_head(const sr_chain *chain, seenset_write_function *write,
                         void *context);
void sr_chain_write(const sr_chain *chain, seenset_write_function *write,
                    void *context);

#endif
