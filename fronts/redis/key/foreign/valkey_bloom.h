/*
 * valkey_bloom.h - a chain whose filters are valkey-bloom's.
 *
 * What BF.LOAD takes, and valkey-bloom writes to a rewritten log, is one byte,
 * 1, and then these, little-endian and without padding:
 *
 *     u32 expansion            0: the filter does not grow
 *     f64 rate, tightening
 *     u8  is the seed random   0 or 1; the seed is in each filter
 *     u64 count of filters, and for each, the oldest first:
 *         u64 bytes that follow, up to its bits' end
 *         u8  1
 *         u64 bytes of its bits
 *         u32 hashes
 *         u8  seed[32]         the same in all
 *         u8  bits[]
 *         i64 items, capacity
 *
 * Read from the source of valkey-bloom 1.0 and of the crates bloomfilter 3.0.1
 * and bincode 1.3.3. valkey_rule.h has which bits are an item's.
 */
#ifndef SEENSET_REDIS_KEY_FOREIGN_VALKEY_BLOOM_H
#define SEENSET_REDIS_KEY_FOREIGN_VALKEY_BLOOM_H

#include "key/foreign/chain.h"

/* Makes a chain of what BF.LOAD takes. Returns 0, SEENSET_ECORRUPT,
 * SEENSET_EUNSUPPORTED (another version) or SEENSET_ENOMEM. */
int sr_valkey_open(sr_chain **out, const uint8_t *bytes, size_t len);

/* An empty filter's seed, sizes and growth. */
typedef struct sr_valkey_filter {
    uint8_t seed[SR_VALKEY_SEED_BYTES];
    double rate, tightening;
    uint64_t capacity;
    uint32_t expansion;
} sr_valkey_filter;

/* How many items it will have room for when it has grown, and in *bytes its
 * bits by then: as soon as that is until_items, or as far as its rate, its size
 * and the number of its filters let it. 0: it cannot be. */
uint64_t sr_valkey_scaled(const sr_valkey_filter *filter, uint64_t until_items,
                          uint64_t *bytes);

/* What a chain in valkey-bloom's form was at first. */
sr_valkey_filter sr_valkey_filter_of(const sr_chain *chain);

/* Makes it. Returns 0, SEENSET_ETOOBIG or SEENSET_ENOMEM. */
int sr_valkey_new(sr_chain **out, const sr_valkey_filter *filter);

#endif
