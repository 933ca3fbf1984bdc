/* pair.h - what the rows of two tables have in common: pair.c, both.c */
#ifndef SS_SET_KINDS_PAIR_H
#define SS_SET_KINDS_PAIR_H

#include "set/batch_hashes.h"
#include "set/set.h"

enum {
    SS_PAIR_KEYS = 1024 /* hashed at once, of a batch */
};

/* Is there room in the second for so many? Else they go through list.c. */
static inline bool ss_pair_takes(const seenset *set, uint64_t count)
{
    const ss_generation *second = &set->generations[1];
    return second->added_items + count < second->capacity_items;
}

static inline size_t ss_pair_chunk(const ss_batch *batch, size_t done)
{
    size_t left = batch->count - done;
    return left < SS_PAIR_KEYS ? left : SS_PAIR_KEYS;
}

/* How many keys are asked for at once: all whose hashes are ready. */
static inline size_t ss_pair_asked(const ss_batch *batch, size_t done)
{
    return batch->hashes != NULL ? batch->count - done
                                 : ss_pair_chunk(batch, done);
}

/* The hashes of a part of a batch: ready ones, or made here. */
static inline const uint64_t *ss_pair_hashes(const seenset *set,
                                             const ss_batch *batch,
                                             size_t first, size_t count,
                                             uint64_t *made)
{
    if (batch->hashes != NULL)
        return batch->hashes + first;
    ss_batch_hashes_make(&set->identity, batch, first, count, made);
    return made;
}

#endif
