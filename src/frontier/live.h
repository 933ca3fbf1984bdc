/*
 * live.h - how many bytes of each segment of the log are of items that are not
 * acked.
 *
 * A segment without any is not needed for items. From the first one that has
 * some, the log is read when the queue is opened. What all of them have
 * together says whether the log has become much longer than what is in it
 * (queue/clean/clean.h).
 *
 * Memory: 32 bytes for each segment.
 */
#ifndef SS_FRONTIER_LIVE_H
#define SS_FRONTIER_LIVE_H

#include "base/memory.h"

typedef struct ss_live_segment {
    uint64_t start;
    uint64_t first_at, first_item; /* a record at or before the first that is
                                      needed, and its number; UINT64_MAX: none
                                      is known yet */
    uint64_t bytes;
} ss_live_segment;

typedef struct ss_live {
    ss_live_segment *at; /* by start, ascending */
    size_t count, room;
    size_t last;    /* the one that was found last */
    uint64_t bytes; /* of all together */
    uint64_t done;  /* bytes of items that were acked, ever */
} ss_live;

void ss_live_free(ss_live *live, const ss_memory *memory);

/* Room for one more segment. False: no memory. */
bool ss_live_reserve(ss_live *live, const ss_memory *memory);

/* A segment starts, after all others; there is room for it. */
void ss_live_begin(ss_live *live, uint64_t start);

/* A record of a segment was read that has this number: the first one counts. */
void ss_live_note(ss_live *live, uint64_t at, uint64_t item);

/* In the segment of `at` nothing before that is needed, and a record with this
 * number comes there. */
void ss_live_advance(ss_live *live, uint64_t at, uint64_t item);

/* Counts the record of a pending item, and takes it off when it is free. */
void ss_live_add(ss_live *live, uint64_t at, uint64_t bytes);
void ss_live_remove(ss_live *live, uint64_t at, uint64_t bytes);

/* Segments before this one are gone. */
void ss_live_drop(ss_live *live, uint64_t start);

/* The first segment from a position on that has bytes of items, or NULL. */
const ss_live_segment *ss_live_next(const ss_live *live, uint64_t from);

#endif
