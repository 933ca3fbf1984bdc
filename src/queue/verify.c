/*
 * queue_inspect.c - every file of a queue, looked at; the log's by
 * queue_inspect_log.c.
 */
#define _POSIX_C_SOURCE 200809L /* fcntl flags */
#include "queue/verify.h"

#include <errno.h>
#include <fcntl.h>

#include "file/file.h"

enum {
    READ_BYTES = 1 << 20
};

/*
 * What repair fills with holes is at most this and as much again as there is
 * of the log. A file whose name says more is none of this log.
 */
#define GAP_BYTES (UINT64_C(1) << 30)

void ss_verify_note(ss_verification *inspection, const char *file,
                    uint64_t offset, const char *reason)
{
    if (inspection->report->reason[0] == '\0')
        ss_report_refuse(inspection->report, 0, file, offset, reason);
}

void ss_verify_note_at(ss_verification *inspection, uint64_t segment,
                       uint64_t position, const char *reason)
{
    char name[SS_FOLDER_NAME_BYTES];
    ss_directory_name(name, SS_FOLDER_LOG, segment);
    ss_verify_note(inspection, name, position - segment, reason);
}

/* ---- manifest, states, sets ---- */

static int look_at_manifest(ss_verification *inspection)
{
    if (!inspection->listing.has_manifest)
        return ss_report_refuse(inspection->report, SEENSET_EFORMAT,
                                SS_FOLDER_MANIFEST, 0, "the file is missing");
    return ss_manifest_read(&inspection->manifest, &inspection->folder,
                            &inspection->memory, inspection->report);
}

/* How long the log is, and how far its files may be apart. */
static int measure_log(ss_verification *inspection)
{
    const ss_positions *logs = &inspection->listing.logs;
    seenset_queue_report *report = inspection->report;
    uint64_t size_bytes = 0;
    for (size_t i = 0; i < logs->count; i++) {
        int error =
            ss_recover_length(&inspection->folder, logs->at[i], &size_bytes);
        if (error != SEENSET_OK)
            return error;
        report->log_bytes += size_bytes;
        report->segment_count++;
        inspection->files_end = logs->at[i] + size_bytes;
    }
    inspection->gap_room = GAP_BYTES + report->log_bytes;
    return SEENSET_OK;
}

/* Is a snapshot's position one that the log can have had? */
static const char too_far[] = "the log ends long before its position";

static bool is_in_reach(const ss_verification *inspection, uint64_t position)
{
    return position <= inspection->files_end ||
           position - inspection->files_end <= inspection->gap_room;
}

/* Does the log reach back to what a snapshot needs? */
static bool is_log_there(const ss_verification *inspection, uint64_t from)
{
    const ss_positions *logs = &inspection->listing.logs;
    return logs->count == 0 || logs->at[0] <= from;
}

/* The newest comes last, and is what counts. */
static int look_at_state(ss_verification *inspection, uint64_t position)
{
    ss_state state;
    char name[SS_FOLDER_NAME_BYTES];
    const char *reason = "the file is damaged";
    int error = ss_recover_state(&inspection->folder, &inspection->memory,
                                 inspection->manifest.log_id, position, &state);
    if (error == SEENSET_OK && !is_in_reach(inspection, position)) {
        ss_state_free(&state, &inspection->memory);
        reason = too_far;
    } else if (error == SEENSET_OK) {
        uint64_t floor = ss_state_floor(&state), next_item = state.next_item;
        inspection->read_item = state.read_item;
        inspection->read_position = state.read_position;
        ss_state_free(&state, &inspection->memory);
        inspection->safe = ss_verify_higher(inspection->safe, position);
        inspection->state_next_item = next_item;
        inspection->state_position = position;
        inspection->state_floor = floor;
        if (is_log_there(inspection, floor))
            return SEENSET_OK;
        reason = "the log that it needs is missing";
    } else if (error != SEENSET_EDAMAGED) {
        return error;
    }
    ss_directory_name(name, SS_FOLDER_STATE, position);
    ss_verify_note(inspection, name, 0, reason);
    return ss_positions_add(&inspection->bad_states, &inspection->memory,
                            position)
               ? SEENSET_OK
               : SEENSET_ENOMEM;
}

static int look_at_set(ss_verification *inspection, uint64_t position)
{
    char name[SS_FOLDER_NAME_BYTES], path[PATH_MAX];
    seenset_file_report set_report;
    ss_directory_name(name, SS_FOLDER_SET, position);
    ss_directory_path(&inspection->folder, path, name);
    int error = ss_file_verify_as(inspection->folder.io,
                                  &inspection->manifest.set, path, &set_report);
    const char *reason = set_report.reason;
    if (error == SEENSET_OK && !is_in_reach(inspection, position)) {
        reason = too_far;
    } else if (error == SEENSET_OK) {
        inspection->safe = ss_verify_higher(inspection->safe, position);
        inspection->set_position = position;
        return SEENSET_OK;
    }
    if (error == SEENSET_EIO || error == SEENSET_ENOMEM)
        return error;
    ss_verify_note(inspection, name, set_report.offset, reason);
    return ss_positions_add(&inspection->bad_sets, &inspection->memory,
                            position)
               ? SEENSET_OK
               : SEENSET_ENOMEM;
}

/* ---- the log and the snapshots together ---- */

/* Recovery reads on from a snapshot's position: is there a record? */
static int find_record(ss_verification *inspection, uint64_t position,
                       bool *is_missing)
{
    ss_record record;
    int result = SEENSET_OK;
    ss_log_reader_seek(&inspection->reader, position);
    if (position < inspection->log_end)
        result = ss_log_reader_next(&inspection->reader, inspection->log_end,
                                    &record, NULL);
    *is_missing = result == SEENSET_EDAMAGED;
    return result < 0 && !*is_missing ? result : SEENSET_OK;
}

/* Do the newest snapshots speak of this log? */
static int look_at_positions(ss_verification *inspection)
{
    char name[SS_FOLDER_NAME_BYTES];
    bool is_lost;
    if (inspection->damage_count > 0)
        return SEENSET_OK;
    int error = find_record(inspection, inspection->state_position, &is_lost);
    if (error == SEENSET_OK)
        error = find_record(inspection, inspection->set_position,
                            &inspection->is_set_denied);
    if (error != SEENSET_OK)
        return error;
    bool is_all_read = inspection->state_position > 0 &&
                       inspection->read_position >= inspection->log_end;
    if (is_lost ||
        (is_all_read && inspection->read_item != inspection->next_item))
        inspection->is_state_denied = true;
    ss_directory_name(name, SS_FOLDER_STATE, inspection->state_position);
    if (inspection->is_state_denied)
        ss_verify_note(inspection, name, 0,
                       "the log has other items at its position");
    ss_directory_name(name, SS_FOLDER_SET, inspection->set_position);
    if (inspection->is_set_denied)
        ss_verify_note(inspection, name, 0,
                       "the log has no record at its position");
    return SEENSET_OK;
}

/* Does the log begin where it has to? */
static int look_at_links(ss_verification *inspection)
{
    const ss_positions *logs = &inspection->listing.logs;
    uint64_t needed = inspection->state_floor < inspection->set_position
                          ? inspection->state_floor
                          : inspection->set_position;
    if (logs->count == 0)
        ss_verify_note(inspection, SS_FOLDER_LOG "*", 0, "there is no log");
    else if (!is_log_there(inspection, needed))
        ss_verify_note_at(inspection, logs->at[0], logs->at[0],
                          "the log before this file is missing");
    else
        return look_at_positions(inspection);
    return SEENSET_OK;
}

/* ---- the whole ---- */

static int lock(ss_verification *inspection)
{
    const ss_io *io = inspection->folder.io;
    inspection->lock_fd = ss_directory_open_lock(&inspection->folder);
    if (inspection->lock_fd < 0)
        return SEENSET_EIO;
    if (io->lock(io->context, inspection->lock_fd) == 0)
        return SEENSET_OK;
    return errno == EWOULDBLOCK ? SEENSET_EINUSE : SEENSET_EIO;
}

/* A repair that was not finished: the states may be older than its holes. */
static void look_at_repair(ss_verification *inspection)
{
    ss_verify_note(inspection, SS_FOLDER_REPAIR, 0, SS_REPAIR_UNFINISHED);
    inspection->is_state_denied = true;
}

static int look_at_all(ss_verification *inspection)
{
    const ss_listing *listing = &inspection->listing;
    int error = look_at_manifest(inspection);
    if (error == SEENSET_OK)
        error = ss_log_reader_init(&inspection->reader, &inspection->folder,
                                   &inspection->memory, &listing->logs,
                                   inspection->manifest.log_id, READ_BYTES);
    if (error == SEENSET_OK)
        error = measure_log(inspection);
    if (error == SEENSET_OK && listing->has_repair)
        look_at_repair(inspection);
    for (size_t i = 0; i < listing->states.count && error == SEENSET_OK; i++)
        error = look_at_state(inspection, listing->states.at[i]);
    for (size_t i = 0; i < listing->sets.count && error == SEENSET_OK; i++)
        error = look_at_set(inspection, listing->sets.at[i]);
    if (error == SEENSET_OK)
        error = ss_verify_log(inspection);
    if (error == SEENSET_OK)
        error = look_at_links(inspection);
    return error;
}

int ss_verify(ss_verification *inspection, const ss_io *io, const char *dir,
              seenset_queue_report *report)
{
    *report = (seenset_queue_report){0};
    *inspection = (ss_verification){.lock_fd = -1, .report = report};
    if (dir == NULL)
        return SEENSET_EINVAL;
    inspection->listing.memory = &inspection->memory;
    int error = ss_directory_init(&inspection->folder, io, dir);
    if (error == SEENSET_OK)
        error = lock(inspection);
    if (error == SEENSET_OK)
        error = ss_directory_list(&inspection->folder, &inspection->listing);
    return error == SEENSET_OK ? look_at_all(inspection) : error;
}

void ss_verification_free(ss_verification *inspection)
{
    const ss_memory *memory = &inspection->memory;
    int saved_errno = errno;
    ss_log_reader_free(&inspection->reader);
    if (inspection->lock_fd >= 0)
        ss_io_close_quietly(inspection->folder.io, inspection->lock_fd);
    ss_listing_free(&inspection->listing);
    ss_positions_free(&inspection->bad_states, memory);
    ss_positions_free(&inspection->bad_sets, memory);
    ss_memory_free(memory, inspection->damages, inspection->damage_room,
                   sizeof *inspection->damages);
    errno = saved_errno;
}

bool ss_verification_is_bad(const ss_verification *inspection)
{
    return inspection->report->reason[0] != '\0';
}
