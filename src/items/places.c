/* places.c - see places.h */
#include "items/places.h"

enum {
    FIRST_ROOM = 64
};

void ss_places_free(ss_places *places, const ss_memory *memory)
{
    ss_memory_free(memory, places->at, places->room, sizeof *places->at);
    *places = (ss_places){0};
}

/* Numbers may be far apart by a power of two, so their bits are mixed. */
static size_t home_of(const ss_places *places, uint64_t item)
{
    return (size_t)((item * UINT64_C(0x9E3779B97F4A7C15)) >> 32) &
           (places->room - 1);
}

/* The place of an item, or the empty one where it would be. */
static size_t find(const ss_places *places, uint64_t item)
{
    size_t at = home_of(places, item);
    while (places->at[at].slot != 0 && places->at[at].item != item)
        at = (at + 1) & (places->room - 1);
    return at;
}

bool ss_places_reserve(ss_places *places, const ss_memory *memory, size_t count)
{
    ss_places grown = {.room = places->room == 0 ? FIRST_ROOM : places->room};
    while (grown.room / 2 < count)
        grown.room *= 2;
    if (grown.room == places->room)
        return true;
    grown.at = ss_memory_alloc(memory, grown.room, sizeof *grown.at);
    if (grown.at == NULL)
        return false;
    for (size_t i = 0; i < places->room; i++) {
        if (places->at[i].slot != 0)
            grown.at[find(&grown, places->at[i].item)] = places->at[i];
    }
    ss_places_free(places, memory);
    *places = grown;
    return true;
}

void ss_places_put(ss_places *places, uint64_t item, uint32_t slot)
{
    ss_place *place = &places->at[find(places, item)];
    uint32_t bytes = place->slot == 0 ? 0 : place->bytes;
    *place = (ss_place){item, slot + 1, bytes};
}

void ss_places_set_bytes(ss_places *places, uint64_t item, uint32_t bytes)
{
    places->at[find(places, item)].bytes = bytes;
}

uint32_t ss_places_bytes(const ss_places *places, uint64_t item)
{
    return places->at[find(places, item)].bytes;
}

void ss_places_remove(ss_places *places, uint64_t item)
{
    size_t mask = places->room - 1, hole = find(places, item);
    for (size_t at = (hole + 1) & mask; places->at[at].slot != 0;
         at = (at + 1) & mask) {
        size_t home = home_of(places, places->at[at].item);
        if (((at - home) & mask) < ((at - hole) & mask))
            continue;
        places->at[hole] = places->at[at];
        hole = at;
    }
    places->at[hole] = (ss_place){0};
}

uint32_t ss_places_find(const ss_places *places, uint64_t item)
{
    return places->room == 0 ? UINT32_MAX
                             : places->at[find(places, item)].slot - 1;
}
