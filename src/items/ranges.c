/* ranges.c - sorted ranges in an array */
#include "items/ranges.h"

#include <string.h>

#include "base/array.h"

void ss_ranges_free(ss_ranges *ranges, const ss_memory *memory)
{
    ss_memory_free(memory, ranges->at, ranges->room, sizeof *ranges->at);
    *ranges = (ss_ranges){0};
}

/* The index of the first range that ends at `item` or later. */
static size_t find(const ss_ranges *ranges, uint64_t item)
{
    size_t low = 0, high = ranges->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (ranges->at[middle].end < item)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Replaces the ranges from..to-1 by `range`. */
static void replace(ss_ranges *ranges, size_t from, size_t to, ss_range range)
{
    memmove(ranges->at + from + 1, ranges->at + to,
            (ranges->count - to) * sizeof *ranges->at);
    ranges->at[from] = range;
    ranges->count = ranges->count - (to - from) + 1;
}

bool ss_ranges_add(ss_ranges *ranges, const ss_memory *memory, uint64_t first,
                   uint64_t end)
{
    uint64_t added;
    return ss_ranges_add_new(ranges, memory, first, end, &added);
}

bool ss_ranges_add_new(ss_ranges *ranges, const ss_memory *memory,
                       uint64_t first, uint64_t end, uint64_t *added)
{
    *added = 0;
    if (first >= end)
        return true;
    void *block = ranges->at;
    if (!ss_array_reserve(memory, &block, &ranges->room, ranges->count + 1,
                          sizeof *ranges->at))
        return false;
    ranges->at = block;
    size_t from = find(ranges, first), to = from;
    ss_range range = {first, end};
    uint64_t before = 0;
    for (; to < ranges->count && ranges->at[to].first <= end; to++) {
        const ss_range *old = &ranges->at[to];
        range.first = old->first < range.first ? old->first : range.first;
        range.end = old->end > range.end ? old->end : range.end;
        before += old->end - old->first;
    }
    *added = range.end - range.first - before;
    replace(ranges, from, to, range);
    return true;
}

uint64_t ss_ranges_skip(const ss_ranges *ranges, uint64_t item)
{
    size_t i = find(ranges, item + 1);
    if (i < ranges->count && ranges->at[i].first <= item)
        return ranges->at[i].end;
    return item;
}

void ss_ranges_trim(ss_ranges *ranges, uint64_t item)
{
    size_t removed = find(ranges, item + 1);
    if (removed > 0) {
        ranges->count -= removed;
        memmove(ranges->at, ranges->at + removed,
                ranges->count * sizeof *ranges->at);
    }
    if (ranges->count > 0 && ranges->at[0].first < item)
        ranges->at[0].first = item;
}

uint64_t ss_ranges_total(const ss_ranges *ranges)
{
    uint64_t total = 0;
    for (size_t i = 0; i < ranges->count; i++)
        total += ranges->at[i].end - ranges->at[i].first;
    return total;
}
