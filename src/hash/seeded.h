/*
 * seeded.h - where a list keeps a hash that a stranger may have chosen.
 *
 * Anyone can compute the hashes of an unkeyed set, and can write any into a
 * journal. A list whose places follow from the hash alone can then be made as
 * slow as a list without places: all hashes want one place. So each list draws
 * a seed when it is made, and the seed decides the places. A file that was
 * written before the seed was drawn cannot be made for it.
 */
#ifndef SS_HASH_SEEDED_H
#define SS_HASH_SEEDED_H

#include "base/random.h"
#include "hash/xxh3.h"

/* A seed for the list at `list`. Where the system has no random bytes it is
 * that address, which differs from run to run on most systems. */
static inline uint64_t ss_seeded_draw(const void *list)
{
    uint64_t seed;
    return ss_random_fill(&seed, sizeof seed) ? seed
                                              : (uint64_t)(uintptr_t)list;
}

/* 64 bits of which any make a place. */
static inline uint64_t ss_seeded_mix(uint64_t hash, uint64_t seed)
{
    return XXH3_64bits_withSeed(&hash, sizeof hash, seed);
}

#endif
