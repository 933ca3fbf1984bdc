/*
 * batch.h - many keys on their way into a table: keys still to be hashed,
 * which may be integers, or hashes that are ready.
 */
#ifndef SS_TABLE_BATCH_H
#define SS_TABLE_BATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bits.h"
#include "seenset/seenset.h"

typedef struct ss_batch {
    const seenset_key *keys;  /* one of these three is not NULL */
    const uint64_t *integers; /* keys of eight bytes, the least first */
    const uint64_t *hashes;
    size_t count;
    size_t *missing; /* goes up by keys without data; NULL: there are none */
} ss_batch;

/* Key i as bytes, of a batch of keys or integers; those of an integer are
 * stored in `bytes`. */
static inline seenset_key ss_batch_key(const ss_batch *batch, size_t i,
                                       uint8_t bytes[sizeof(uint64_t)])
{
    if (batch->integers == NULL)
        return batch->keys[i];
    ss_bits_store(bytes, sizeof(uint64_t), batch->integers[i]);
    return (seenset_key){bytes, sizeof(uint64_t)};
}

/* Keys first, first + 1, ..., count of them. */
static inline ss_batch ss_batch_part(const ss_batch *batch, size_t first,
                                     size_t count)
{
    ss_batch part = {.count = count, .missing = batch->missing};
    if (batch->hashes != NULL)
        part.hashes = batch->hashes + first;
    else if (batch->integers != NULL)
        part.integers = batch->integers + first;
    else
        part.keys = batch->keys + first;
    return part;
}

#endif
