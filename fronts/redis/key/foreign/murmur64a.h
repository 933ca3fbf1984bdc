/*
 * murmur64a.h - MurmurHash64A (Austin Appleby, 2008, public domain), which
 * RedisBloom's filters are made with.
 */
#ifndef SEENSET_REDIS_KEY_FOREIGN_MURMUR64A_H
#define SEENSET_REDIS_KEY_FOREIGN_MURMUR64A_H

#include <stddef.h>
#include <stdint.h>

uint64_t sr_murmur64a(const void *key, size_t len, uint64_t seed);

#endif
