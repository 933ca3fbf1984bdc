/*
 * persist_parts.h - what writing and reading a value have in common.
 */
#ifndef SEENSET_REDIS_PERSIST_PARTS_H
#define SEENSET_REDIS_PERSIST_PARTS_H

#include "seenset/hash.h"

#define SR_FLAG_KEYED 1u
#define SR_FLAG_SET 2u
#define SR_FLAG_INCOMING 4u
#define SR_FLAG_CHAIN 8u
#define SR_FLAG_CUCKOO 16u
#define SR_ALL_FLAGS 31u

enum {
    SR_CHUNK_BYTES = 1 << 16
};

/* The sum of a string and those before it; 0 before the first. */
static inline uint64_t sr_sum(uint64_t before, const void *bytes, size_t len)
{
    uint64_t own = seenset_hash(bytes, len);
    uint8_t both[16]; /* the same on every machine */
    for (int i = 0; i < 8; i++) {
        both[i] = (uint8_t)(before >> (8 * i));
        both[8 + i] = (uint8_t)(own >> (8 * i));
    }
    return seenset_hash(both, sizeof both);
}

#endif
