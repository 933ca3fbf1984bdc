/*
 * queue_checkpoint.c - a shorter way back after a restart, and a shorter log.
 *
 * A checkpoint is a file with the queue's state and, every so often, one with
 * the whole set. Both are caches of the log, so neither may know more than
 * the disk's log does: the log is made durable first, with the mutex held,
 * and what is written is exactly what follows from the log up to there. A set
 * that ran ahead would, after a crash, call URLs seen that no record has, and
 * they would be lost for ever.
 *
 * Two of each kind are kept. A segment goes when every item in it is acked
 * and both states and both sets lie behind it, so that the older pair is
 * still good if the newer turns out to be unreadable.
 */
#define _POSIX_C_SOURCE 200809L
#include "queue/handle.h"

#include <errno.h>

#include "base/order.h"
#include "file/file.h"

/* ---- the state ---- */

/* Acked, and that is durable; its caller has not come round to say so. */
static bool is_done(const seenset_queue *queue, const ss_leased_item *entry)
{
    return entry->state == SS_LEASE_ACKING && entry->ack_end <= queue->durable;
}

static ss_entry entry_of(const ss_leased_item *item, uint64_t latest_ns)
{
    bool is_acking = item->state == SS_LEASE_ACKING;
    return (ss_entry){.item = item->item,
                      .position = item->position,
                      .due_ns = ss_lower(
                          is_acking ? item->lease_ns : item->due_ns, latest_ns),
                      .deliveries = item->deliveries,
                      .is_held = item->state != SS_LEASE_WAITING};
}

/* Copies the un-acked items to state->entries, unless that is NULL. */
static void list_entries(const seenset_queue *queue, ss_state *state)
{
    size_t count = 0;
    for (const ss_leased_item *entry = ss_leases_oldest(&queue->leases);
         entry != NULL; entry = ss_leases_newer(&queue->leases, entry)) {
        if (is_done(queue, entry))
            continue;
        if (state->entries != NULL)
            state->entries[count] =
                entry_of(entry, state->written.steady_ns + SS_LONGEST_NS);
        count++;
    }
    state->entry_count = count;
}

/* The state as a file's bytes, which are the caller's to give back. */
static int make_state(seenset_queue *queue, ss_snapshot *kept, uint8_t **bytes,
                      size_t *size_bytes)
{
    ss_state state = {.position = queue->tail,
                      .next_item = queue->next_item,
                      .read_item = queue->read_item,
                      .read_position = queue->reader.position,
                      .dropped_items = queue->dropped_items,
                      .refused_items = queue->refused_items,
                      .not_url_items = queue->not_url_items,
                      .written = ss_moment_now(queue->folder.io->clock)};
    ss_ranges_trim(&queue->done, queue->read_item);
    state.ranges = queue->done;
    list_entries(queue, &state);
    size_t room = state.entry_count + 1;
    state.entries =
        ss_memory_alloc(&queue->memory, room, sizeof *state.entries);
    *size_bytes = ss_state_bytes(state.entry_count, state.ranges.count);
    *bytes = ss_memory_alloc(&queue->memory, *size_bytes, 1);
    bool is_room = state.entries != NULL && *bytes != NULL;
    if (is_room) {
        list_entries(queue, &state);
        ss_state_encode(&state, queue->manifest.log_id, *bytes);
        *kept = (ss_snapshot){state.position, ss_state_floor(&state)};
    }
    ss_memory_free(&queue->memory, state.entries, room, sizeof *state.entries);
    return is_room ? SEENSET_OK : SEENSET_ENOMEM;
}

/* ---- what is no longer needed ---- */

static void keep(const seenset_queue *queue, const char *prefix,
                 ss_snapshot kept[2], unsigned *count, ss_snapshot newest)
{
    char name[SS_FOLDER_NAME_BYTES];
    if (*count > 0 && kept[0].position == newest.position) {
        kept[0] = newest;
        return;
    }
    if (*count == 2) {
        ss_directory_name(name, prefix, kept[1].position);
        ss_directory_remove(&queue->folder, name);
    }
    kept[1] = kept[0];
    kept[0] = newest;
    *count += *count < 2;
}

/* The oldest position from which anything might have to be read again. */
static uint64_t needed_from(const seenset_queue *queue)
{
    if (queue->state_count < 2 || queue->set_count < 2)
        return 0;
    uint64_t from = ss_lower(queue->sets[0].floor, queue->sets[1].floor);
    for (int i = 0; i < 2; i++)
        from = ss_lower(
            from, ss_lower(queue->states[i].floor, queue->states[i].position));
    return from;
}

static void remove_segments(seenset_queue *queue)
{
    char name[SS_FOLDER_NAME_BYTES];
    uint64_t from = needed_from(queue);
    size_t gone = 0;
    while (gone + 1 < queue->segments.count &&
           queue->segments.at[gone + 1] <= from) {
        ss_directory_name(name, SS_FOLDER_LOG, queue->segments.at[gone]);
        ss_directory_remove(&queue->folder, name);
        gone++;
    }
    ss_positions_drop_first(&queue->segments, gone);
}

/* ---- writing ---- */

/* Copies the set to a temporary file; its fd, or -1 and errno. */
static int copy_set(const seenset_queue *queue, const char *name)
{
    int fd = ss_directory_begin(&queue->folder, name);
    if (fd < 0)
        return -1;
    if (ss_file_write(queue->folder.io, fd, queue->set) != SEENSET_OK) {
        ss_directory_abort(&queue->folder, name, fd);
        return -1;
    }
    return fd;
}

/*
 * The slow part, without the mutex: makes the copied set and the state files
 * of those names, for good.
 */
static int settle_files(seenset_queue *queue, const char *set_name, int set_fd,
                        const char *state_name, const uint8_t *state_bytes,
                        size_t state_size)
{
    int error = SEENSET_OK;
    pthread_mutex_unlock(&queue->mutex);
    if (set_fd >= 0)
        error = ss_directory_commit(&queue->folder, set_name, set_fd);
    if (error == SEENSET_OK)
        error = ss_directory_replace(&queue->folder, state_name, state_bytes,
                                     state_size);
    int saved_errno = errno;
    pthread_mutex_lock(&queue->mutex);
    errno = saved_errno;
    return error == SEENSET_EPOISONED ? ss_append_poison(queue) : error;
}

static int write_files(seenset_queue *queue, bool with_set)
{
    char set_name[SS_FOLDER_NAME_BYTES], state_name[SS_FOLDER_NAME_BYTES];
    ss_snapshot state, set = {queue->tail, queue->tail};
    uint8_t *bytes;
    size_t size_bytes;
    int set_fd = -1;
    ss_directory_name(set_name, SS_FOLDER_SET, queue->tail);
    ss_directory_name(state_name, SS_FOLDER_STATE, queue->tail);
    queue->is_dirty = false;
    int error = make_state(queue, &state, &bytes, &size_bytes);
    if (error == SEENSET_OK && with_set)
        error = ss_append_settle(queue);
    if (error == SEENSET_OK && with_set) {
        set_fd = copy_set(queue, set_name);
        error = set_fd < 0 ? SEENSET_EIO : SEENSET_OK;
    }
    if (error == SEENSET_OK)
        error = settle_files(queue, set_name, set_fd, state_name, bytes,
                             size_bytes);
    ss_memory_free(&queue->memory, bytes, size_bytes, 1);
    if (error != SEENSET_OK) {
        queue->is_dirty = true;
        return error;
    }
    keep(queue, SS_FOLDER_STATE, queue->states, &queue->state_count, state);
    if (with_set)
        keep(queue, SS_FOLDER_SET, queue->sets, &queue->set_count, set);
    remove_segments(queue);
    return SEENSET_OK;
}

int ss_checkpoint(seenset_queue *queue, bool with_set)
{
    while (queue->is_checkpointing)
        pthread_cond_wait(&queue->changed, &queue->mutex);
    queue->is_checkpointing = true;
    queue->checkpoint_is_due = false;
    int error = ss_append_drain(queue);
    if (error == SEENSET_OK)
        error = write_files(queue, with_set);
    if (error != SEENSET_OK)
        queue->failed_checkpoints++;
    queue->is_checkpointing = false;
    pthread_cond_broadcast(&queue->changed);
    return error;
}

void ss_checkpoint_if_due(seenset_queue *queue)
{
    if (!queue->checkpoint_is_due || queue->is_checkpointing ||
        queue->poison != 0)
        return;
    int saved_errno = errno;
    uint64_t last = queue->set_count > 0 ? queue->sets[0].position : 0;
    (void)ss_checkpoint(queue, queue->tail - last >= queue->snapshot_bytes);
    errno = saved_errno;
}

int seenset_queue_save_leases(seenset_queue *queue)
{
    if (queue == NULL)
        return SEENSET_EINVAL;
    pthread_mutex_lock(&queue->mutex);
    int error = queue->poison != 0 ? SEENSET_EPOISONED : SEENSET_OK;
    if (error == SEENSET_OK && queue->is_dirty)
        error = ss_checkpoint(queue, false);
    pthread_mutex_unlock(&queue->mutex);
    return error;
}

int seenset_queue_checkpoint(seenset_queue *queue)
{
    if (queue == NULL)
        return SEENSET_EINVAL;
    pthread_mutex_lock(&queue->mutex);
    int error =
        queue->poison != 0 ? SEENSET_EPOISONED : ss_checkpoint(queue, true);
    pthread_mutex_unlock(&queue->mutex);
    return error;
}
