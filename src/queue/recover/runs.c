/* runs.c - see runs.h */
#define _POSIX_C_SOURCE 200809L /* threads */
#include "queue/recover/runs.h"

#include "queue/delayed/delayed.h"

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

int ss_recover_refuse_run(const ss_recovery *run, uint64_t number,
                          const char *reason)
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
        return ss_recover_refuse_run(run, from->name.number,
                                     "the file is damaged");
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
