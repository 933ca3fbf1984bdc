/*
 * checkpoint.c - makes opening quick, and removes log that nothing needs.
 *
 * A checkpoint is a file with the queue's state and, every so often, one with
 * the whole set. Both are caches of the log, so neither may have more than the
 * log on the disk has. Therefore the log is made durable first, with the mutex
 * held, and what is written is exactly what follows from the log up to there.
 * If a set had more, then after a crash it would report URLs as seen that no
 * record has, and they would be lost for ever.
 *
 * A segment is removed when every item in it is acked and both states and both
 * sets are of later positions, and no older one is left (snapshots.h). So one
 * checkpoint alone frees nothing that the snapshots before it need. When a
 * queue is closed, or a checkpoint is asked for, and the older snapshots are
 * what keeps a good part of the log, the log goes on a little and the snapshots
 * are written once more: two of each, which need only what is not acked yet.
 */
#define _POSIX_C_SOURCE 200809L /* threads */
#include "queue/memory_log.h"

#include <errno.h>

#include "base/bits.h"
#include "base/order.h"
#include "frontier/hosts_bytes.h"
#include "items/in_order.h"
#include "items/state.h"
#include "queue/clean/clean.h"
#include "queue/delayed/delayed.h"
#include "queue/delayed/settle.h"
#include "queue/polite.h"

/* ---- the state ---- */

/* The ack is durable; the thread that sent it has not removed the item yet. */
static bool is_acked(const ss_leased_item *entry, uint64_t durable)
{
    return entry->state == SS_LEASE_ACKING && entry->ack_end <= durable;
}

/* When it is due. What waits in a chain is: its host knows of its end. */
static uint64_t due_of(const ss_leased_item *item, uint64_t now_ns)
{
    if (item->state == SS_LEASE_ENDED || item->state == SS_LEASE_DUE)
        return 0;
    uint64_t due_ns =
        item->state == SS_LEASE_ACKING ? item->lease_ns : item->due_ns;
    return ss_lower(due_ns, now_ns + SS_LONGEST_NS);
}

static ss_state_entry entry_of(const ss_leased_item *item, uint64_t now_ns)
{
    return (ss_state_entry){.item = item->item,
                            .position = item->position,
                            .due_ns = due_of(item, now_ns),
                            .deliveries = item->deliveries,
                            .turn = item->turn,
                            .lane = item->lane,
                            .is_held = item->state != SS_LEASE_WAITING &&
                                       item->state != SS_LEASE_DUE};
}

/* What a walk over the items that were handed out is for. */
typedef struct entry_list {
    uint64_t durable;
    ss_state *state;
    uint8_t *bytes; /* of the file; NULL: they are counted */
    size_t count;
    ss_state_entry oldest;
} entry_list;

static void add_entry(entry_list *list, const ss_leased_item *item)
{
    ss_state *state = list->state;
    if (is_acked(item, list->durable)) {
        state->lanes[item->lane].unacked_items -= list->bytes == NULL;
        return;
    }
    const ss_state_entry entry = entry_of(item, state->written.steady_ns);
    if (list->bytes != NULL)
        ss_state_put_entry(state, list->bytes, list->count, &entry);
    if (list->count++ == 0)
        list->oldest = entry;
}

/* Counts the items that were handed out and are not acked, or puts them into
 * the file's bytes. */
static void list_entries(entry_list *list, const ss_in_order *items)
{
    list->count = 0;
    for (size_t i = 0; i < items->count; i++)
        add_entry(list, items->at[i]);
    list->state->entry_count = list->count;
}

/* All of the state but its lists. The ranges stay the queue's. */
static ss_state state_of(seenset_queue *queue)
{
    ss_state state = {.position = queue->log.tail,
                      .next_item = queue->log.next_item,
                      .dropped_items = queue->counters.dropped_items,
                      .refused_items = queue->counters.refused_items,
                      .not_url_items = queue->counters.not_url_items,
                      .is_extended = queue->manifest.is_extended,
                      .has_turns = queue->manifest.has_turns,
                      .forgotten_count = queue->seen.forgotten.count,
                      .written = ss_moment_now(queue->folder.io->clock)};
    ss_items_pass_empty(&queue->items, queue->log.next_item, queue->log.tail);
    for (unsigned i = 0; i < SS_LANES; i++) {
        ss_lane *lane = &queue->items.lanes[i];
        ss_ranges_trim(&lane->done, lane->read_item);
        state.lanes[i] = (ss_state_lane){.read_item = lane->read_item,
                                         .read_position = lane->reader.position,
                                         .unacked_items = lane->unacked_items,
                                         .ranges = lane->done};
    }
    return state;
}

/* Where the log is needed from in a polite queue: the oldest item is there or,
 * if some were moved, the first segment that has any. Returns 0 or an error of
 * scratch. */
static int find_floor(seenset_queue *queue, uint64_t *item, uint64_t *position)
{
    ss_frontier *frontier = queue->frontier;
    const ss_live_segment *first = ss_live_next(&frontier->live, 0);
    *item = ss_pending_oldest(&frontier->pending, queue->log.next_item);
    *position = queue->log.tail;
    if (queue->manifest.has_moved && first != NULL) {
        *item = first->first_item;
        *position = first->first_at;
        return SEENSET_OK;
    }
    int result = ss_polite_position(queue, *item, position);
    return result < 0 ? result : SEENSET_OK;
}

/* What a polite queue has instead of readers. And from now on no hand-out is
 * known to a state. Returns 0 or an error of scratch. */
static int add_frontier(seenset_queue *queue, ss_state *state)
{
    ss_frontier *frontier = queue->frontier;
    uint64_t item, position;
    int error = find_floor(queue, &item, &position);
    if (error != SEENSET_OK)
        return error;
    for (unsigned i = 0; i < SS_LANES; i++) {
        state->lanes[i].read_item = item;
        state->lanes[i].read_position = position;
    }
    state->is_polite = true;
    state->has_moved = queue->manifest.has_moved;
    state->over_budget = frontier->over_budget;
    state->hosts_bytes = ss_hosts_bytes_count(
        frontier, ss_polite_ms_down(state->written.steady_ns));
    queue->mark.is_durable = false;
    queue->counters.states++;
    return SEENSET_OK;
}

static void put_hosts(const seenset_queue *queue, const ss_state *state,
                      uint8_t *bytes)
{
    if (queue->frontier != NULL)
        ss_hosts_bytes_write(queue->frontier,
                             ss_polite_ms_down(state->written.steady_ns),
                             bytes + ss_state_hosts_at(state));
}

/* Encodes the state as the bytes of a file, which the caller frees. */
static int encode_state(seenset_queue *queue, const ss_in_order *items,
                        ss_snapshot *snapshot, uint8_t **bytes,
                        size_t *size_bytes)
{
    const ss_memory *memory = &queue->memory;
    ss_state state = state_of(queue);
    entry_list list = {.durable = queue->log.durable, .state = &state};
    int error = queue->frontier != NULL ? add_frontier(queue, &state) : 0;
    if (error == SEENSET_OK)
        error = ss_delayed_list(queue, &state);
    if (error != SEENSET_OK) {
        ss_delayed_free_list(queue, &state);
        return error;
    }
    list_entries(&list, items);
    size_t hashes = state.forgotten_count + 1;
    state.forgotten = ss_memory_alloc(memory, hashes, sizeof(uint64_t));
    *size_bytes = ss_state_bytes(&state);
    *bytes = ss_memory_alloc(memory, *size_bytes, 1);
    bool has_room = state.forgotten != NULL && *bytes != NULL;
    if (has_room) {
        ss_forgotten_list(&queue->seen.forgotten, state.forgotten);
        list.bytes = *bytes;
        list_entries(&list, items);
        put_hosts(queue, &state, *bytes);
        ss_state_encode(&state, queue->manifest.log_id, *bytes);
        state.entries = &list.oldest; /* all that the floor asks of them */
        *snapshot = (ss_snapshot){state.position, ss_state_floor(&state)};
    }
    ss_memory_free(memory, state.forgotten, hashes, sizeof(uint64_t));
    ss_delayed_free_list(queue, &state);
    return has_room ? SEENSET_OK : SEENSET_ENOMEM;
}

/* What was moved in the log is durable: a state has each item where it is by
 * then. */
static int settle(seenset_queue *queue)
{
    if (queue->frontier == NULL)
        return SEENSET_OK;
    (void)ss_settle_due(queue, ss_queue_now(queue));
    return ss_clean_settle(queue);
}

static int make_state(seenset_queue *queue, ss_snapshot *snapshot,
                      uint8_t **bytes, size_t *size_bytes)
{
    ss_in_order items;
    int error = settle(queue);
    if (error == SEENSET_OK)
        error = ss_delayed_spill(queue);
    if (error != SEENSET_OK)
        return error;
    error = ss_in_order_make(&items, &queue->memory, &queue->items);
    if (error == SEENSET_OK)
        error = encode_state(queue, &items, snapshot, bytes, size_bytes);
    ss_in_order_free(&items, &queue->memory);
    return error;
}

/* ---- segments that nothing needs ---- */

/* The first of them; errno if it cannot be removed. */
static bool remove_segment(const ss_log_end *log, uint64_t start)
{
    char name[SS_FOLDER_NAME_BYTES];
    ss_folder_name(name, SS_FOLDER_LOG, start);
    return ss_folder_unlink(log->folder, name) || errno == ENOENT;
}

/* One that cannot be removed stays, with all after it, until the next time: the
 * log has no gap. In a polite queue many may go at once, so each is gone for
 * good before the next: a power cut leaves none before a gap. Returns 0, or
 * SEENSET_EIO after a sync that failed. */
static int remove_segments(seenset_queue *queue, uint64_t needed_from)
{
    ss_positions *segments = &queue->log.segments;
    bool is_polite = queue->frontier != NULL;
    int error = SEENSET_OK;
    size_t count = 0;
    while (error == SEENSET_OK && count + 1 < segments->count &&
           segments->at[count + 1] <= needed_from &&
           remove_segment(&queue->log, segments->at[count])) {
        count++;
        if (is_polite && !ss_folder_sync(&queue->folder))
            error = ss_append_poison(queue);
    }
    ss_positions_drop_first(segments, count);
    if (is_polite)
        ss_live_drop(&queue->frontier->live, segments->at[0]);
    return error;
}

/* ---- writing ---- */

/* The two files of a checkpoint, on their way to the disk. */
typedef struct checkpoint {
    char set_name[SS_FOLDER_NAME_BYTES], state_name[SS_FOLDER_NAME_BYTES];
    ss_snapshot set, state;
    int set_fd; /* of a temporary file that has the set; -1: without a set */
    uint8_t *state_bytes;
    size_t state_size;
} checkpoint;

/* Copies the set to a temporary file. */
static int copy_set(seenset_queue *queue, checkpoint *to)
{
    int error = ss_seen_add_durable(&queue->seen);
    if (error != SEENSET_OK)
        return error;
    const ss_url_set_file file = {.folder = &queue->folder,
                                  .log_id = queue->manifest.log_id,
                                  .position = to->set.position};
    to->set_fd = ss_folder_begin(&queue->folder, to->set_name);
    if (to->set_fd < 0)
        return SEENSET_EIO;
    if (ss_url_set_write(&queue->seen.set, &file, to->set_fd) == SEENSET_OK)
        return SEENSET_OK;
    ss_folder_abort(&queue->folder, to->set_name, to->set_fd);
    return SEENSET_EIO;
}

/* Makes both files durable. This is the slow part, without the mutex. */
static int commit_files(seenset_queue *queue, const checkpoint *from)
{
    const ss_folder *folder = &queue->folder;
    int error = SEENSET_OK;
    pthread_mutex_unlock(&queue->mutex);
    if (from->set_fd >= 0)
        error = ss_folder_commit(folder, from->set_name, from->set_fd);
    if (error == SEENSET_OK)
        error = ss_folder_replace(folder, from->state_name, from->state_bytes,
                                  from->state_size);
    int saved_errno = errno;
    pthread_mutex_lock(&queue->mutex);
    errno = saved_errno;
    return error == SEENSET_EPOISONED ? ss_append_poison(queue) : error;
}

static int write_files(seenset_queue *queue, checkpoint *now, bool with_set)
{
    int error =
        make_state(queue, &now->state, &now->state_bytes, &now->state_size);
    if (error == SEENSET_OK && with_set)
        error = copy_set(queue, now);
    if (error == SEENSET_OK)
        error = commit_files(queue, now);
    ss_memory_free(&queue->memory, now->state_bytes, now->state_size, 1);
    return error;
}

/* The log is durable up to its tail, which is the snapshots' position. */
static int write_snapshots(seenset_queue *queue, bool with_set)
{
    ss_snapshots *snapshots = &queue->snapshots;
    uint64_t position = queue->log.tail;
    checkpoint now = {.set_fd = -1, .set = {position, position}};
    ss_folder_name(now.set_name, SS_FOLDER_SET, position);
    ss_folder_name(now.state_name, SS_FOLDER_STATE, position);
    snapshots->is_dirty = snapshots->has_counts = false; /* until others set */
    int error = write_files(queue, &now, with_set);
    if (error != SEENSET_OK) {
        snapshots->is_dirty = snapshots->has_counts = true;
        ss_delayed_not_written(queue);
        return error;
    }
    snapshots->has_ended = false;
    ss_snapshots_tidy(snapshots, &queue->folder, &queue->memory);
    bool is_same = snapshots->states.count > 0 &&
                   snapshots->states.at[0].position == position;
    ss_snapshots_remember(&snapshots->states, &queue->folder, SS_FOLDER_STATE,
                          now.state);
    ss_delayed_written(queue, is_same);
    if (with_set)
        ss_snapshots_remember(&snapshots->sets, &queue->folder, SS_FOLDER_SET,
                              now.set);
    return remove_segments(queue, ss_snapshots_needed_from(snapshots));
}

/* One thread writes at a time; `write` does it once the log is durable. */
static int run_alone(seenset_queue *queue, bool with_set,
                     int write(seenset_queue *queue, bool with_set))
{
    ss_snapshots *snapshots = &queue->snapshots;
    while (snapshots->is_running)
        pthread_cond_wait(&queue->changed, &queue->mutex);
    snapshots->is_running = true;
    snapshots->is_due = false;
    int error = ss_append_flush(queue);
    if (error == SEENSET_OK)
        error = write(queue, with_set);
    if (error != SEENSET_OK)
        snapshots->failed_count++;
    snapshots->is_running = false;
    pthread_cond_broadcast(&queue->changed);
    return error;
}

int ss_checkpoint(seenset_queue *queue, bool with_set)
{
    if (!queue->is_in_memory)
        return run_alone(queue, with_set, write_snapshots);
    queue->snapshots.is_due = false;
    ss_memory_log_trim(queue);
    return SEENSET_OK;
}

/* ---- log that only the older snapshots need ---- */

/* Is no item left, and something in the last segment? */
static bool is_done(const ss_log_end *log, uint64_t floor)
{
    return floor == log->tail &&
           floor > ss_log_end_segment(log) + SS_SEGMENT_HEADER_BYTES;
}

/* How much log would go if both states and both sets were of now: segments
 * whose items are all acked, as of the newest state. */
static uint64_t spare_bytes(const seenset_queue *queue)
{
    const ss_log_end *log = &queue->log;
    const ss_snapshot_pair *states = &queue->snapshots.states;
    uint64_t first = log->segments.at[0];
    if (states->count == 0 || states->at[0].position != log->tail ||
        ss_snapshots_has_leftover(&queue->snapshots))
        return 0; /* others have pushed since, or an old snapshot stays */
    uint64_t floor = states->at[0].floor;
    if (is_done(log, floor))
        return floor - first;
    return ss_log_reader_segment_of(&log->segments, floor) - first;
}

/* Snapshots are told apart by their positions, so the log must go on: in a new
 * segment if nothing of the last one is needed, else by a record that only says
 * what the log itself knows. */
static int move_tail(seenset_queue *queue)
{
    ss_log_end *log = &queue->log;
    if (is_done(log, queue->snapshots.states.at[0].floor))
        return ss_append_start_segment(queue);
    int error = ss_append_reserve(queue, SS_DURABLE_RECORD_BYTES);
    if (error != SEENSET_OK)
        return error;
    ss_bits_store(ss_log_end_payload(log), 8, log->durable);
    ss_append_record(queue, SS_RECORD_DURABLE, 8);
    return ss_append_flush(queue);
}

static int write_again(seenset_queue *queue, bool with_set)
{
    int error = move_tail(queue);
    queue->snapshots.is_due = false;
    return error == SEENSET_OK ? write_snapshots(queue, with_set) : error;
}

int ss_checkpoint_release(seenset_queue *queue, uint64_t least_bytes)
{
    uint64_t set_position = ss_snapshots_set_position(&queue->snapshots);
    if (queue->is_in_memory || spare_bytes(queue) < least_bytes)
        return SEENSET_OK;
    int error = SEENSET_OK;
    if (set_position != queue->log.tail)
        error = ss_checkpoint(queue, true);
    if (error == SEENSET_OK && spare_bytes(queue) >= least_bytes)
        error = run_alone(queue, true, write_again);
    return error;
}

void ss_checkpoint_if_due(seenset_queue *queue)
{
    const ss_snapshots *snapshots = &queue->snapshots;
    ss_clean_if_due(queue);
    if (!snapshots->is_due || snapshots->is_running ||
        ss_queue_check(queue) != SEENSET_OK)
        return;
    int saved_errno = errno;
    uint64_t since_set = queue->log.tail - ss_snapshots_set_position(snapshots);
    (void)ss_checkpoint(queue, since_set >= snapshots->set_interval_bytes);
    errno = saved_errno;
}

int seenset_queue_save_leases(seenset_queue *queue)
{
    if (queue == NULL)
        return SEENSET_EINVAL;
    pthread_mutex_lock(&queue->mutex);
    int error = ss_queue_check(queue);
    if (error == SEENSET_OK &&
        (queue->snapshots.is_dirty || queue->snapshots.has_ended))
        error = ss_checkpoint(queue, false);
    pthread_mutex_unlock(&queue->mutex);
    return error;
}

int seenset_queue_checkpoint(seenset_queue *queue)
{
    if (queue == NULL)
        return SEENSET_EINVAL;
    pthread_mutex_lock(&queue->mutex);
    int error = ss_queue_check(queue);
    if (error == SEENSET_OK)
        error = ss_checkpoint(queue, true);
    if (error == SEENSET_OK)
        error = ss_checkpoint_release(queue, queue->log.segment_bytes / 64);
    pthread_mutex_unlock(&queue->mutex);
    return error;
}
