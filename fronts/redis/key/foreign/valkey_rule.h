/*
 * valkey_rule.h - valkey-bloom's rule: which bits an item has, and how large a
 * filter is.
 *
 * With a and b the SipHash-1-3 of an item under the seed's first and second
 * half, the item's bits are a, b, and for i from 2 on (a + i b) mod p, each mod
 * the number of bits; p is 2^64 - 59, the largest prime of 64 bits. Bit j is
 * bit j mod 8 of byte j / 8.
 *
 * The filter after i others has rate tightening^i, and expansion times as many
 * items as the one before it. For n items at a rate of p it has
 * n ln p / (-8 ln(2)^2) bytes, rounded up, and of m bits m / n ln(2) hashes,
 * rounded. Read from the source of valkey-bloom 1.0 and of the crate
 * bloomfilter 3.0.1.
 */
#ifndef SEENSET_REDIS_KEY_FOREIGN_VALKEY_RULE_H
#define SEENSET_REDIS_KEY_FOREIGN_VALKEY_RULE_H

#include "seenset/seenset.h"

enum {
    SR_VALKEY_SEED_BYTES = 32
};

/* Items that a filter may be for. */
#define SR_VALKEY_MAX_ITEMS (UINT64_C(1) << 53)

/* An item's hashes, a and b. */
void sr_valkey_hash(const uint8_t seed[SR_VALKEY_SEED_BYTES],
                    const seenset_key *key, uint64_t *a, uint64_t *b);

/* The item's i-th bit, not yet mod the number of bits. */
uint64_t sr_valkey_bit(uint64_t a, uint64_t b, uint32_t i);

/* The rate of the filter after i others. */
double sr_valkey_rate(double rate, double tightening, uint32_t i);

typedef struct sr_valkey_size {
    double rate;
    uint64_t bytes;
    uint32_t hashes;
} sr_valkey_size;

/* How large the filter after i others is. Returns 0, or SEENSET_ETOOBIG: its
 * rate would be next to 0, or its size more than can be. */
int sr_valkey_plan(double rate, double tightening, uint32_t i, uint64_t items,
                   sr_valkey_size *size);

#endif
