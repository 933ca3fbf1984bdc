/*
 * list.c - the tables of a set that grows: the first one alone, until it is
 * full, or several (the idea of growth is in room.c). Keys go to the newest. A
 * key is new if no table has it, so tables never hold a key twice, and no key
 * is moved.
 */
#include "set/kinds/list.h"

#include "set/kinds/chunks.h"
#include "set/kinds/kind.h"
#include "set/kinds/room.h"
#include "set/kinds/single.h"

/* The newest table grows in place: it finds out itself what it has. */
static int add_expanded(seenset *set, uint64_t hash)
{
    uint32_t older = set->generation_count - 1;
    return ss_room_is_among(set, 0, older, hash) ? 0 : ss_room_put(set, hash);
}

int ss_list_add_hash(seenset *set, uint64_t hash)
{
    if (ss_set_is_expanded(set) && ss_room_is_left(ss_set_newest(set)))
        return add_expanded(set, hash);
    if (ss_room_has(set, hash))
        return 0;
    int error = ss_room_make(set);
    return error == SEENSET_OK ? ss_room_put(set, hash) : error;
}

int ss_list_add_at(seenset *set, uint64_t hash, uint64_t now)
{
    (void)now;
    return ss_list_add_hash(set, hash);
}

const ss_set_kind ss_kind_list = {.name = "list",
                                  .add = ss_kind_add_key,
                                  .add_hash = ss_list_add_hash,
                                  .add_at = ss_list_add_at,
                                  .add_many = ss_chunks_add_blindly,
                                  .add_batch = ss_single_add_batch,
                                  .has = ss_kind_has_key,
                                  .has_hash = ss_room_has,
                                  .has_many = ss_chunks_has_many,
                                  .renews = ss_kind_never_renews};
