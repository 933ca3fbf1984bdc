/*
 * murmur.h - the hashes that existing Bloom filters are made with: Austin
 * Appleby's MurmurHash2A (32 bits), MurmurHash64A, MurmurHash3_x86_32 and
 * MurmurHash3_x64_128, for reading and writing those filters. New sets do not
 * need them.
 */
#ifndef SS_HASH_MURMUR_H
#define SS_HASH_MURMUR_H

#include <stddef.h>
#include <stdint.h>

typedef struct ss_murmur_pair {
    uint64_t first;  /* h1: bytes 0 to 7 of the published hash */
    uint64_t second; /* h2: bytes 8 to 15 */
} ss_murmur_pair;

/* Of the length it takes in the low 32 bits, as published. */
uint32_t ss_murmur_2a(const void *key, size_t key_len, uint32_t seed);

uint64_t ss_murmur_64a(const void *key, size_t key_len, uint64_t seed);

/* Of the length, too. */
uint32_t ss_murmur_3_32(const void *key, size_t key_len, uint32_t seed);

ss_murmur_pair ss_murmur_3_128(const void *key, size_t key_len, uint32_t seed);

#endif
