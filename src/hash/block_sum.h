/*
 * block_sum.h - the sum of a block of a file.
 *
 * A payload is summed in blocks of 4096 bytes, so that a view can check the one
 * block it is about to read. The sum is XXH3-64 under the block's number: a
 * block in the place of another has the wrong sum.
 */
#ifndef SS_HASH_BLOCK_SUM_H
#define SS_HASH_BLOCK_SUM_H

#include "hash/checksum.h"

enum {
    SS_BLOCK_BYTES = 4096,
    SS_SUM_BYTES = 8
};

/* block: its number, counted over all payloads of the file. Only the last block
 * of a payload may be shorter than SS_BLOCK_BYTES. */
static inline uint64_t ss_block_sum(uint64_t block, const uint8_t *bytes,
                                    size_t size_bytes)
{
    return ss_checksum_of(bytes, size_bytes, block);
}

#endif
