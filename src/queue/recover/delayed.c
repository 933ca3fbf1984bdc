/* delayed.c - see delayed.h */
#define _POSIX_C_SOURCE 200809L /* threads */
#include "queue/recover/delayed.h"

#include "base/order.h"
#include "queue/delayed/delayed.h"
#include "queue/recover/replay.h"

/* ---- files ---- */

int ss_recover_run_files(ss_recovery *run)
{
    seenset_queue *queue = run->queue;
    ss_delayed_files *files = &queue->delayed_files;
    const ss_positions *listed = &run->listing->delayed;
    for (size_t i = 0; i < listed->count; i++) {
        if (!ss_positions_add(&files->there, &queue->memory, listed->at[i]))
            return SEENSET_ENOMEM;
        if (listed->at[i] < SS_STATE_MOST_RUNS) /* or it is not the queue's */
            files->next_number = listed->at[i] + 1;
    }
    return SEENSET_OK;
}

/* All of its items, in the order in which they will be read. */
static int read_items(ss_run *run, const ss_run_files *files)
{
    ss_delay item;
    int error = SEENSET_OK;
    for (uint64_t i = 0; i < run->name.count && error == SEENSET_OK; i++)
        error = ss_run_read(run, files, SS_RUN_BY_ITEM, i, &item);
    return error == SEENSET_OK ? ss_run_need_first(run, files) : error;
}

int ss_recover_check_runs(const ss_recovery *run, const ss_state *state,
                          bool is_newest)
{
    ss_run_files files = run->queue->items.run_files;
    bool are_read =
        state->is_polite ? run->keeps_leases && is_newest : !run->keeps_leases;
    files.stay_open = false;
    for (size_t i = 0; i < state->run_count; i++) {
        ss_run opened;
        int error = ss_run_open(&opened, &files, &state->runs[i].name);
        opened.next = state->runs[i].next;
        if (error == SEENSET_OK && are_read)
            error = read_items(&opened, &files);
        ss_run_close(&opened, &files);
        if (error != SEENSET_OK)
            return error;
    }
    return SEENSET_OK;
}

int ss_recover_names(seenset_queue *queue, const ss_state *state,
                     unsigned index)
{
    return ss_delayed_names(&queue->delayed_files.named[index], &queue->memory,
                            state)
               ? SEENSET_OK
               : SEENSET_ENOMEM;
}

bool ss_recover_has_runs(const ss_state *state, unsigned lane)
{
    for (size_t i = 0; i < state->run_count; i++)
        if (state->runs[i].name.lane == lane)
            return true;
    return false;
}

/* ---- opening them ---- */

/* A run that was sound a moment ago. */
static int refuse(const ss_recovery *run, uint64_t number, const char *reason)
{
    char name[SS_FOLDER_NAME_BYTES];
    ss_run_file_name(name, number);
    return ss_report_refuse(run->report, SEENSET_EDAMAGED, name, 0, reason);
}

/* Boots of which each has another wall clock may add up to any time. */
static int64_t add_shifts(int64_t a, int64_t b)
{
    int64_t sum = a + b; /* of two that are bounded */
    return sum > SS_STATE_MOST_SHIFT_NS    ? SS_STATE_MOST_SHIFT_NS
           : sum < -SS_STATE_MOST_SHIFT_NS ? -SS_STATE_MOST_SHIFT_NS
                                           : sum;
}

static int open_run(ss_recovery *run, const ss_state_run *from,
                    int64_t shift_ns)
{
    ss_run opened;
    ss_items *items = &run->queue->items;
    ss_delays *to = &items->lanes[from->name.lane].delays;
    if (!ss_delays_reserve(to, &run->queue->memory))
        return SEENSET_ENOMEM;
    int error = ss_run_open(&opened, &items->run_files, &from->name);
    if (error == SEENSET_EDAMAGED)
        return refuse(run, from->name.number, "the file is damaged");
    if (error != SEENSET_OK)
        return error;
    opened.next = from->next;
    opened.shift_ns = add_shifts(from->shift_ns, shift_ns);
    ss_delays_add(to, &opened);
    return SEENSET_OK;
}

int ss_recover_open_runs(ss_recovery *run, unsigned lane)
{
    const ss_state *state = &run->state;
    const ss_moment now = ss_moment_now(run->queue->folder.io->clock);
    int64_t shift_ns = ss_moment_shift(&state->written, &now);
    int error = SEENSET_OK;
    for (size_t i = 0; i < state->run_count && error == SEENSET_OK; i++)
        if (state->runs[i].name.lane == lane)
            error = open_run(run, &state->runs[i], shift_ns);
    if (error == SEENSET_OK && !ss_moment_is_same_clock(&state->written, &now))
        run->queue->snapshots.is_dirty = true;
    return error;
}

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
        error = refuse(run, delays->runs[0].name.number,
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
