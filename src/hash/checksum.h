/*
 * checksum.h - XXH3-64 of a file's bytes: of all at once, under a seed, or as
 * they come.
 *
 * Keys are hashed where a call would cost (xxh3.h). Here bytes come by the
 * block, so there is one copy of the code, as 7 kB a file would be too many.
 */
#ifndef SS_HASH_CHECKSUM_H
#define SS_HASH_CHECKSUM_H

#include "hash/xxh3.h"

uint64_t ss_checksum_of(const void *bytes, size_t size_bytes, uint64_t seed);

void ss_checksum_start(XXH3_state_t *state);
void ss_checksum_add(XXH3_state_t *state, const void *bytes, size_t size_bytes);
uint64_t ss_checksum_end(const XXH3_state_t *state);

#endif
