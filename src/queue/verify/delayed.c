/*
 * delayed.c - checks the runs of delayed items that a state names, alone and
 * with the log.
 */
#define _POSIX_C_SOURCE 200809L /* threads */
#include "queue/verify/verify.h"

#include "hash/xxh3.h"
#include "items/moment.h"

/* Could the state have it? */
static bool is_possible(const ss_state *state, const ss_run *run,
                        const ss_delay *delay)
{
    const ss_state_lane *lane = &state->lanes[run->name.lane];
    return delay->item <
               (state->is_polite ? state->next_item : lane->read_item) &&
           delay->position <
               (state->is_polite ? state->position : lane->read_position) &&
           delay->position >= run->name.floor &&
           (delay->due_ns < 0 ||
            (uint64_t)delay->due_ns <= state->written.steady_ns ||
            (uint64_t)delay->due_ns - state->written.steady_ns <=
                SS_LONGEST_NS);
}

/* A number that is the same for the same record in both orders. */
static uint64_t mix_of(const ss_delay *delay)
{
    uint64_t mixed = ss_hash_step(delay->item + 1);
    mixed = ss_hash_step(mixed ^ delay->position);
    mixed = ss_hash_step(mixed ^ (uint64_t)delay->due_ns);
    return ss_hash_step(mixed ^ delay->deliveries ^
                        (uint64_t)delay->turn << 32);
}

/* Does the record follow the one before it, and does its block say so? */
static bool is_in_order(const ss_run *run, ss_run_order order, uint64_t i,
                        const ss_delay *before, const ss_delay *now)
{
    if (order == SS_RUN_BY_DUE)
        return i == 0 || ss_delay_is_before(before, now);
    uint64_t least = i == 0 ? 0 : before->item + 1;
    return now->item >= least &&
           (i % SS_RUN_BLOCK_RECORDS != 0 || ss_run_before(run) == least);
}

/* Reads all records of one order, which must be strict. *sum becomes that of
 * what is in them. Errors are those of ss_run_read. */
static int check_order(const ss_state *state, ss_run *run,
                       const ss_run_files *files, ss_run_order order,
                       uint64_t *sum)
{
    ss_delay before = {0}, now;
    *sum = 0;
    for (uint64_t i = 0; i < run->name.count; i++, before = now) {
        int error = ss_run_read(run, files, order, i, &now);
        if (error != SEENSET_OK)
            return error;
        if (!is_possible(state, run, &now) ||
            !is_in_order(run, order, i, &before, &now))
            return SEENSET_EDAMAGED;
        *sum += mix_of(&now);
    }
    return SEENSET_OK;
}

static int check_run(const ss_state *state, ss_run *run,
                     const ss_run_files *files)
{
    uint64_t by_due, by_item;
    int error = check_order(state, run, files, SS_RUN_BY_DUE, &by_due);
    if (error == SEENSET_OK)
        error = check_order(state, run, files, SS_RUN_BY_ITEM, &by_item);
    return error == SEENSET_OK && by_due != by_item ? SEENSET_EDAMAGED : error;
}

/* Opens a run, and keeps it. */
static int take_run(ss_verification *run, const ss_state *state,
                    const ss_state_run *from)
{
    ss_run opened;
    const ss_run_files *files = &run->run_files;
    ss_delays *to = &run->delays[from->name.lane];
    if (!ss_delays_reserve(to, &run->memory))
        return SEENSET_ENOMEM;
    int error = ss_run_open(&opened, files, &from->name);
    if (error != SEENSET_OK)
        return error;
    opened.shift_ns = from->shift_ns;
    opened.next = from->next;
    ss_delays_add(to, &opened);
    run->delayed_left[from->name.lane] += from->name.count - from->next;
    return check_run(state, &to->runs[to->count - 1], files);
}

void ss_verify_close_runs(ss_verification *run)
{
    for (unsigned i = 0; i < SS_LANES; i++) {
        ss_delays_clear(&run->delays[i], &run->run_files);
        run->delayed_left[i] = 0;
    }
}

int ss_verify_runs(ss_verification *run, const ss_state *state,
                   uint64_t *damaged)
{
    *damaged = UINT64_MAX;
    ss_verify_close_runs(run);
    run->run_files = (ss_run_files){.folder = &run->folder,
                                    .memory = &run->memory,
                                    .log_id = run->manifest.log_id};
    for (size_t i = 0; i < state->run_count; i++) {
        int error = take_run(run, state, &state->runs[i]);
        if (error == SEENSET_EDAMAGED && *damaged == UINT64_MAX)
            *damaged = state->runs[i].name.number;
        else if (error != SEENSET_OK && error != SEENSET_EDAMAGED)
            return error;
    }
    if (*damaged != UINT64_MAX)
        ss_verify_close_runs(run); /* the state will go: the log is not asked */
    return SEENSET_OK;
}

int ss_verify_delayed(ss_verification *run, const ss_record *record,
                      uint64_t at)
{
    ss_delay found;
    if (!ss_record_is_push(record->type) || at >= run->state_position ||
        run->is_polite)
        return SEENSET_OK;
    unsigned lane = ss_record_lane(record);
    if (run->delays[lane].count == 0)
        return SEENSET_OK;
    int result = ss_delays_next(&run->delays[lane], &run->run_files,
                                record->item, &found);
    if (result < 0 && result != SEENSET_EDAMAGED)
        return result;
    if (result == 1 && found.item == record->item && found.position == at)
        run->delayed_left[lane]--;
    return SEENSET_OK;
}

/* Of a polite queue: those that are pending. */
typedef struct counting {
    const ss_pending *pending;
    uint64_t count;
} counting;

static int count_pending(void *context, const ss_delay *delay)
{
    counting *at = context;
    at->count += ss_pending_has(at->pending, delay->item);
    return 0;
}

int ss_verify_count_delayed(ss_verification *run)
{
    for (unsigned i = 0; i < SS_LANES && run->is_polite; i++) {
        counting at = {.pending = &run->pending};
        ss_delays *delays = &run->delays[i];
        int error = ss_delays_each(delays, &run->run_files, count_pending, &at);
        if (error != SEENSET_OK)
            return error;
        run->delayed_left[i] = /* or the state will go */
            delays->count > 0 ? run->lanes[i].delayed_items - at.count : 0;
    }
    return SEENSET_OK;
}

bool ss_verify_are_delayed_there(const ss_verification *run)
{
    for (unsigned i = 0; i < SS_LANES; i++)
        if (run->delayed_left[i] != 0)
            return false;
    return true;
}
