/*
 * shard.c - which shard a hash belongs to.
 *
 * Every layout takes the upper bits of a hash to choose a block, a unit or a
 * segment, and others of its bits for the rest. So if all keys of a set share
 * some bits, most of its blocks are never chosen, and the others overflow. A
 * shard therefore must not be a part of the hash, but a number that depends on
 * all 64 bits in another way:
 *
 *     y = hash
 *     y = (y XOR y >> 27) * 0x3C79AC492BA7B653
 *     y = (y XOR y >> 33) * 0x1C69B3F74AC4AE35
 *     y = y XOR y >> 27                          shard = floor(y shards / 2^64)
 *
 * The steps are a bijection (Evensen 2019, "Moremur"), in which each bit of the
 * hash changes each bit of y with a probability of about 1/2. Their factors are
 * not those of the chain (xxh3.h), of which the tables take their places. As y
 * takes each value once, two shards differ by one of 2^64 hashes at most.
 *
 * It is the same for ever: programs and machines divide keys by it.
 */
#include "hash/xxh3.h"
#include "seenset/hash.h"

uint32_t seenset_shard(uint64_t hash, uint32_t shards)
{
    uint64_t y = hash;
    y = (y ^ y >> 27) * UINT64_C(0x3C79AC492BA7B653);
    y = (y ^ y >> 33) * UINT64_C(0x1C69B3F74AC4AE35);
    return (uint32_t)ss_hash_range(y ^ y >> 27, shards);
}
