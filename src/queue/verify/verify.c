/*
 * verify.c - checks every file of a queue; verify/log.c checks those of the
 * log.
 */
#define _POSIX_C_SOURCE 200809L /* fcntl flags */
#include "queue/verify/verify.h"

#include <errno.h>
#include <fcntl.h>

#include "base/growth.h"

enum {
    READ_BYTES = 1 << 20
};

/*
 * Repair fills at most GAP_BYTES plus the size of the log. A file named for a
 * position beyond that does not belong to this log.
 */
#define GAP_BYTES (UINT64_C(1) << 30)

/* ---- manifest, states, sets ---- */

static int check_manifest(ss_verification *run,
                          const seenset_queue_options *options)
{
    if (!run->listing.has_manifest)
        return ss_report_refuse(run->report, SEENSET_EFORMAT,
                                SS_FOLDER_MANIFEST, 0, "the file is missing");
    int error = ss_manifest_read(&run->manifest, &run->folder, &run->memory,
                                 options->set, run->report);
    if (error == SEENSET_OK)
        error = ss_manifest_compare(&run->manifest, options);
    if (error == SEENSET_OK)
        error = ss_recover_init_set(&run->set, &run->manifest, &run->memory,
                                    run->folder.io->clock);
    return error;
}

/* How long the log is, and how much may be missing between its files. */
static int measure_log(ss_verification *run)
{
    const ss_positions *logs = &run->listing.logs;
    seenset_queue_report *report = run->report;
    uint64_t size_bytes = 0;
    for (size_t i = 0; i < logs->count; i++) {
        int error = ss_recover_length(&run->folder, logs->at[i], &size_bytes);
        if (error != SEENSET_OK)
            return error;
        report->log_bytes += size_bytes;
        report->segment_count++;
        run->files_end = logs->at[i] + size_bytes;
    }
    run->gap_budget = GAP_BYTES + report->log_bytes;
    return SEENSET_OK;
}

/* Can the log have had a snapshot's position? */
static const char too_far[] = "the log ends long before its position";

static bool is_in_reach(const ss_verification *run, uint64_t position)
{
    return position <= run->files_end ||
           position - run->files_end <= run->gap_budget;
}

/* Does the log begin at or before the position that a snapshot needs? */
static bool does_log_reach(const ss_verification *run, uint64_t from)
{
    const ss_positions *logs = &run->listing.logs;
    return logs->count == 0 || logs->at[0] <= from;
}

/* The lists of a state, which are taken from it. */
static void free_lists(ss_verification *run)
{
    for (unsigned i = 0; i < SS_LANES; i++)
        ss_ranges_free(&run->lanes[i].ranges, &run->memory);
    ss_memory_free(&run->memory, run->entries, run->entry_count,
                   sizeof *run->entries);
    ss_memory_free(&run->memory, run->entries_met, run->entry_count,
                   sizeof *run->entries_met);
    run->entries = NULL;
    run->entries_met = NULL;
    run->entry_count = 0;
}

/* In a queue whose items may have been moved, entries are not in the order of
 * the log. False: no memory. */
static bool reserve_met(ss_verification *run, bool has_moved)
{
    if (!has_moved || run->entry_count == 0)
        return true;
    run->entries_met = ss_memory_alloc(&run->memory, run->entry_count,
                                       sizeof *run->entries_met);
    return run->entries_met != NULL;
}

/* A state is nothing without its runs. */
static int check_runs(ss_verification *run, const ss_state *state,
                      const char **reason)
{
    char name[SS_FOLDER_NAME_BYTES];
    uint64_t damaged;
    int error = ss_verify_runs(run, state, &damaged);
    *reason = NULL;
    if (error != SEENSET_OK || damaged == UINT64_MAX)
        return error;
    ss_run_file_name(name, damaged);
    ss_verify_report_first(run, name, 0, "the file is missing, or damaged");
    *reason = "a file that it names is damaged";
    return SEENSET_OK;
}

/* Keeps the numbers of a state, and takes its lists. *reason becomes NULL, or
 * why it must be removed. Returns 0 or SEENSET_ENOMEM. */
static int use_state(ss_verification *run, ss_state *state, const char **reason)
{
    *reason = too_far;
    if (!is_in_reach(run, state->position))
        return SEENSET_OK;
    run->durable_end = ss_higher(run->durable_end, state->position);
    free_lists(run);
    for (unsigned i = 0; i < SS_LANES; i++) {
        run->waiting[i] = state->is_polite ? state->lanes[i].unacked_items
                                           : ss_state_waiting(state, i);
        run->lanes[i] = state->lanes[i];
        state->lanes[i].ranges = (ss_ranges){0};
    }
    run->lane_count = state->is_extended ? SS_LANES : 1;
    run->is_polite = state->is_polite;
    run->state_next_item = state->next_item;
    run->state_position = state->position;
    run->state_floor = ss_state_floor(state);
    run->entries = state->entries;
    run->entry_count = state->entry_count;
    state->entries = NULL;
    state->entry_count = 0;
    int error = check_runs(run, state, reason);
    if (error != SEENSET_OK)
        return error;
    if (*reason == NULL && !does_log_reach(run, run->state_floor))
        *reason = "the log that it needs is missing";
    return reserve_met(run, state->has_moved) ? SEENSET_OK : SEENSET_ENOMEM;
}

/* The newest is checked last, so that its numbers are kept. */
static int check_state(ss_verification *run, uint64_t position)
{
    ss_state state;
    char name[SS_FOLDER_NAME_BYTES];
    const char *reason = "the file is damaged";
    int error = ss_recover_state(&run->folder, &run->memory, &run->manifest,
                                 position, &state);
    if (error == SEENSET_OK) {
        error = use_state(run, &state, &reason);
        ss_state_free(&state, &run->memory);
        if (error != SEENSET_OK)
            return error;
    } else if (error != SEENSET_EDAMAGED) {
        return error;
    }
    if (reason == NULL)
        return SEENSET_OK;
    ss_folder_name(name, SS_FOLDER_STATE, position);
    ss_verify_report_first(run, name, 0, reason);
    return ss_positions_add(&run->bad_states, &run->memory, position)
               ? SEENSET_OK
               : SEENSET_ENOMEM;
}

static int check_set(ss_verification *run, uint64_t position)
{
    char name[SS_FOLDER_NAME_BYTES];
    seenset_file_report set_report;
    const ss_url_set_file file = {.folder = &run->folder,
                                  .log_id = run->manifest.log_id,
                                  .position = position};
    ss_folder_name(name, SS_FOLDER_SET, position);
    int error = ss_url_set_verify(&run->set, &file, &set_report);
    const char *reason = set_report.reason;
    if (error == SEENSET_OK && !is_in_reach(run, position)) {
        reason = too_far;
    } else if (error == SEENSET_OK) {
        run->durable_end = ss_higher(run->durable_end, position);
        run->set_position = position;
        return SEENSET_OK;
    }
    if (error == SEENSET_EIO || error == SEENSET_ENOMEM)
        return error;
    ss_verify_report_first(run, name, set_report.offset, reason);
    return ss_positions_add(&run->bad_sets, &run->memory, position)
               ? SEENSET_OK
               : SEENSET_ENOMEM;
}

/* ---- the log and the snapshots together ---- */

/* Recovery continues at a snapshot's position: can a record be read there? */
static int find_record(ss_verification *run, uint64_t position,
                       bool *is_missing)
{
    ss_record record;
    int result = SEENSET_OK;
    ss_log_reader_seek(&run->reader, position);
    if (position < run->log_end)
        result = ss_log_reader_next(&run->reader, run->log_end, &record, NULL);
    *is_missing = result == SEENSET_EDAMAGED;
    return result < 0 && !*is_missing ? result : SEENSET_OK;
}

/* Do the newest snapshots agree with the log? */
static int check_positions(ss_verification *run)
{
    char name[SS_FOLDER_NAME_BYTES];
    bool is_state_lost;
    if (run->damage_count > 0)
        return SEENSET_OK;
    int error = find_record(run, run->state_position, &is_state_lost);
    if (error == SEENSET_OK)
        error = find_record(run, run->set_position, &run->set_contradicts_log);
    if (error != SEENSET_OK)
        return error;
    if (is_state_lost)
        run->state_contradicts_log = true;
    ss_folder_name(name, SS_FOLDER_STATE, run->state_position);
    if (run->state_contradicts_log)
        ss_verify_report_first(run, name, 0,
                               "the log has other items at its position");
    ss_folder_name(name, SS_FOLDER_SET, run->set_position);
    if (run->set_contradicts_log)
        ss_verify_report_first(run, name, 0,
                               "the log has no record at its position");
    return SEENSET_OK;
}

/* Does the log begin where the snapshots need it? */
static int check_links(ss_verification *run)
{
    const ss_positions *logs = &run->listing.logs;
    uint64_t needed = ss_lower(run->state_floor, run->set_position);
    if (logs->count == 0)
        ss_verify_report_first(run, SS_FOLDER_LOG "*", 0, "there is no log");
    else if (!does_log_reach(run, needed))
        ss_verify_report_at(run, logs->at[0], logs->at[0],
                            "the log before this file is missing");
    else
        return check_positions(run);
    return SEENSET_OK;
}

/* ---- the whole ---- */

static int lock(ss_verification *run)
{
    const ss_io *io = run->folder.io;
    run->lock_fd = ss_folder_open_lock(&run->folder);
    if (run->lock_fd < 0)
        return SEENSET_EIO;
    if (io->lock(io->context, run->lock_fd) == 0)
        return SEENSET_OK;
    return errno == EWOULDBLOCK ? SEENSET_EINUSE : SEENSET_EIO;
}

/* A repair was not finished: the states may be older than what it wrote. */
static void check_repair(ss_verification *run)
{
    ss_verify_report_first(run, SS_FOLDER_REPAIR, 0, SS_REPAIR_UNFINISHED);
    run->state_contradicts_log = true;
}

static int check_snapshots(ss_verification *run)
{
    const ss_positions *states = &run->listing.states;
    const ss_positions *sets = &run->listing.sets;
    int error = SEENSET_OK;
    for (size_t i = 0; i < states->count && error == SEENSET_OK; i++)
        error = check_state(run, states->at[i]);
    for (size_t i = 0; i < sets->count && error == SEENSET_OK; i++)
        error = check_set(run, sets->at[i]);
    return error;
}

static int check_all(ss_verification *run, const seenset_queue_options *options)
{
    int error = check_manifest(run, options);
    if (error != SEENSET_OK)
        return error;
    error = ss_log_reader_init(&run->reader, &run->folder, &run->memory,
                               &run->listing.logs, run->manifest.log_id,
                               READ_BYTES);
    if (error == SEENSET_OK)
        error = measure_log(run);
    if (error == SEENSET_OK && run->listing.has_repair)
        check_repair(run);
    if (error == SEENSET_OK)
        error = check_snapshots(run);
    if (error == SEENSET_OK)
        error = ss_verify_log(run);
    return error == SEENSET_OK ? check_links(run) : error;
}

static int begin(ss_verification *run, const ss_io *io, const char *dir,
                 const seenset_queue_options *options)
{
    if (dir == NULL || !ss_queue_can_read_options(options))
        return SEENSET_EINVAL;
    int error = ss_memory_init(
        &run->memory, options->set == NULL ? NULL : options->set->allocator);
    if (error == SEENSET_OK)
        error = ss_folder_use(&run->folder, io, dir);
    return error == SEENSET_OK ? lock(run) : error;
}

int ss_verify(ss_verification *run, const ss_io *io, const char *dir,
              const seenset_queue_options *options)
{
    options = ss_queue_given(options);
    *run = (ss_verification){
        .lock_fd = -1, .lane_count = 1, .report = options->report};
    if (run->report == NULL)
        run->report = &run->own_report;
    *run->report = (seenset_queue_report){0};
    run->listing.memory = &run->memory;
    ss_pending_init(&run->pending);
    int error = begin(run, io, dir, options);
    if (error == SEENSET_OK)
        error = ss_folder_list(&run->folder, &run->listing);
    return error == SEENSET_OK ? check_all(run, options) : error;
}

void ss_verification_free(ss_verification *run)
{
    const ss_memory *memory = &run->memory;
    int saved_errno = errno;
    ss_log_reader_free(&run->reader);
    ss_url_set_free(&run->set);
    if (run->lock_fd >= 0)
        ss_io_close_quietly(run->folder.io, run->lock_fd);
    ss_listing_free(&run->listing);
    ss_positions_free(&run->bad_states, memory);
    ss_positions_free(&run->bad_sets, memory);
    ss_lane_runs_free(&run->runs, memory);
    ss_pending_free(&run->pending, memory);
    free_lists(run);
    ss_verify_close_runs(run);
    ss_memory_free(memory, run->damages, run->damage_room,
                   sizeof *run->damages);
    errno = saved_errno;
}

bool ss_verification_has_damage(const ss_verification *run)
{
    return run->report->reason[0] != '\0';
}
