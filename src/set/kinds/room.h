/* room.h - the tables of a set, asked one after another, and room in the
 * newest; the idea is in room.c */
#ifndef SS_SET_KINDS_ROOM_H
#define SS_SET_KINDS_ROOM_H

#include "set/set.h"

/* Do generations first, ..., end - 1 have it? The newest is asked first. */
bool ss_room_is_among(const seenset *set, uint32_t first, uint32_t end,
                      uint64_t hash);

/* 1 or 0, as a row's has_hash: does any generation have it? */
int ss_room_has(const seenset *set, uint64_t hash);

/* Does a table hold fewer keys than it is planned for? */
static inline bool ss_room_is_left(const ss_generation *generation)
{
    return ss_set_added_items(generation) < generation->capacity_items;
}

/* How many keys more it is planned for. */
static inline uint64_t ss_room_count(const ss_generation *generation)
{
    uint64_t added = ss_set_added_items(generation);
    return added < generation->capacity_items
               ? generation->capacity_items - added
               : 0;
}

/* Readies the newest generation for one key more: appends or drops tables as
 * the policy asks. 0, SEENSET_EFULL, or why no table could be added. */
int ss_room_make(seenset *set);

/* Adds to the newest. 1, 0, or SEENSET_ENOMEM: it grows in place, and could
 * not. */
int ss_room_put(seenset *set, uint64_t hash);

#endif
