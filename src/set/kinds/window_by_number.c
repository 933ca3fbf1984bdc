/*
 * window_by_number.c - a set that has the last n keys: K tables of equal size
 * and rate p / K, the newest being filled:
 *
 *     dropped <- | full | full | full | filling |
 *
 * Each holds n / (K - 1) keys, so the last n keys are always there. The table
 * that is dropped is cleared and used again (room.c).
 *
 * Seeing a key again does not renew it, so keys are added as in any list
 * (list.c), unless the window is sliding: then a key that is seen in an older
 * table is added to the newest as well.
 */
#include "set/kinds/chunks.h"
#include "set/kinds/kind.h"
#include "set/kinds/list.h"
#include "set/kinds/room.h"

const ss_set_kind ss_kind_window_by_number = {.name = "window_by_number",
                                              .add = ss_kind_add_key,
                                              .add_hash = ss_list_add_hash,
                                              .add_at = ss_list_add_at,
                                              .add_many = ss_chunks_add_blindly,
                                              .add_batch = ss_chunks_add_many,
                                              .has = ss_kind_has_key,
                                              .has_hash = ss_room_has,
                                              .has_many = ss_chunks_has_many,
                                              .renews = ss_kind_never_renews};

/* ---- sliding ---- */

static int slide_hash(seenset *set, uint64_t hash)
{
    uint32_t last = set->generation_count - 1;
    if (ss_room_is_among(set, last, last + 1, hash))
        return 0;
    bool is_seen = ss_room_is_among(set, 0, last, hash);
    int error = ss_room_make(set);
    if (error != SEENSET_OK)
        return error;
    int is_added = ss_room_put(set, hash);
    return is_added > 0 ? !is_seen : is_added;
}

static int slide_at(seenset *set, uint64_t hash, uint64_t now)
{
    (void)now;
    return slide_hash(set, hash);
}

static bool renews(const seenset *set, uint64_t hash)
{
    uint32_t last = set->generation_count - 1;
    return !ss_room_is_among(set, last, last + 1, hash) &&
           ss_room_is_among(set, 0, last, hash);
}

const ss_set_kind ss_kind_sliding_by_number = {
    .name = "sliding_by_number",
    .flags = SEENSET_FLAG_SLIDING,
    .repeats_keys = true,
    .add = ss_kind_add_key,
    .add_hash = slide_hash,
    .add_at = slide_at,
    .add_many = ss_chunks_add_blindly,
    .add_batch = ss_chunks_slide_many,
    .has = ss_kind_has_key,
    .has_hash = ss_room_has,
    .has_many = ss_chunks_has_many,
    .renews = renews};
