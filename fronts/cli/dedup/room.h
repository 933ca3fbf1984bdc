/*
 * room.h - a set in memory, and more lines than it was made for.
 *
 * How many lines come from a pipe is not known. A table that grows in place
 * takes any number of them, but it keeps its keys in order, so a new line costs
 * several times as much there. A set that is in no file need not grow so:
 *
 *     while it has few lines     their hashes are kept as well; when it is
 *                                full, they go to a new set for four times as
 *                                many, and the old one is freed
 *     when there are too many    it is told to expect as many again, and gets a
 *     hashes to keep             table of fixed size for these
 *
 * So no more than one set and 32 MiB are there at a time, besides the next one
 * while it is filled; and a set has room for at most four times as many lines
 * as came, or, where it was told, twice as many. The number that was given is
 * kept to until more lines have come.
 */
#ifndef DEDUP_ROOM_H
#define DEDUP_ROOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "seenset/seenset.h"
#include "sets/add_stage.h"
#include "stream/batch.h"

typedef struct dedup_room {
    bool is_followed;        /* there is such a set */
    bool keeps_hashes;       /* all of its keys' */
    seenset_options options; /* that it was made with */
    uint64_t made_items;     /* that its tables are for */
    uint64_t told_items;     /* that it expects; at least made_items */
    uint64_t *hashes;
    size_t count, capacity; /* of hashes */
} dedup_room;

/* Begins with an empty set that grows, into->set. options: what it was made
 * with; told: how many lines it was told to expect, or 0. */
void dedup_room_start(dedup_room *room, const add_stage *into,
                      const seenset_options *options, uint64_t told);

/* After a batch was added: makes room if the set is over what it was made for,
 * and into->set may be another then. Nothing is lost where there is no memory
 * for that: it grows in place. */
void dedup_room_follow(dedup_room *room, add_stage *into, const batch *keys);

void dedup_room_free(dedup_room *room);

#endif
