/* replay_lanes.c - see replay_lanes.h */
#include "queue/recover/replay_lanes.h"

#include "base/array.h"
#include "base/order.h"

enum {
    LANE_BITS = 8 /* numbers of items have 56 */
};

void ss_lane_runs_free(ss_lane_runs *runs, const ss_memory *memory)
{
    ss_memory_free(memory, runs->at, runs->room, sizeof *runs->at);
    *runs = (ss_lane_runs){0};
}

static unsigned lane_of(const ss_lane_runs *runs, size_t run)
{
    return (unsigned)(runs->at[run] & ((1u << LANE_BITS) - 1));
}

bool ss_lane_runs_note(ss_lane_runs *runs, const ss_memory *memory,
                       uint64_t item, unsigned lane)
{
    void *at = runs->at;
    if (item != runs->end)
        runs->count = 0;
    if (runs->count == 0 || lane_of(runs, runs->count - 1) != lane) {
        if (!ss_array_reserve(memory, &at, &runs->room, runs->count + 1,
                              sizeof *runs->at))
            return false;
        runs->at = at;
        runs->at[runs->count++] = item << LANE_BITS | lane;
    }
    runs->end = item + 1;
    return true;
}

static uint64_t first_of(const ss_lane_runs *runs, size_t run)
{
    return run == runs->count ? runs->end : runs->at[run] >> LANE_BITS;
}

/* The run that has an item of the list. */
static size_t find(const ss_lane_runs *runs, uint64_t item)
{
    size_t low = 0, high = runs->count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (first_of(runs, middle) <= item)
            low = middle;
        else
            high = middle;
    }
    return low;
}

bool ss_lane_runs_agree(const ss_lane_runs *runs, uint64_t first, uint64_t end,
                        unsigned lane)
{
    if (runs->count == 0)
        return true;
    first = ss_higher(first, first_of(runs, 0));
    end = ss_lower(end, runs->end);
    if (first >= end)
        return true;
    size_t run = find(runs, first);
    return lane_of(runs, run) == lane && first_of(runs, run + 1) >= end;
}

/* The first entry of this item or a later one. */
static size_t find_entry(const ss_state *state, uint64_t item)
{
    size_t low = 0, high = state->entry_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (state->entries[middle].item < item)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool ss_lane_entries_agree(const ss_state *state, const ss_ranges *done,
                           uint64_t first, uint64_t end, unsigned lane)
{
    size_t i = find_entry(state, first);
    while (i < state->entry_count && state->entries[i].item < end) {
        const ss_state_entry *entry = &state->entries[i];
        uint64_t next = ss_ranges_skip(done, entry->item);
        if (next == entry->item && entry->lane != lane)
            return false;
        i = next == entry->item ? i + 1 : find_entry(state, next);
    }
    return true;
}
