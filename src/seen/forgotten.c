/* forgotten.c - a set of hashes that can undo its last changes */
#include "seen/forgotten.h"

#include "base/array.h"
#include "hash/xxh3.h"

void ss_forgotten_free(ss_forgotten *forgotten, const ss_memory *memory)
{
    ss_memory_free(memory, forgotten->slots, forgotten->room,
                   sizeof *forgotten->slots);
    ss_memory_free(memory, forgotten->changes, forgotten->change_room,
                   sizeof *forgotten->changes);
    *forgotten = (ss_forgotten){0};
}

/* 0 is an empty slot, so that hash is taken for another one. */
static uint64_t stored(uint64_t hash)
{
    return hash == 0 ? 1 : hash;
}

/* Where a hash is, or the empty slot where it would be. */
static size_t find(const ss_forgotten *forgotten, uint64_t hash)
{
    size_t place = (size_t)ss_hash_range(ss_hash_step(hash), forgotten->room);
    while (forgotten->slots[place] != 0 && forgotten->slots[place] != hash)
        place = place + 1 == forgotten->room ? 0 : place + 1;
    return place;
}

bool ss_forgotten_has(const ss_forgotten *forgotten, uint64_t hash)
{
    return forgotten->count > 0 &&
           forgotten->slots[find(forgotten, stored(hash))] != 0;
}

static bool reserve_slots(ss_forgotten *forgotten, const ss_memory *memory,
                          size_t wanted)
{
    size_t room = forgotten->room == 0 ? 16 : forgotten->room;
    const uint64_t *old = forgotten->slots;
    size_t old_room = forgotten->room;
    while (room / 2 < wanted)
        room *= 2;
    if (room == old_room)
        return true;
    uint64_t *slots = ss_memory_alloc(memory, room, sizeof *slots);
    if (slots == NULL)
        return false;
    forgotten->slots = slots;
    forgotten->room = room;
    for (size_t i = 0; i < old_room; i++) {
        if (old[i] != 0)
            slots[find(forgotten, old[i])] = old[i];
    }
    ss_memory_free(memory, (void *)old, old_room, sizeof *slots);
    return true;
}

bool ss_forgotten_reserve(ss_forgotten *forgotten, const ss_memory *memory,
                          size_t more)
{
    void *changes = forgotten->changes;
    if (!reserve_slots(forgotten, memory, forgotten->count + more))
        return false;
    if (!forgotten->keeps_changes)
        return true;
    if (!ss_array_reserve(memory, &changes, &forgotten->change_room,
                          forgotten->change_count + more,
                          sizeof *forgotten->changes))
        return false;
    forgotten->changes = changes;
    return true;
}

/* ---- changes ---- */

static bool add(ss_forgotten *forgotten, uint64_t hash)
{
    size_t place = find(forgotten, hash);
    if (forgotten->slots[place] != 0)
        return false;
    forgotten->slots[place] = hash;
    forgotten->count++;
    return true;
}

/* Empties a slot, and inserts again those that follow it without a gap. */
static bool remove_one(ss_forgotten *forgotten, uint64_t hash)
{
    size_t place = find(forgotten, hash);
    if (forgotten->slots[place] == 0)
        return false;
    forgotten->slots[place] = 0;
    forgotten->count--;
    for (;;) {
        place = place + 1 == forgotten->room ? 0 : place + 1;
        uint64_t next = forgotten->slots[place];
        if (next == 0)
            return true;
        forgotten->slots[place] = 0;
        forgotten->slots[find(forgotten, next)] = next;
    }
}

static void note(ss_forgotten *forgotten, uint64_t hash, bool is_added)
{
    if (forgotten->keeps_changes)
        forgotten->changes[forgotten->change_count++] =
            (ss_forgotten_change){hash, is_added};
}

bool ss_forgotten_add(ss_forgotten *forgotten, uint64_t hash)
{
    bool is_added = add(forgotten, stored(hash));
    if (is_added)
        note(forgotten, stored(hash), true);
    return is_added;
}

bool ss_forgotten_remove(ss_forgotten *forgotten, uint64_t hash)
{
    bool is_removed =
        forgotten->count > 0 && remove_one(forgotten, stored(hash));
    if (is_removed)
        note(forgotten, stored(hash), false);
    return is_removed;
}

void ss_forgotten_start_group(ss_forgotten *forgotten)
{
    forgotten->change_count = 0;
}

void ss_forgotten_roll_back(ss_forgotten *forgotten)
{
    while (forgotten->change_count > 0) {
        const ss_forgotten_change *last =
            &forgotten->changes[--forgotten->change_count];
        if (last->is_added)
            (void)remove_one(forgotten, last->hash);
        else
            (void)add(forgotten, last->hash);
    }
}

/* ---- all of them ---- */

void ss_forgotten_list(const ss_forgotten *forgotten, uint64_t *hashes)
{
    for (size_t i = 0; i < forgotten->room; i++) {
        if (forgotten->slots[i] != 0)
            *hashes++ = forgotten->slots[i];
    }
}

uint64_t ss_forgotten_memory_bytes(const ss_forgotten *forgotten)
{
    return forgotten->room * sizeof *forgotten->slots +
           forgotten->change_room * sizeof *forgotten->changes;
}
