/* delayed.c - see delayed.h */
#define _POSIX_C_SOURCE 200809L /* threads */
#include "queue/recover/delayed.h"

#include "base/order.h"
#include "queue/delayed/delayed.h"
#include "queue/recover/replay.h"
#include "queue/recover/runs.h"

/* ---- what is done ---- */

/* If leases end: all that is not in runs, and no entry, up to the reader. */
static int read_runs(ss_recovery *run, unsigned lane)
{
    const ss_state *state = &run->state;
    ss_items *items = &run->queue->items;
    ss_delays *delays = &items->lanes[lane].delays;
    uint64_t next = 0, end = state->lanes[lane].read_item;
    size_t entry = 0;
    ss_delay found;
    int result = 1;
    while (result == 1 && next < end) {
        while (entry < state->entry_count &&
               (state->entries[entry].lane != lane ||
                state->entries[entry].item < next))
            entry++;
        uint64_t item =
            entry < state->entry_count ? state->entries[entry].item : end;
        result = ss_delays_next(delays, &items->run_files, next, &found);
        if (result < 0)
            break;
        if (result == 1 && !run->has_delayed[lane]) {
            run->oldest_delayed[lane] = found;
            run->has_delayed[lane] = true;
        }
        if (result == 1)
            item = ss_lower(item, found.item);
        item = ss_lower(item, end);
        int error = ss_replay_done(run, lane, next, item);
        result = error == SEENSET_OK ? 1 : error;
        next = item + 1;
    }
    return result < 0 ? result : SEENSET_OK;
}

static int take_runs(ss_recovery *run, unsigned lane)
{
    ss_items *items = &run->queue->items;
    ss_delays *delays = &items->lanes[lane].delays;
    int error = ss_recover_open_runs(run, lane);
    if (error != SEENSET_OK)
        return error;
    delays->gone = run->state.lanes[lane].gone;
    run->state.lanes[lane].gone = (ss_ranges){0};
    error = read_runs(run, lane);
    if (error == SEENSET_EDAMAGED)
        error = ss_recover_refuse_run(
            run, delays->runs[0].name.number,
            "the file, or one of a later number, is damaged");
    ss_delays_clear(delays, &items->run_files);
    return error;
}

int ss_recover_delayed_done(ss_recovery *run, unsigned lane)
{
    ss_lane *to = &run->queue->items.lanes[lane];
    ss_state_lane *from = &run->state.lanes[lane];
    int error = SEENSET_OK;
    to->unacked_items = from->unacked_items;
    if (!run->keeps_leases) {
        error = take_runs(run, lane);
    } else {
        run->gone_items[lane] = ss_ranges_total(&from->gone);
        to->done = from->gone;
        from->gone = (ss_ranges){0};
    }
    for (size_t i = 0; i < from->ranges.count && error == SEENSET_OK; i++)
        error = ss_replay_done(run, lane, from->ranges.at[i].first,
                               from->ranges.at[i].end);
    return error;
}

/* ---- after the replay ---- */

/* What is done below the reader is gone: in runs that have it. */
static int take_gone(ss_recovery *run, unsigned lane)
{
    ss_lane *to = &run->queue->items.lanes[lane];
    uint64_t end = run->state.lanes[lane].read_item;
    for (size_t i = 0; i < to->done.count && to->done.at[i].first < end; i++)
        if (!ss_ranges_add(&to->delays.gone, &run->queue->memory,
                           to->done.at[i].first,
                           ss_lower(to->done.at[i].end, end)))
            return SEENSET_ENOMEM;
    return SEENSET_OK;
}

/* How many entries of the lane were acked since. */
static uint64_t acked_entries(const ss_recovery *run, unsigned lane)
{
    uint64_t count = 0;
    const ss_ranges *done = &run->queue->items.lanes[lane].done;
    for (size_t i = 0; i < run->state.entry_count; i++) {
        const ss_state_entry *entry = &run->state.entries[i];
        count += entry->lane == lane &&
                 ss_ranges_skip(done, entry->item) != entry->item;
    }
    return count;
}

static int recover_lane(ss_recovery *run, unsigned lane)
{
    seenset_queue *queue = run->queue;
    ss_lane *to = &queue->items.lanes[lane];
    int error = ss_recover_open_runs(run, lane);
    if (error == SEENSET_OK)
        error = take_gone(run, lane);
    if (error == SEENSET_OK &&
        !ss_leases_be_unordered(&to->leases, &queue->memory))
        error = SEENSET_ENOMEM;
    if (error != SEENSET_OK)
        return error;
    uint64_t acked = ss_ranges_total(&to->delays.gone) - run->gone_items[lane] -
                     acked_entries(run, lane);
    if (acked > run->state.lanes[lane].delayed_items)
        return ss_recovery_refuse(run, run->state.position,
                                  "the log has other items than its snapshots");
    to->delays.items = run->state.lanes[lane].delayed_items - acked;
    if (to->delays.items == 0)
        ss_delays_clear(&to->delays, &queue->items.run_files);
    return SEENSET_OK;
}

int ss_recover_delayed(ss_recovery *run)
{
    int error = SEENSET_OK;
    for (unsigned i = 0; i < SS_LANES && error == SEENSET_OK; i++)
        if (ss_recover_has_runs(&run->state, i))
            error = recover_lane(run, i);
    return error;
}
