/*
 * queue_recover.c - opening a queue that was there before.
 *
 * The newest state and the newest set that can be read are each brought up to
 * the log's end by what the log has behind them: pushes go into the set, acks
 * into the state. Either may be missing while the log still begins at 0.
 *
 * A crash can leave an unfinished end: it is cut off, then everything that is
 * left is synced, since what comes next relies on it. What is unreadable
 * anywhere else was safe once and is damage: nothing is changed, the place is
 * named, and repair is the caller's decision.
 */
#define _POSIX_C_SOURCE 200809L /* fcntl flags */
#include "queue/recover.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "base/bits.h"
#include "base/order.h"
#include "file/file.h"
#include "hash/xxh3.h"
#include "set/set.h"

/* What is known on the way. */
typedef struct recovery {
    seenset_queue *queue;
    const ss_listing *listing;
    seenset_queue_report *report;
    ss_state state;
    uint64_t set_position;
    uint64_t safe; /* the log was durable up to here */
    uint64_t end;  /* of the last segment's file */
    ss_purpose purpose;
    bool knows_item;
    size_t hash_count;
    uint64_t hashes[SS_CHUNK_PUSHES];
} recovery;

int ss_report_refuse(seenset_queue_report *report, int error, const char *file,
                     uint64_t offset, const char *reason)
{
    if (report != NULL) {
        snprintf(report->file, sizeof report->file, "%s", file);
        snprintf(report->reason, sizeof report->reason, "%s", reason);
        report->offset = offset;
    }
    return error;
}

/* Damage at a position of the log, named by its file and offset. */
static int refuse_at(const recovery *run, uint64_t position, const char *reason)
{
    char name[SS_FOLDER_NAME_BYTES];
    uint64_t start = ss_log_reader_segment_of(&run->queue->segments, position);
    ss_directory_name(name, SS_FOLDER_LOG, start);
    return ss_report_refuse(run->report, SEENSET_EDAMAGED, name,
                            position - start, reason);
}

/* ---- the newest state and set ---- */

/* Takes the newest two that can be read; works from the newest. */
static int take_states(recovery *run)
{
    seenset_queue *queue = run->queue;
    const ss_positions *states = &run->listing->states;
    for (size_t i = states->count; i > 0 && queue->state_count < 2; i--) {
        ss_state state;
        int error =
            ss_recover_state(&queue->folder, &queue->memory,
                             queue->manifest.log_id, states->at[i - 1], &state);
        if (error == SEENSET_EDAMAGED)
            continue;
        if (error != SEENSET_OK)
            return error;
        queue->states[queue->state_count] =
            (ss_snapshot){state.position, ss_state_floor(&state)};
        if (queue->state_count++ == 0)
            run->state = state;
        else
            ss_state_free(&state, &queue->memory);
    }
    return SEENSET_OK;
}

/* What the queue's set is to be. */
static seenset_options set_options(const seenset_queue *queue)
{
    seenset_options options = queue->manifest.set;
    if (queue->memory.allocator.allocate != NULL)
        options.allocator = &queue->memory.allocator;
    return options;
}

static int take_set(seenset_queue *queue, uint64_t position)
{
    char name[SS_FOLDER_NAME_BYTES], path[PATH_MAX];
    seenset_options options = set_options(queue);
    ss_directory_name(name, SS_FOLDER_SET, position);
    ss_directory_path(&queue->folder, path, name);
    return ss_file_load_as(queue->folder.io, &options, &queue->set, path);
}

int ss_recover_new_set(seenset_queue *queue)
{
    seenset_options options = set_options(queue);
    int error =
        queue->set != NULL ? SEENSET_OK : seenset_new(&queue->set, &options);
    if (error == SEENSET_OK)
        queue->set->clock = queue->folder.io->clock;
    return error;
}

/* Loads the newest that can be read, and remembers the one before it. */
static int take_sets(recovery *run)
{
    seenset_queue *queue = run->queue;
    const ss_positions *sets = &run->listing->sets;
    for (size_t i = sets->count; i > 0 && queue->set_count < 2; i--) {
        uint64_t position = sets->at[i - 1];
        int error = queue->set == NULL ? take_set(queue, position) : SEENSET_OK;
        if (error == SEENSET_EIO || error == SEENSET_ENOMEM)
            return error;
        if (error == SEENSET_OK)
            queue->sets[queue->set_count++] = (ss_snapshot){position, position};
    }
    if (queue->set_count > 0)
        run->set_position = queue->sets[0].position;
    return ss_recover_new_set(queue);
}

/* ---- which segments there are ---- */

/*
 * A last segment that a crash left without a whole header has no records: the
 * header is made durable before any. It goes, before the one that it followed
 * grows past its name.
 */
static int drop_unborn(recovery *run)
{
    char name[SS_FOLDER_NAME_BYTES];
    ss_positions *segments = &run->queue->segments;
    while (segments->count > 1) {
        uint64_t start = segments->at[segments->count - 1];
        if (run->end - start > SS_SEGMENT_HEADER_BYTES || start < run->safe)
            return SEENSET_OK;
        ss_directory_name(name, SS_FOLDER_LOG, start);
        if (run->purpose != SS_FOR_LOOK &&
            !ss_directory_unlink(&run->queue->folder, name))
            return SEENSET_EIO;
        segments->count--;
        uint64_t size_bytes;
        start = segments->at[segments->count - 1];
        int error = ss_recover_length(&run->queue->folder, start, &size_bytes);
        if (error != SEENSET_OK)
            return error;
        run->end = start + size_bytes;
    }
    return SEENSET_OK;
}

/* For repair: without a state or set, the log that is left has to do. */
static void start_at(recovery *run, uint64_t first)
{
    if (run->queue->state_count == 0)
        run->state.position = run->state.read_position = first;
    if (run->set_position < first)
        run->set_position = first;
}

/* Keeps the unbroken row of segments that leads to the end. */
static int take_segments(recovery *run, uint64_t needed)
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
        if (!ss_positions_add(&queue->segments, &queue->memory, start))
            return SEENSET_ENOMEM;
        next = start;
    }
    if (queue->segments.count == 0)
        return ss_report_refuse(run->report, SEENSET_EDAMAGED,
                                SS_FOLDER_LOG "*", 0, "there is no log");
    if (run->purpose == SS_FOR_REPAIR)
        start_at(run, queue->segments.at[0]);
    else if (needed < queue->segments.at[0])
        return refuse_at(run, queue->segments.at[0],
                         "the log before this file is missing or incomplete");
    return drop_unborn(run);
}

/* ---- replay ---- */

/* A set that can have no further table was at its end before: what it has no
 * place for is an item all the same. */
static int flush_hashes(recovery *run)
{
    size_t done;
    for (size_t at = 0; at < run->hash_count; at += done + 1) {
        int error = ss_queue_add_hashes(run->queue, run->hashes + at,
                                        run->hash_count - at, &done);
        if (error == SEENSET_ENOMEM)
            return error;
    }
    run->hash_count = 0;
    return SEENSET_OK;
}

static int replay_push(recovery *run, const ss_record *record, uint64_t at)
{
    run->queue->next_item = record->item + 1;
    if (at < run->set_position)
        return SEENSET_OK;
    ss_push push = ss_push_of(record);
    run->hashes[run->hash_count++] = ss_hash_key(push.url, push.url_len);
    return run->hash_count == SS_CHUNK_PUSHES ? flush_hashes(run) : SEENSET_OK;
}

static bool replay_ack(recovery *run, const ss_record *record)
{
    seenset_queue *queue = run->queue;
    for (size_t i = 0; i < record->payload_bytes; i += SS_ACK_RANGE_BYTES) {
        uint64_t first = ss_bits_load(record->payload + i, 8);
        uint64_t count = ss_bits_load(record->payload + i + 8, 4);
        if (!ss_ranges_add(&queue->done, &queue->memory, first, first + count))
            return false;
    }
    return true;
}

static bool is_in_order(recovery *run, const ss_record *record, uint64_t at)
{
    seenset_queue *queue = run->queue;
    if (!ss_record_is_possible(record, at, run->end))
        return false;
    if (!run->knows_item) {
        run->knows_item = true;
        queue->next_item = record->item;
        if (queue->state_count == 0)
            run->state.read_item = record->item;
    }
    return ss_record_follows(record, queue->next_item);
}

static int replay(recovery *run, const ss_record *record, uint64_t at)
{
    seenset_queue *queue = run->queue;
    bool is_after_state = at >= run->state.position, is_stored = true;
    if (!is_in_order(run, record, at))
        return refuse_at(run, at, "a record is out of order");
    if (record->type == SS_RECORD_PUSH)
        return replay_push(run, record, at);
    if (record->type == SS_RECORD_ACK && is_after_state)
        is_stored = replay_ack(run, record);
    else if (record->type == SS_RECORD_MARK)
        run->safe = ss_higher(run->safe, ss_bits_load(record->payload, 8));
    else if (record->type == SS_RECORD_HOLE) {
        if (is_after_state)
            is_stored = ss_ranges_add(&queue->done, &queue->memory,
                                      queue->next_item, record->item);
        queue->next_item = record->item;
    }
    return is_stored ? SEENSET_OK : SEENSET_ENOMEM;
}

/* Nothing can be read at this position: cut, or damage? */
static int judge(recovery *run, uint64_t position)
{
    const ss_positions *segments = &run->queue->segments;
    uint64_t last = segments->at[segments->count - 1];
    if (position < last + SS_SEGMENT_HEADER_BYTES || position < run->safe)
        return refuse_at(run, position, "no record can be read here");
    int marked =
        ss_recover_is_marked(&run->queue->reader, position, run->end, NULL);
    if (marked == 1)
        return refuse_at(run, position, "no record can be read here");
    if (marked < 0)
        return marked;
    run->queue->torn_bytes = run->end - position;
    run->end = position;
    return SEENSET_OK;
}

static int replay_all(recovery *run)
{
    seenset_queue *queue = run->queue;
    ss_log_reader *reader = &queue->reader;
    ss_record record;
    uint64_t at;
    int result;
    ss_log_reader_seek(reader,
                       ss_lower(run->state.position, run->set_position));
    run->knows_item =
        run->state.position <= run->set_position &&
        !(run->purpose == SS_FOR_REPAIR && queue->state_count == 0);
    queue->next_item = run->knows_item ? run->state.next_item : 0;
    while ((result = ss_log_reader_next(reader, run->end, &record, &at)) == 1) {
        int error = replay(run, &record, at);
        if (error != SEENSET_OK)
            return error;
    }
    int error = flush_hashes(run);
    if (error != SEENSET_OK)
        return error;
    if (!run->knows_item)
        queue->next_item = run->state.next_item;
    if (result == SEENSET_EDAMAGED)
        return judge(run, reader->position);
    /* an empty file lacks its header, and must not grow without one */
    uint64_t last = queue->segments.at[queue->segments.count - 1];
    if (result == SEENSET_OK && run->end < last + SS_SEGMENT_HEADER_BYTES)
        return judge(run, run->end);
    return result;
}

/* ---- the items ---- */

/* Everything below the reader's item is done but the entries. */
static bool start_done(recovery *run)
{
    seenset_queue *queue = run->queue;
    const ss_state *state = &run->state;
    bool is_stored = true;
    queue->done = run->state.ranges;
    run->state.ranges = (ss_ranges){0};
    for (size_t i = 0; i < state->entry_count && is_stored; i++) {
        uint64_t end = i + 1 < state->entry_count ? state->entries[i + 1].item
                                                  : state->read_item;
        is_stored = ss_ranges_add(&queue->done, &queue->memory,
                                  state->entries[i].item + 1, end);
    }
    return is_stored;
}

/* When an item of the state is due in this process. A state of version 1 does
 * not say which boot its times are of: no item waits for more than a lease. */
static uint64_t due_now(const recovery *run, const ss_moment *now,
                        const ss_entry *entry)
{
    if (run->state.is_dated)
        return ss_moment_carry(&run->state.written, now, entry->due_ns);
    return ss_lower(entry->due_ns, now->steady_ns + run->queue->lease_ns);
}

/* The leases and delays that the state wrote down go on, unless acked since. */
static int resume_leases(recovery *run)
{
    seenset_queue *queue = run->queue;
    const ss_state *state = &run->state;
    const ss_moment now = ss_moment_now(queue->folder.io->clock);
    for (size_t i = 0; i < state->entry_count; i++) {
        const ss_entry *from = &state->entries[i];
        if (ss_ranges_skip(&queue->done, from->item) != from->item)
            continue;
        ss_leased_item *entry = ss_leases_add(&queue->leases, &queue->memory,
                                              from->item, from->position);
        if (entry == NULL)
            return SEENSET_ENOMEM;
        entry->deliveries = from->deliveries;
        ss_leases_set(&queue->leases, entry,
                      from->is_held ? SS_LEASE_HELD : SS_LEASE_WAITING,
                      due_now(run, &now, from));
    }
    /* what is left is counted from now on, so that it is written down anew */
    if (state->entry_count > 0 &&
        !(state->is_dated && ss_moment_is_same_clock(&state->written, &now)))
        queue->is_dirty = true;
    return SEENSET_OK;
}

static int start_items(recovery *run, bool keep_leases)
{
    seenset_queue *queue = run->queue;
    const ss_state *state = &run->state;
    bool has_entries = state->entry_count > 0;
    uint64_t first = has_entries ? state->entries[0].item : state->read_item;
    ss_ranges_trim(&queue->done, first);
    queue->unacked_items =
        queue->next_item - first - ss_ranges_total(&queue->done);
    queue->dropped_items = state->dropped_items;
    queue->refused_items = state->refused_items;
    queue->not_url_items = state->not_url_items;
    queue->read_item = keep_leases ? state->read_item : first;
    ss_log_reader_seek(&queue->reader, keep_leases ? state->read_position
                                                   : ss_state_floor(state));
    int error = keep_leases ? resume_leases(run) : SEENSET_OK;
    ss_ranges_trim(&queue->done, queue->read_item);
    if (error == SEENSET_OK && queue->reader.position >= run->end &&
        queue->read_item != queue->next_item)
        return refuse_at(run, run->end, "the log lacks items of its snapshots");
    return error;
}

/* ---- the end of the log ---- */

static int open_tail(recovery *run)
{
    char name[SS_FOLDER_NAME_BYTES];
    seenset_queue *queue = run->queue;
    const ss_io *io = queue->folder.io;
    uint64_t start = queue->segments.at[queue->segments.count - 1];
    ss_directory_name(name, SS_FOLDER_LOG, start);
    queue->tail_fd = ss_directory_open(&queue->folder, name, O_RDWR);
    if (queue->tail_fd < 0)
        return SEENSET_EIO;
    if (queue->torn_bytes > 0 &&
        io->truncate(io->context, queue->tail_fd, run->end - start) != 0)
        return SEENSET_EIO;
    if (io->datasync(io->context, queue->tail_fd) != 0 ||
        !ss_directory_sync(&queue->folder))
        return SEENSET_EIO;
    return SEENSET_OK;
}

/* To go on behind what was read, or only to tell of it. */
static int end_log(recovery *run)
{
    seenset_queue *queue = run->queue;
    int error = run->purpose == SS_FOR_LOOK ? SEENSET_OK : open_tail(run);
    queue->tail = queue->written = queue->group = queue->durable = run->end;
    queue->group_item = queue->next_item;
    return error;
}

static int recover(recovery *run, bool keep_leases)
{
    seenset_queue *queue = run->queue;
    int error = take_states(run);
    if (error == SEENSET_OK)
        error = take_sets(run);
    if (error != SEENSET_OK)
        return error;
    run->safe = ss_higher(run->state.position, run->set_position);
    error = take_segments(
        run, ss_lower(ss_state_floor(&run->state), run->set_position));
    if (error != SEENSET_OK)
        return error;
    if (run->end < run->safe)
        return refuse_at(run, run->end, "the log ends before its snapshots");
    if (!start_done(run))
        return SEENSET_ENOMEM;
    error = replay_all(run);
    if (error == SEENSET_OK && queue->next_item < run->state.next_item)
        return refuse_at(run, run->end, "the log lacks items of its snapshots");
    if (error == SEENSET_OK)
        error = end_log(run);
    if (error == SEENSET_OK)
        error = start_items(run, keep_leases);
    queue->is_dirty |= queue->tail != run->state.position;
    return error;
}

int ss_recover(seenset_queue *queue, const ss_listing *listing,
               bool keep_leases, ss_purpose purpose,
               seenset_queue_report *report)
{
    recovery run = {.queue = queue,
                    .listing = listing,
                    .purpose = purpose,
                    .report = report};
    int error = recover(&run, keep_leases);
    int saved_errno = errno;
    ss_state_free(&run.state, &queue->memory);
    errno = saved_errno;
    return error;
}
