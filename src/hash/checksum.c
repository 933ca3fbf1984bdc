/* checksum.c - see checksum.h */
#include "hash/checksum.h"

uint64_t ss_checksum_of(const void *bytes, size_t size_bytes, uint64_t seed)
{
    return XXH3_64bits_withSeed(bytes, size_bytes, seed);
}

void ss_checksum_start(XXH3_state_t *state)
{
    (void)XXH3_64bits_reset(state);
}

void ss_checksum_add(XXH3_state_t *state, const void *bytes, size_t size_bytes)
{
    (void)XXH3_64bits_update(state, bytes, size_bytes);
}

uint64_t ss_checksum_end(const XXH3_state_t *state)
{
    return XXH3_64bits_digest(state);
}
