/*
 * room.c - see room.h.
 */
#include "dedup/room.h"

#include <stdlib.h>

#include "sets/sample.h"

#define MOST_KEPT ((uint64_t)4 << 20) /* lines of a set: 32 MiB of hashes */
#define TIMES_AS_MANY 4u
#define MOST_ITEMS (UINT64_C(1) << 48) /* so that products are in range */

static void drop_hashes(dedup_room *room)
{
    free(room->hashes);
    room->hashes = NULL;
    room->count = room->capacity = 0;
    room->keeps_hashes = false;
}

/* Those of a larger set are too many when it is full. */
static void drop_if_large(dedup_room *room)
{
    if (room->made_items > MOST_KEPT)
        drop_hashes(room);
}

/* Once it is full it gets a table for the rest of these. */
static void tell(dedup_room *room, const add_stage *into, uint64_t items)
{
    room->told_items = sample_at_most(items, room->options.fp_rate);
    if (room->told_items <= room->made_items ||
        seenset_expect(into->set, room->told_items) != 0)
        room->is_followed = room->keeps_hashes;
}

void dedup_room_start(dedup_room *room, const add_stage *into,
                      const seenset_options *options, uint64_t told)
{
    *room = (dedup_room){.is_followed = options->capacity_items < MOST_ITEMS,
                         .keeps_hashes = !into->wants_keys,
                         .options = *options,
                         .made_items = options->capacity_items,
                         .told_items = told};
    drop_if_large(room);
    if (room->is_followed && told <= room->made_items)
        tell(room, into, 2 * room->made_items);
}

/* ---- hashes ---- */

static bool reserve(dedup_room *room, size_t count)
{
    size_t capacity = room->capacity > 0 ? room->capacity : BATCH_LINES;
    while (capacity < count)
        capacity *= 2;
    if (capacity == room->capacity)
        return true;
    uint64_t *larger = realloc(room->hashes, capacity * sizeof *larger);
    if (larger == NULL)
        return false;
    room->hashes = larger;
    room->capacity = capacity;
    return true;
}

/* Keeps the hashes of a batch's new keys: without a branch, which no processor
 * could predict. */
static void keep_new(dedup_room *room, const batch *keys)
{
    size_t count = batch_key_count(keys);
    if (!reserve(room, room->count + count)) {
        drop_hashes(room);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        room->hashes[room->count] = keys->hashes[i];
        room->count += keys->answers[batch_line(keys, i)] == SEENSET_ANSWER_NEW;
    }
}

/* ---- a larger set ---- */

static double wrong_items(const seenset *set)
{
    seenset_stats stats = {0};
    (void)seenset_get_stats(set, &stats, sizeof stats);
    return stats.wrong_items;
}

/* How many lines the next set is for. The last whose hashes are kept is for as
 * many as can be, so that the one after it is as large as can be. */
static uint64_t next_items(const dedup_room *room, const add_stage *into)
{
    uint64_t added = into->added_items;
    uint64_t next = TIMES_AS_MANY * added;
    if (next > MOST_KEPT && added <= MOST_KEPT / 2)
        next = MOST_KEPT;
    if (next < room->told_items)
        next = room->told_items;
    return sample_at_most(next, room->options.fp_rate);
}

/* The old set is freed before the new one is filled, and so takes its memory.
 * What was wrong by then stays counted. */
static int fill(const dedup_room *room, add_stage *into, seenset *larger)
{
    into->wrong_before += wrong_items(into->set);
    seenset_free(into->set);
    into->set = larger;
    int error = seenset_add_hash_many(larger, room->hashes, room->count, NULL);
    into->wrong_before -= wrong_items(larger);
    return error;
}

/* Returns whether there is a new set with the keys of the old one. */
static bool remake(dedup_room *room, add_stage *into)
{
    seenset_options options = room->options;
    seenset *larger = NULL;
    options.capacity_items = next_items(room, into);
    if (options.capacity_items <= into->added_items ||
        seenset_new(&larger, &options) != 0)
        return false;
    room->made_items = options.capacity_items;
    return fill(room, into, larger) == 0;
}

void dedup_room_follow(dedup_room *room, add_stage *into, const batch *keys)
{
    if (room->keeps_hashes)
        keep_new(room, keys);
    if (!room->is_followed || into->added_items <= room->made_items)
        return;
    if (!room->keeps_hashes || !remake(room, into))
        room->made_items = room->told_items;
    drop_if_large(room);
    room->is_followed = room->made_items >= into->added_items &&
                        room->made_items < MOST_ITEMS;
    if (room->is_followed)
        tell(room, into, 2 * room->made_items);
    else
        drop_hashes(room);
}

void dedup_room_free(dedup_room *room)
{
    drop_hashes(room);
}
