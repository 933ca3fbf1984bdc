/* overlay.c - see overlay.h */
#include "set/view/overlay.h"

#include <string.h>

#include "base/array.h"
#include "base/bits.h"
#include "hash/seeded.h"

enum {
    FIRST_PLACE_BITS = 6
};

static uint64_t place_count(const ss_overlay *beside)
{
    return UINT64_C(1) << beside->place_bits;
}

ss_overlay *ss_overlay_new(const ss_memory *memory)
{
    ss_overlay *beside = ss_memory_alloc(memory, 1, sizeof *beside);
    if (beside == NULL)
        return NULL;
    beside->memory = *memory;
    beside->seed = ss_seeded_draw(beside);
    beside->place_bits = FIRST_PLACE_BITS;
    beside->places =
        ss_memory_alloc(memory, place_count(beside), sizeof *beside->places);
    if (beside->places != NULL)
        return beside;
    ss_memory_free(memory, beside, 1, sizeof *beside);
    return NULL;
}

void ss_overlay_free(ss_overlay *beside)
{
    if (beside == NULL)
        return;
    const ss_memory memory = beside->memory;
    ss_memory_free(&memory, beside->hashes, beside->room,
                   sizeof *beside->hashes);
    ss_memory_free(&memory, beside->places, place_count(beside),
                   sizeof *beside->places);
    ss_memory_free(&memory, beside, 1, sizeof *beside);
}

uint64_t ss_overlay_memory_bytes(const ss_overlay *beside)
{
    return beside == NULL
               ? 0
               : sizeof *beside + beside->room * sizeof *beside->hashes +
                     place_count(beside) * sizeof *beside->places;
}

/* ---- places ---- */

/* Where the hash is, or where it is to be. */
static uint64_t *find(const ss_overlay *beside, uint64_t hash)
{
    uint64_t mask = place_count(beside) - 1;
    uint64_t at = ss_seeded_mix(hash, beside->seed) & mask;
    while (beside->places[at] != 0 && beside->places[at] != hash)
        at = (at + 1) & mask;
    return &beside->places[at];
}

bool ss_overlay_has(const ss_overlay *beside, uint64_t hash)
{
    return hash == 0 ? beside->has_zero : *find(beside, hash) == hash;
}

/* Half of the places are empty at least. False: no memory. */
static bool make_places(ss_overlay *beside, uint64_t wanted)
{
    ss_overlay wider = *beside;
    while (place_count(&wider) / 2 < wanted)
        wider.place_bits++;
    if (wider.place_bits == beside->place_bits)
        return true;
    wider.places = ss_memory_alloc(&beside->memory, place_count(&wider),
                                   sizeof *wider.places);
    if (wider.places == NULL)
        return false;
    for (uint64_t i = 0; i < place_count(beside); i++)
        if (beside->places[i] != 0)
            *find(&wider, beside->places[i]) = beside->places[i];
    ss_memory_free(&beside->memory, beside->places, place_count(beside),
                   sizeof *beside->places);
    *beside = wider;
    return true;
}

/* Was it not there? */
static bool place(ss_overlay *beside, uint64_t hash)
{
    bool is_new = !ss_overlay_has(beside, hash);
    if (hash == 0)
        beside->has_zero = true;
    else
        *find(beside, hash) = hash;
    beside->distinct += is_new;
    return is_new;
}

/* ---- the list ---- */

bool ss_overlay_put(ss_overlay *beside, const uint8_t *hashes, uint64_t count,
                    uint64_t later, uint64_t *news)
{
    void *block = beside->hashes;
    bool is_room =
        count <= SIZE_MAX / sizeof(uint64_t) - beside->count &&
        make_places(beside, beside->distinct + count) &&
        ss_array_reserve(&beside->memory, &block, &beside->room,
                         beside->count + (size_t)count, sizeof *beside->hashes);
    beside->hashes = block;
    if (!is_room)
        return false;
    uint64_t *at = beside->hashes + (beside->count - later);
    memmove(at + count, at, (size_t)later * sizeof *at);
    beside->count += (size_t)count;
    *news = 0;
    for (uint64_t i = 0; i < count; i++) {
        at[i] = ss_bits_load(hashes + i * sizeof *at, sizeof *at);
        *news += place(beside, at[i]);
    }
    return true;
}
