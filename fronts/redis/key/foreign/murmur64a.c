/* murmur64a.c - see murmur64a.h */
#include "key/foreign/murmur64a.h"

static const uint64_t factor = 0xc6a4a7935bd1e995;

/* The count bytes at `bytes`, the least significant first. */
static uint64_t load(const uint8_t *bytes, size_t count)
{
    uint64_t word = 0;
    for (size_t i = 0; i < count; i++)
        word |= (uint64_t)bytes[i] << (8 * i);
    return word;
}

static uint64_t mixed(uint64_t word)
{
    word *= factor;
    word ^= word >> 47;
    return word * factor;
}

uint64_t sr_murmur64a(const void *key, size_t len, uint64_t seed)
{
    const uint8_t *bytes = key;
    uint64_t hash = seed ^ (len * factor);
    size_t whole = len / 8 * 8;
    for (size_t at = 0; at < whole; at += 8)
        hash = (hash ^ mixed(load(bytes + at, 8))) * factor;
    if (whole < len)
        hash = (hash ^ load(bytes + whole, len - whole)) * factor;
    hash ^= hash >> 47;
    hash *= factor;
    return hash ^ (hash >> 47);
}
