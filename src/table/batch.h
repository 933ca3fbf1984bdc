/*
 * batch.h - many keys on their way into a table: keys still to be hashed, or
 * hashes that are ready.
 *
 * A batch loop goes group by group: it makes one group's hashes ready and asks
 * for their lines, and meanwhile works on the group SS_AHEAD keys before. So a
 * key's hash is wanted twice. A ready one is read from the caller's array
 * again; one that had to be made waits in a ring.
 */
#ifndef SS_TABLE_BATCH_H
#define SS_TABLE_BATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hash/xxh3_group.h"
#include "seenset/seenset.h"

/* Keys in flight: what a core keeps outstanding in its second-level cache and
 * the time a line takes to come, measured; and keys hashed at a time. */
enum {
    SS_AHEAD = 64,
    SS_RING = 2 * SS_AHEAD,
    SS_KEYS_AHEAD = 3 * SS_GROUP
};

typedef struct ss_batch {
    const seenset_key *keys; /* used when hashes is NULL */
    const uint64_t *hashes;
    size_t count;
    size_t *missing; /* goes up by keys without data; NULL: there are none */
} ss_batch;

/* The hash of key i, of a group that was made ready at most SS_AHEAD keys
 * before. is_hashed: constant where it is called. */
static SS_ALWAYS_INLINE uint64_t ss_batch_take(const ss_batch *batch, size_t i,
                                               bool is_hashed,
                                               const uint64_t ring[SS_RING])
{
    return is_hashed ? batch->hashes[i] : ring[i % SS_RING];
}

/* The hashes of a group that was made ready, beginning with key first's. */
static SS_ALWAYS_INLINE const uint64_t *
ss_batch_group(const ss_batch *batch, size_t first, bool is_hashed,
               const uint64_t ring[SS_RING])
{
    return is_hashed ? batch->hashes + first : ring + first % SS_RING;
}

/* Asks for the bytes of the keys of a group, SS_KEYS_AHEAD keys on. */
static SS_ALWAYS_INLINE void ss_batch_fetch_keys(const ss_batch *batch,
                                                 size_t first)
{
    if (first + SS_GROUP > batch->count)
        return;
    for (size_t i = first; i < first + SS_GROUP; i++)
        __builtin_prefetch(batch->keys[i].data);
}

/* Before the first group. */
static SS_ALWAYS_INLINE void ss_batch_start(const ss_batch *batch,
                                            bool is_hashed)
{
    for (size_t i = 0; !is_hashed && i < SS_KEYS_AHEAD; i += SS_GROUP)
        ss_batch_fetch_keys(batch, i);
}

/* Makes the hashes of keys first, ..., first + count - 1 ready, a group or the
 * rest of one: first is a multiple of SS_GROUP. */
static SS_ALWAYS_INLINE void ss_batch_ready(const ss_batch *batch, size_t first,
                                            size_t count, bool is_hashed,
                                            uint64_t ring[SS_RING])
{
    if (is_hashed)
        return;
    ss_batch_fetch_keys(batch, first + SS_KEYS_AHEAD);
    size_t missing =
        ss_hash_group(batch->keys + first, count, ring + first % SS_RING);
    if (missing > 0)
        *batch->missing += missing;
}

/* The hash of key i, of keys taken one after another from key 0 on. */
static SS_ALWAYS_INLINE uint64_t ss_batch_feed(const ss_batch *batch, size_t i,
                                               bool is_hashed,
                                               uint64_t ring[SS_RING])
{
    size_t left = batch->count - i;
    if (i % SS_GROUP == 0)
        ss_batch_ready(batch, i, left < SS_GROUP ? left : SS_GROUP, is_hashed,
                       ring);
    return ss_batch_take(batch, i, is_hashed, ring);
}

/* Keys first, first + 1, ..., count of them. */
static inline ss_batch ss_batch_part(const ss_batch *batch, size_t first,
                                     size_t count)
{
    return (ss_batch){
        .keys = batch->hashes == NULL ? batch->keys + first : NULL,
        .hashes = batch->hashes != NULL ? batch->hashes + first : NULL,
        .count = count,
        .missing = batch->missing};
}

#endif
