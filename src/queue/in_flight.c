/* queue_inflight.c - a small exact set of hashes that remembers their order */
#include "queue/in_flight.h"

#include "base/array.h"
#include "hash/xxh3.h"

void ss_in_flight_free(ss_in_flight *inflight, const ss_memory *memory)
{
    ss_memory_free(memory, inflight->hashes, inflight->room,
                   sizeof *inflight->hashes);
    ss_memory_free(memory, inflight->table, inflight->table_room,
                   sizeof *inflight->table);
    *inflight = (ss_in_flight){0};
}

/* Where a hash is in the table, or the empty place where it would be. */
static size_t find(const ss_in_flight *inflight, uint64_t hash)
{
    size_t place = (size_t)ss_hash_range(hash, inflight->table_room);
    while (inflight->table[place] != 0 &&
           inflight->hashes[inflight->table[place] - 1] != hash)
        place = place + 1 == inflight->table_room ? 0 : place + 1;
    return place;
}

static bool reserve_table(ss_in_flight *inflight, const ss_memory *memory,
                          size_t wanted)
{
    if (wanted * 2 <= inflight->table_room)
        return true;
    size_t room = wanted * 4;
    uint32_t *table = ss_memory_alloc(memory, room, sizeof *table);
    if (table == NULL)
        return false;
    ss_memory_free(memory, inflight->table, inflight->table_room,
                   sizeof *table);
    inflight->table = table;
    inflight->table_room = room;
    for (size_t i = 0; i < inflight->count; i++)
        table[find(inflight, inflight->hashes[i])] = (uint32_t)i + 1;
    return true;
}

bool ss_in_flight_reserve(ss_in_flight *inflight, const ss_memory *memory,
                          size_t more)
{
    void *hashes = inflight->hashes;
    size_t wanted = inflight->count + more;
    if (wanted >= UINT32_MAX || !reserve_table(inflight, memory, wanted) ||
        !ss_array_reserve(memory, &hashes, &inflight->room, wanted,
                          sizeof *inflight->hashes))
        return false;
    inflight->hashes = hashes;
    return true;
}

bool ss_in_flight_has(const ss_in_flight *inflight, uint64_t hash)
{
    return inflight->count > 0 && inflight->table[find(inflight, hash)] != 0;
}

void ss_in_flight_add(ss_in_flight *inflight, uint64_t hash)
{
    size_t place = find(inflight, hash);
    inflight->hashes[inflight->count++] = hash;
    inflight->table[place] = (uint32_t)inflight->count;
}

void ss_in_flight_clear(ss_in_flight *inflight)
{
    for (size_t i = inflight->count; i > inflight->safe; i--)
        inflight->table[find(inflight, inflight->hashes[i - 1])] = 0;
    inflight->count = inflight->safe;
}

void ss_in_flight_drop_first(ss_in_flight *inflight, size_t count)
{
    size_t left = inflight->count - count, safe = inflight->safe - count;
    inflight->safe = 0;
    ss_in_flight_clear(inflight);
    for (size_t i = 0; i < left; i++)
        ss_in_flight_add(inflight, inflight->hashes[count + i]);
    inflight->safe = safe;
}
