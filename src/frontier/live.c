/* live.c - see live.h */
#include "frontier/live.h"

#include <string.h>

#include "base/array.h"

void ss_live_free(ss_live *live, const ss_memory *memory)
{
    ss_memory_free(memory, live->at, live->room, sizeof *live->at);
    *live = (ss_live){0};
}

bool ss_live_reserve(ss_live *live, const ss_memory *memory)
{
    void *at = live->at;
    if (!ss_array_reserve(memory, &at, &live->room, live->count + 1,
                          sizeof *live->at))
        return false;
    live->at = at;
    return true;
}

void ss_live_begin(ss_live *live, uint64_t start)
{
    live->at[live->count++] =
        (ss_live_segment){.start = start, .first_at = UINT64_MAX};
}

/* How many segments start at or before a position. */
static size_t count_to(const ss_live *live, uint64_t position)
{
    size_t low = 0, high = live->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (live->at[middle].start <= position)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool is_in(const ss_live *live, size_t index, uint64_t position)
{
    return index < live->count && live->at[index].start <= position &&
           (index + 1 == live->count || live->at[index + 1].start > position);
}

/* The segment of a position; NULL: it is gone. */
static ss_live_segment *find(ss_live *live, uint64_t position)
{
    if (!is_in(live, live->last, position)) {
        size_t count = count_to(live, position);
        if (count == 0)
            return NULL;
        live->last = count - 1;
    }
    return &live->at[live->last];
}

void ss_live_note(ss_live *live, uint64_t at, uint64_t item)
{
    ss_live_segment *segment = find(live, at);
    if (segment == NULL || segment->first_at != UINT64_MAX)
        return;
    segment->first_at = at;
    segment->first_item = item;
}

void ss_live_advance(ss_live *live, uint64_t at, uint64_t item)
{
    ss_live_segment *segment = find(live, at);
    if (segment == NULL || segment->first_at > at)
        return;
    segment->first_at = at;
    segment->first_item = item;
}

void ss_live_add(ss_live *live, uint64_t at, uint64_t bytes)
{
    ss_live_segment *segment = find(live, at);
    if (segment == NULL)
        return;
    segment->bytes += bytes;
    live->bytes += bytes;
}

void ss_live_remove(ss_live *live, uint64_t at, uint64_t bytes)
{
    ss_live_segment *segment = find(live, at);
    if (segment == NULL)
        return;
    segment->bytes -= bytes;
    live->bytes -= bytes;
}

void ss_live_drop(ss_live *live, uint64_t start)
{
    size_t gone = 0;
    while (gone < live->count && live->at[gone].start < start)
        live->bytes -= live->at[gone++].bytes;
    live->count -= gone;
    live->last = 0;
    if (gone > 0)
        memmove(live->at, live->at + gone, live->count * sizeof *live->at);
}

const ss_live_segment *ss_live_next(const ss_live *live, uint64_t from)
{
    size_t count = count_to(live, from);
    for (size_t i = count > 0 ? count - 1 : 0; i < live->count; i++) {
        if (live->at[i].bytes > 0)
            return &live->at[i];
    }
    return NULL;
}
