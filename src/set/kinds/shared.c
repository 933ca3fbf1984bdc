/*
 * shared.c - a set of one table to which threads may add at once. No key goes
 * past this row, for its count is one that others are changing.
 */
#include "set/kinds/chunks.h"
#include "set/kinds/kind.h"
#include "set/kinds/room.h"
#include "set/kinds/single.h"

/* As much of a batch as it takes at once. */
static size_t part_count(const seenset *set, const ss_batch *batch)
{
    enum {
        SHARED_KEYS = 512
    }; /* by which a set that refuses may overshoot */
    const ss_generation *only = set->generations;
    uint64_t room = UINT64_MAX;
    if (set->on_full == SEENSET_ON_FULL_REFUSE) {
        room = ss_room_count(only);
        room = room < SHARED_KEYS ? room : SHARED_KEYS;
    }
    return room < batch->count ? (size_t)room : batch->count;
}

/* The table hashes keys itself, or the keys are hashed on their way to it. */
static int add_batch(seenset *set, const ss_batch *batch, uint8_t *is_new)
{
    if (ss_key_hash_is_apart(&set->identity))
        return ss_chunks_add_many(set, batch, is_new);
    return ss_single_add_parts(set, batch, is_new, part_count);
}

const ss_set_kind ss_kind_shared = {.name = "shared",
                                    .flags = SEENSET_FLAG_SHARED,
                                    .breaks_promise = true,
                                    .add = ss_kind_add_key,
                                    .add_hash = ss_single_add_hash,
                                    .add_at = ss_single_add_at,
                                    .add_many = ss_chunks_add_told,
                                    .add_batch = add_batch,
                                    .has = ss_kind_has_key,
                                    .has_hash = ss_room_has,
                                    .has_many = ss_chunks_has_many,
                                    .renews = ss_kind_never_renews};
