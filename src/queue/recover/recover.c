/*
 * recover.c - opening a queue that exists.
 *
 * The newest state and the newest set that can be read are each brought up to
 * the log's end by the part of the log that comes after them: pushes go into
 * the set, acks into the state. Either may be missing while the log still
 * begins at 0.
 *
 * A crash can leave an unfinished end. It is cut off, and everything before it
 * is synced, since what is appended next relies on it. A place anywhere else
 * that cannot be read was safe once, so it is damage: nothing is changed, the
 * place is reported, and repair is the caller's decision.
 */
#define _POSIX_C_SOURCE 200809L /* fcntl flags */
#include "queue/recover/recover.h"
#include "queue/recover/agreement.h"
#include "queue/polite.h"
#include "queue/delayed/delayed.h"
#include "queue/recover/delayed.h"
#include "queue/recover/leases.h"
#include "queue/recover/polite.h"
#include "queue/recover/replay.h"
#include "queue/recover/runs.h"

#include <errno.h>
#include <fcntl.h>

#include "base/order.h"

/* ---- the newest state and set ---- */

/* Reads a state, and looks for its runs. Of one without them, too, no number of
 * a run is used again: it must not find others under their names later. */
static int read_state(const ss_recovery *run, uint64_t position, ss_state *out)
{
    seenset_queue *queue = run->queue;
    bool is_newest = queue->snapshots.states.count == 0;
    int error = ss_recover_state(&queue->folder, &queue->memory,
                                 &queue->manifest, position, out);
    if (error != SEENSET_OK)
        return error;
    queue->delayed_files.next_number =
        ss_higher(queue->delayed_files.next_number, out->next_run);
    error = ss_recover_check_runs(run, out, is_newest);
    if (error != SEENSET_OK)
        ss_state_free(out, &queue->memory);
    return error;
}

/* Finds the newest two states that can be read, and keeps the newest. */
static int find_states(ss_recovery *run)
{
    seenset_queue *queue = run->queue;
    ss_snapshot_pair *found = &queue->snapshots.states;
    const ss_positions *states = &run->listing->states;
    size_t i = states->count;
    for (; i > 0 && found->count < 2; i--) {
        ss_state state;
        int error = read_state(run, states->at[i - 1], &state);
        if (error == SEENSET_EDAMAGED)
            continue;
        if (error != SEENSET_OK)
            return error;
        found->at[found->count] =
            (ss_snapshot){state.position, ss_state_floor(&state)};
        bool is_newest = found->count++ == 0;
        error = ss_recover_names(queue, &state, is_newest ? 1 : 2);
        if (is_newest)
            run->state = state;
        else
            ss_state_free(&state, &queue->memory);
        if (error != SEENSET_OK)
            return error;
    }
    found->has_leftover = i > 0;
    return SEENSET_OK;
}

/* Loads the newest set that can be read, and remembers the one before it. */
static int find_sets(ss_recovery *run)
{
    seenset_queue *queue = run->queue;
    ss_snapshot_pair *found = &queue->snapshots.sets;
    const ss_positions *sets = &run->listing->sets;
    size_t i = sets->count;
    for (; i > 0 && found->count < 2; i--) {
        uint64_t position = sets->at[i - 1];
        int error = queue->seen.set.is_made
                        ? SEENSET_OK
                        : ss_recover_load_set(queue, position);
        if (error == SEENSET_EIO || error == SEENSET_ENOMEM)
            return error;
        if (error == SEENSET_OK)
            found->at[found->count++] = (ss_snapshot){position, position};
    }
    found->has_leftover = i > 0;
    run->set_position = ss_snapshots_set_position(&queue->snapshots);
    return ss_url_set_make(&queue->seen.set);
}

/* ---- which segments there are ---- */

/*
 * Removes last segments that have no whole header. A crash leaves one when it
 * comes while the segment is made; there are no records in it, since the
 * header is made durable before any. It must be removed before the segment in
 * front of it grows past its position.
 */
static int remove_empty_last_segments(ss_recovery *run)
{
    char name[SS_FOLDER_NAME_BYTES];
    const ss_folder *folder = &run->queue->folder;
    ss_positions *segments = &run->queue->log.segments;
    while (segments->count > 1) {
        uint64_t start = segments->at[segments->count - 1], size_bytes;
        if (run->end - start > SS_SEGMENT_HEADER_BYTES ||
            start < run->durable_end)
            return SEENSET_OK;
        ss_folder_name(name, SS_FOLDER_LOG, start);
        if (run->purpose != SS_FOR_LOOK && !ss_folder_unlink(folder, name))
            return SEENSET_EIO;
        segments->count--;
        start = segments->at[segments->count - 1];
        int error = ss_recover_length(folder, start, &size_bytes);
        if (error != SEENSET_OK)
            return error;
        run->end = start + size_bytes;
    }
    return SEENSET_OK;
}

/* Lists the segments that follow each other without a gap, up to the end. */
static int list_segments(ss_recovery *run)
{
    seenset_queue *queue = run->queue;
    const ss_positions *logs = &run->listing->logs;
    uint64_t next = 0, size_bytes;
    for (size_t i = logs->count; i > 0; i--) {
        uint64_t start = logs->at[i - 1];
        int error = ss_recover_length(&queue->folder, start, &size_bytes);
        if (error != SEENSET_OK)
            return error;
        if (i == logs->count)
            run->end = start + size_bytes;
        else if (start + size_bytes < next)
            break;
        if (!ss_positions_add(&queue->log.segments, &queue->memory, start))
            return SEENSET_ENOMEM;
        next = start;
    }
    return SEENSET_OK;
}

/* For repair: if a snapshot is missing, reading begins with the log that is
 * left. */
static void start_at(ss_recovery *run, uint64_t first)
{
    if (run->queue->snapshots.states.count == 0) {
        run->state.position = first;
        for (unsigned i = 0; i < SS_LANES; i++)
            run->state.lanes[i].read_position = first;
    }
    run->set_position = ss_higher(run->set_position, first);
}

/* Finds the segments, which must begin at `needed` or before. */
static int find_segments(ss_recovery *run, uint64_t needed)
{
    const ss_positions *segments = &run->queue->log.segments;
    int error = list_segments(run);
    if (error != SEENSET_OK)
        return error;
    if (segments->count == 0)
        return ss_report_refuse(run->report, SEENSET_EDAMAGED,
                                SS_FOLDER_LOG "*", 0, "there is no log");
    if (run->purpose == SS_FOR_REPAIR)
        start_at(run, segments->at[0]);
    else if (needed < segments->at[0])
        return ss_recovery_refuse(
            run, segments->at[0],
            "the log before this file is missing or incomplete");
    error = remove_empty_last_segments(run);
    return error == SEENSET_OK ? ss_polite_watch_segments(run->queue) : error;
}

/* ---- replay ---- */

/* Nothing can be read at this position: cuts the log there if it is a torn
 * end, refuses it if it is damage. */
static int cut_or_refuse(ss_recovery *run, uint64_t position)
{
    uint64_t last = ss_log_end_segment(&run->queue->log);
    if (position < last + SS_SEGMENT_HEADER_BYTES ||
        position < run->durable_end)
        return ss_recovery_refuse(run, position, "no record can be read here");
    int was_durable = ss_recover_was_durable(&run->queue->items.lanes[0].reader,
                                             position, run->end, NULL);
    if (was_durable == 1)
        return ss_recovery_refuse(run, position, "no record can be read here");
    if (was_durable < 0)
        return was_durable;
    run->queue->counters.torn_bytes = run->end - position;
    run->end = position;
    return SEENSET_OK;
}

/* Replays records up to the end. Returns 0, or the error of the first that
 * cannot be read, where the reader is then. */
static int replay_records(ss_recovery *run)
{
    ss_log_reader *reader = &run->queue->items.lanes[0].reader;
    ss_record record;
    uint64_t at;
    int result;
    while ((result = ss_log_reader_next(reader, run->end, &record, &at)) == 1) {
        int error = ss_replay(run, &record, at);
        if (error != SEENSET_OK)
            return error;
    }
    if (!run->knows_item)
        run->queue->log.next_item = run->state.next_item;
    return result == SEENSET_EDAMAGED ? cut_or_refuse(run, reader->position)
                                      : result;
}

static int replay_all(ss_recovery *run)
{
    seenset_queue *queue = run->queue;
    const ss_state_lane *oldest = &run->state.lanes[0];
    bool has_start =
        run->purpose != SS_FOR_REPAIR || queue->snapshots.states.count > 0;
    bool is_polite = queue->frontier != NULL;
    uint64_t from = is_polite ? oldest->read_position : run->state.position;
    ss_log_reader_seek(&queue->items.lanes[0].reader,
                       ss_lower(from, run->set_position));
    run->knows_item = from <= run->set_position && has_start;
    queue->log.next_item = 0;
    if (run->knows_item)
        queue->log.next_item =
            is_polite ? oldest->read_item : run->state.next_item;
    int error = replay_records(run);
    /* an empty file has no header, and must not grow without one */
    if (error == SEENSET_OK &&
        run->end < ss_log_end_segment(&queue->log) + SS_SEGMENT_HEADER_BYTES)
        return cut_or_refuse(run, run->end);
    return error;
}

/* ---- the items ---- */

/* Everything below the reader of a lane in the state is done, except its
 * entries. A lane with runs: ss_recover_delayed_done. */
static int init_done(ss_recovery *run, unsigned lane)
{
    const ss_state *state = &run->state;
    ss_lane *to = &run->queue->items.lanes[lane];
    ss_state_lane *from = &run->state.lanes[lane];
    uint64_t next = 0;
    int error = SEENSET_OK;
    if (ss_recover_has_runs(state, lane))
        return ss_recover_delayed_done(run, lane);
    to->done = from->ranges;
    from->ranges = (ss_ranges){0};
    to->unacked_items = from->unacked_items;
    for (size_t i = 0; i < state->entry_count && error == SEENSET_OK; i++) {
        if (state->entries[i].lane != lane)
            continue;
        error = ss_replay_done(run, lane, next, state->entries[i].item);
        next = state->entries[i].item + 1;
    }
    return error == SEENSET_OK
               ? ss_replay_done(run, lane, next, from->read_item)
               : error;
}

/* What was forgotten as of the state. */
static int init_forgotten(ss_recovery *run)
{
    const ss_state *state = &run->state;
    ss_forgotten *to = &run->queue->seen.forgotten;
    if (state->forgotten_count == 0)
        return SEENSET_OK;
    if (!ss_forgotten_reserve(to, &run->queue->memory, state->forgotten_count))
        return SEENSET_ENOMEM;
    for (size_t i = 0; i < state->forgotten_count; i++)
        (void)ss_forgotten_add(to, state->forgotten[i]);
    return SEENSET_OK;
}

static int init_all_done(ss_recovery *run)
{
    int error = init_forgotten(run);
    if (run->queue->frontier != NULL)
        return error == SEENSET_OK ? ss_recover_hosts(run) : error;
    for (unsigned i = 0; i < SS_LANES && error == SEENSET_OK; i++)
        error = init_done(run, i);
    return error;
}

/* The reader continues where the state's was, or at the oldest item that was
 * handed out: then all of them are handed out again. */
static void init_reader(const ss_recovery *run, unsigned lane, bool keep_leases)
{
    const ss_state *state = &run->state;
    ss_lane *to = &run->queue->items.lanes[lane];
    uint64_t position = state->lanes[lane].read_position;
    to->read_item = state->lanes[lane].read_item;
    for (size_t i = state->entry_count; i > 0 && !keep_leases; i--) {
        const ss_state_entry *entry = &state->entries[i - 1];
        if (entry->lane != lane)
            continue;
        to->read_item = entry->item;
        position = entry->position;
    }
    const ss_delay *delayed = &run->oldest_delayed[lane];
    if (run->has_delayed[lane] && delayed->item < to->read_item) {
        to->read_item = delayed->item;
        position = delayed->position;
    }
    ss_log_reader_seek(&to->reader, position);
}

static int init_items(ss_recovery *run, bool keep_leases)
{
    ss_items *items = &run->queue->items;
    run->queue->snapshots.has_ended =
        !keep_leases && run->state.entry_count + run->state.run_count > 0;
    if (run->queue->frontier != NULL)
        return ss_recover_handed_out(run, keep_leases);
    for (unsigned i = 0; i < SS_LANES; i++)
        init_reader(run, i, keep_leases);
    int error = keep_leases ? ss_recover_delayed(run) : SEENSET_OK;
    if (error == SEENSET_OK && keep_leases)
        error = ss_recover_leases(run->queue, &run->state);
    for (unsigned i = 0; i < SS_LANES; i++)
        ss_ranges_trim(&items->lanes[i].done, items->lanes[i].read_item);
    return error;
}

static void init_counters(ss_recovery *run)
{
    ss_counters *counters = &run->queue->counters;
    counters->dropped_items = run->state.dropped_items;
    counters->refused_items = run->state.refused_items;
    counters->not_url_items = run->state.not_url_items;
}

/* ---- the end of the log ---- */

/* Opens the last segment, cuts a torn end off it, and makes it durable. */
static int open_last_segment(ss_recovery *run)
{
    char name[SS_FOLDER_NAME_BYTES];
    seenset_queue *queue = run->queue;
    const ss_io *io = queue->folder.io;
    uint64_t start = ss_log_end_segment(&queue->log);
    ss_folder_name(name, SS_FOLDER_LOG, start);
    int fd = ss_folder_open(&queue->folder, name, O_RDWR);
    queue->log.fd = fd;
    if (fd < 0)
        return SEENSET_EIO;
    if (queue->counters.torn_bytes > 0 &&
        io->truncate(io->context, fd, run->end - start) != 0)
        return SEENSET_EIO;
    if (io->datasync(io->context, fd) != 0 || !ss_folder_sync(&queue->folder))
        return SEENSET_EIO;
    return SEENSET_OK;
}

/* ---- the whole ---- */

static int replay_from_snapshots(ss_recovery *run)
{
    uint64_t from = ss_lower(run->state.position, run->set_position);
    if (run->end < run->durable_end)
        return ss_recovery_refuse(run, run->end,
                                  "the log ends before its snapshots");
    int error = init_all_done(run);
    if (error == SEENSET_OK)
        error = ss_agreement_begin(run, &from);
    if (error == SEENSET_OK)
        error = replay_all(run);
    return error == SEENSET_OK ? ss_agreement_check(run, from) : error;
}

static int recover(ss_recovery *run, bool keep_leases)
{
    seenset_queue *queue = run->queue;
    int error = ss_recover_run_files(run);
    if (error == SEENSET_OK)
        error = find_states(run);
    if (error == SEENSET_OK)
        error = find_sets(run);
    if (error != SEENSET_OK)
        return error;
    run->durable_end = ss_higher(run->state.position, run->set_position);
    error = find_segments(
        run, ss_lower(ss_state_floor(&run->state), run->set_position));
    if (error == SEENSET_OK)
        error = replay_from_snapshots(run);
    if (error == SEENSET_OK && run->purpose != SS_FOR_LOOK)
        error = open_last_segment(run);
    if (error != SEENSET_OK)
        return error;
    ss_log_end_set(&queue->log, run->end);
    init_counters(run);
    if (queue->frontier != NULL) /* a last segment without a record */
        ss_live_note(&queue->frontier->live, queue->log.tail,
                     queue->log.next_item);
    error = init_items(run, keep_leases);
    if (error == SEENSET_OK && run->purpose != SS_FOR_LOOK)
        ss_delayed_remove_unnamed(queue);
    queue->snapshots.is_dirty |= queue->log.tail != run->state.position;
    return error;
}

int ss_recover(seenset_queue *queue, const ss_listing *listing,
               bool keep_leases, ss_purpose purpose,
               seenset_queue_report *report)
{
    ss_recovery run = {.queue = queue,
                       .listing = listing,
                       .keeps_leases = keep_leases,
                       .purpose = purpose,
                       .report = report};
    int error = recover(&run, keep_leases);
    int saved_errno = errno;
    ss_state_free(&run.state, &queue->memory);
    ss_lane_runs_free(&run.lanes, &queue->memory);
    errno = saved_errno;
    return error;
}
