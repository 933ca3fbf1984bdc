/*
 * batch.h - many keys on their way into a table: keys still to be hashed, or
 * hashes that are ready.
 *
 * A batch loop works on key i while key i + SS_AHEAD is being fetched, so a
 * key's hash is wanted twice. A ready one is read from the caller's array
 * again; one that had to be made waits in a ring.
 */
#ifndef SS_BATCH_H
#define SS_BATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hash.h"
#include "seenset/seenset.h"

#define SS_ALWAYS_INLINE inline __attribute__((always_inline))
#define SS_APART __attribute__((noinline)) /* keeps a short path short */

/* Keys in flight: more than a core has outstanding misses, measured. */
enum {
    SS_AHEAD = 32,
    SS_RING = 2 * SS_AHEAD
};

typedef struct ss_batch {
    const seenset_key *keys; /* used when hashes is NULL */
    const uint64_t *hashes;
    size_t count;
} ss_batch;

/* The hash of key i, seen for the first time. is_hashed: constant in a loop. */
static SS_ALWAYS_INLINE uint64_t ss_batch_feed(const ss_batch *batch, size_t i,
                                               bool is_hashed,
                                               uint64_t ring[SS_RING])
{
    if (is_hashed)
        return batch->hashes[i];
    uint64_t hash = ss_hash_key(batch->keys[i].data, batch->keys[i].len);
    ring[i % SS_RING] = hash;
    return hash;
}

/* The hash of key i again, at most SS_RING - 1 keys later. */
static SS_ALWAYS_INLINE uint64_t ss_batch_take(const ss_batch *batch, size_t i,
                                               bool is_hashed,
                                               const uint64_t ring[SS_RING])
{
    return is_hashed ? batch->hashes[i] : ring[i % SS_RING];
}

/* Keys first, first + 1, ..., count of them. */
static inline ss_batch ss_batch_part(const ss_batch *batch, size_t first,
                                     size_t count)
{
    return (ss_batch){
        .keys = batch->hashes == NULL ? batch->keys + first : NULL,
        .hashes = batch->hashes != NULL ? batch->hashes + first : NULL,
        .count = count};
}

#endif
