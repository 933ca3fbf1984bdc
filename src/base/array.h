/*
 * array.h - arrays that grow by doubling, from the checked allocator.
 */
#ifndef SS_BASE_ARRAY_H
#define SS_BASE_ARRAY_H

#include <stdbool.h>
#include <string.h>

#include "base/memory.h"

/*
 * Makes *block, which has *room places of item_bytes bytes, hold `wanted` of
 * them at least. New places are zero. False: no memory, nothing changed.
 */
static inline bool ss_array_reserve(const ss_memory *memory, void **block,
                                    size_t *room, size_t wanted,
                                    size_t item_bytes)
{
    if (wanted <= *room)
        return true;
    size_t new_room = *room < 8 ? 16 : *room * 2;
    if (new_room < wanted)
        new_room = wanted;
    void *grown = ss_memory_alloc(memory, new_room, item_bytes);
    if (grown == NULL)
        return false;
    if (*block != NULL)
        memcpy(grown, *block, *room * item_bytes);
    ss_memory_free(memory, *block, *room, item_bytes);
    *block = grown;
    *room = new_room;
    return true;
}

#endif
