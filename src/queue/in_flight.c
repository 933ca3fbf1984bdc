/* in_flight.c - a small exact set of hashes that remembers their order */
#include "queue/in_flight.h"

#include "base/array.h"
#include "hash/xxh3.h"

void ss_in_flight_free(ss_in_flight *in_flight, const ss_memory *memory)
{
    ss_memory_free(memory, in_flight->hashes, in_flight->room,
                   sizeof *in_flight->hashes);
    ss_memory_free(memory, in_flight->table, in_flight->table_room,
                   sizeof *in_flight->table);
    *in_flight = (ss_in_flight){0};
}

/* Where a hash is in the table, or the empty place where it would be. */
static size_t find(const ss_in_flight *in_flight, uint64_t hash)
{
    size_t place = (size_t)ss_hash_range(hash, in_flight->table_room);
    while (in_flight->table[place] != 0 &&
           in_flight->hashes[in_flight->table[place] - 1] != hash)
        place = place + 1 == in_flight->table_room ? 0 : place + 1;
    return place;
}

static bool reserve_table(ss_in_flight *in_flight, const ss_memory *memory,
                          size_t wanted)
{
    if (wanted * 2 <= in_flight->table_room)
        return true;
    size_t room = wanted * 4;
    uint32_t *table = ss_memory_alloc(memory, room, sizeof *table);
    if (table == NULL)
        return false;
    ss_memory_free(memory, in_flight->table, in_flight->table_room,
                   sizeof *table);
    in_flight->table = table;
    in_flight->table_room = room;
    for (size_t i = 0; i < in_flight->count; i++)
        table[find(in_flight, in_flight->hashes[i])] = (uint32_t)i + 1;
    return true;
}

bool ss_in_flight_reserve(ss_in_flight *in_flight, const ss_memory *memory,
                          size_t more)
{
    void *hashes = in_flight->hashes;
    size_t wanted = in_flight->count + more;
    if (wanted >= UINT32_MAX || !reserve_table(in_flight, memory, wanted) ||
        !ss_array_reserve(memory, &hashes, &in_flight->room, wanted,
                          sizeof *in_flight->hashes))
        return false;
    in_flight->hashes = hashes;
    return true;
}

bool ss_in_flight_has(const ss_in_flight *in_flight, uint64_t hash)
{
    return in_flight->count > 0 && in_flight->table[find(in_flight, hash)] != 0;
}

void ss_in_flight_add(ss_in_flight *in_flight, uint64_t hash)
{
    size_t place = find(in_flight, hash);
    in_flight->hashes[in_flight->count++] = hash;
    in_flight->table[place] = (uint32_t)in_flight->count;
}

void ss_in_flight_clear(ss_in_flight *in_flight)
{
    for (size_t i = in_flight->count; i > in_flight->durable_count; i--)
        in_flight->table[find(in_flight, in_flight->hashes[i - 1])] = 0;
    in_flight->count = in_flight->durable_count;
}

void ss_in_flight_drop_first(ss_in_flight *in_flight, size_t count)
{
    size_t left = in_flight->count - count;
    size_t durable_count = in_flight->durable_count - count;
    in_flight->durable_count = 0;
    ss_in_flight_clear(in_flight);
    for (size_t i = 0; i < left; i++)
        ss_in_flight_add(in_flight, in_flight->hashes[count + i]);
    in_flight->durable_count = durable_count;
}
