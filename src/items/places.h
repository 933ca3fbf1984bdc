/*
 * places.h - where an item is in an array that is not in the order of numbers.
 *
 * A hash table with linear probing, at most half full. An item that leaves
 * moves up those after it, so there are no marks of items that were.
 */
#ifndef SS_ITEMS_PLACES_H
#define SS_ITEMS_PLACES_H

#include "base/memory.h"

typedef struct ss_place {
    uint64_t item;
    uint32_t slot;  /* and 1; 0: empty */
    uint32_t bytes; /* of its record */
} ss_place;

typedef struct ss_places {
    ss_place *at;
    size_t room; /* 0 or a power of two */
} ss_places;

void ss_places_free(ss_places *places, const ss_memory *memory);

/* Room for so many items in all. False: no memory. */
bool ss_places_reserve(ss_places *places, const ss_memory *memory,
                       size_t count);

/* Says or changes where an item is, for which there is room. */
void ss_places_put(ss_places *places, uint64_t item, uint32_t slot);

/* The bytes of an item's record, which is there; 0 until they are set. */
void ss_places_set_bytes(ss_places *places, uint64_t item, uint32_t bytes);
uint32_t ss_places_bytes(const ss_places *places, uint64_t item);

/* Forgets an item, which is there. */
void ss_places_remove(ss_places *places, uint64_t item);

/* The slot of an item, or UINT32_MAX. */
uint32_t ss_places_find(const ss_places *places, uint64_t item);

#endif
