/*
 * batch_feed.h - the hashes of a batch, each ready when a loop wants it.
 *
 * A batch loop goes group by group: it makes one group's hashes ready, asks for
 * the lines of the group before it, and meanwhile works on the group SS_AHEAD
 * keys before that. So a key's hash is wanted twice. A ready one is read from
 * the caller's array again; one that had to be made waits in a ring.
 *
 * A group is hashed one group before it is wanted because eight hashes are
 * stored at once and read one by one: a processor hands a number over from a
 * store to a load only where they are of one size, and else the load waits
 * until the store is done. That wait cost up to a tenth of a batch.
 *
 * The caller's key bytes are prefetched too, even plain integer arrays: among
 * random lines the processor's own prefetcher loses sight of them.
 */
#ifndef SS_TABLE_BATCH_FEED_H
#define SS_TABLE_BATCH_FEED_H

#include "hash/xxh3_group.h"
#include "table/batch.h"

/* Keys in flight: what a core keeps outstanding in its second-level cache and
 * the time a line takes to come, measured; and keys hashed at a time. */
enum {
    SS_AHEAD = 64,
    SS_RING = 2 * SS_AHEAD,
    SS_KEYS_AHEAD = 3 * SS_GROUP,
    SS_NUMBERS_AHEAD = 12 * SS_GROUP
};

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

/* The caller's array of numbers, eight of which are a cache line: integers or
 * ready hashes. NULL: keys. */
static SS_ALWAYS_INLINE const uint64_t *ss_batch_numbers(const ss_batch *batch,
                                                         bool is_hashed)
{
    return is_hashed ? batch->hashes : batch->integers;
}

/* So many keys before it is read, what the caller has of a key is fetched. */
static SS_ALWAYS_INLINE size_t ss_batch_ahead(const ss_batch *batch,
                                              bool is_hashed)
{
    return ss_batch_numbers(batch, is_hashed) != NULL ? SS_NUMBERS_AHEAD
                                                      : SS_KEYS_AHEAD;
}

/* Asks for the numbers, or for the bytes of the keys, of a group. */
static SS_ALWAYS_INLINE void ss_batch_fetch(const ss_batch *batch, size_t first,
                                            bool is_hashed)
{
    const uint64_t *numbers = ss_batch_numbers(batch, is_hashed);
    if (first + SS_GROUP > batch->count)
        return;
    if (numbers != NULL) {
        __builtin_prefetch(numbers + first);
        return;
    }
    for (size_t i = first; i < first + SS_GROUP; i++)
        __builtin_prefetch(batch->keys[i].data);
}

/* Hashes keys first, ..., first + count - 1, at most SS_GROUP. */
static SS_NOINLINE void ss_batch_hash_group(const ss_batch *batch, size_t first,
                                            size_t count, uint64_t *hashes)
{
    if (batch->integers != NULL) {
        ss_hash_integers(batch->integers + first, count, hashes);
        return;
    }
    size_t missing = ss_hash_group(batch->keys + first, count, hashes);
    if (missing > 0)
        *batch->missing += missing;
}

/* Makes the hashes of keys first, ..., first + count - 1 ready, a group or the
 * rest of one: first is a multiple of SS_GROUP. */
static SS_ALWAYS_INLINE void ss_batch_ready(const ss_batch *batch, size_t first,
                                            size_t count, bool is_hashed,
                                            uint64_t ring[SS_RING])
{
    ss_batch_fetch(batch, first + ss_batch_ahead(batch, is_hashed), is_hashed);
    if (!is_hashed)
        ss_batch_hash_group(batch, first, count, ring + first % SS_RING);
}

/* Before the first key: makes the first group ready. */
static SS_ALWAYS_INLINE void
ss_batch_start(const ss_batch *batch, bool is_hashed, uint64_t ring[SS_RING])
{
    if (is_hashed)
        return;
    for (size_t i = 0; i < ss_batch_ahead(batch, false); i += SS_GROUP)
        ss_batch_fetch(batch, i, false);
    ss_batch_ready(batch, 0, batch->count < SS_GROUP ? batch->count : SS_GROUP,
                   false, ring);
}

/* The group after the one that begins with key `first`, or what there is of
 * it. */
static SS_ALWAYS_INLINE void ss_batch_ready_next(const ss_batch *batch,
                                                 size_t first, bool is_hashed,
                                                 uint64_t ring[SS_RING])
{
    size_t left = batch->count - first;
    if (left >= 2 * SS_GROUP)
        ss_batch_ready(batch, first + SS_GROUP, SS_GROUP, is_hashed, ring);
    else if (left > SS_GROUP)
        ss_batch_ready(batch, first + SS_GROUP, left - SS_GROUP, is_hashed,
                       ring);
}

/* The hash of key i, of keys taken one after another from key 0 on, after
 * ss_batch_start. */
static SS_ALWAYS_INLINE uint64_t ss_batch_feed(const ss_batch *batch, size_t i,
                                               bool is_hashed,
                                               uint64_t ring[SS_RING])
{
    if (i % SS_GROUP == 0)
        ss_batch_ready_next(batch, i, is_hashed, ring);
    return ss_batch_take(batch, i, is_hashed, ring);
}

#endif
