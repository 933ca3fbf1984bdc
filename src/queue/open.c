/*
 * open.c - the handle of the to-visit queue: opened and closed.
 * docs/queue.md has the protocol; handle.h says which file does what.
 */
#define _POSIX_C_SOURCE 200809L /* threads */
#include "queue/clean/clean.h"
#include "queue/memory_log.h"
#include "queue/recover/recover.h"

#include <errno.h>

#include "base/growth.h"
#include "base/order.h"
#include "base/posix/wait.h"

/* ---- options ---- */

static bool is_time_valid(double seconds, double least, double most)
{
    return seconds == 0.0 || (seconds >= least && seconds <= most);
}

/* Whether the scheme takes its arguments is known later. */
static bool can_read_set(const seenset_options *set)
{
    return set->reserved32 == 0 && SS_GROWTH_IS_UNUSED(set) &&
           (set->scheme_arguments == NULL ||
            ss_scheme_are_arguments_whole(set->scheme_arguments));
}

/* The fields that calls on folders check as well: no unknown flag, and nothing
 * where a later version may have a field. */
bool ss_queue_can_read_options(const seenset_queue_options *options)
{
    const uint32_t known = SEENSET_QUEUE_MUST_EXIST |
                           SEENSET_QUEUE_KEEP_LEASES | SEENSET_QUEUE_EXACT |
                           SEENSET_QUEUE_SET_AT_ONCE;
    return (options->flags & ~known) == 0 && options->reserved32 == 0 &&
           SS_GROWTH_IS_UNUSED(options) &&
           ss_rules_are_valid(options->politeness) &&
           (options->set == NULL || can_read_set(options->set));
}

bool ss_queue_are_options_valid(const seenset_queue_options *options)
{
    return options->durability >= SEENSET_QUEUE_DURABILITY_DEFAULT &&
           options->durability <= SEENSET_QUEUE_DURABILITY_NONE &&
           is_time_valid(options->interval_seconds, 0.001, 3600) &&
           is_time_valid(options->lease_seconds, 1e-9, 1e9) &&
           ss_queue_can_read_options(options);
}

static uint64_t nanoseconds(double seconds, double if_zero)
{
    return (uint64_t)((seconds == 0.0 ? if_zero : seconds) * 1e9);
}

static void take_options(seenset_queue *queue,
                         const seenset_queue_options *options)
{
    queue->durability.mode =
        options->durability == SEENSET_QUEUE_DURABILITY_DEFAULT
            ? SEENSET_QUEUE_DURABILITY_EACH
            : options->durability;
    if (queue->is_in_memory) /* there is no disk to wait for */
        queue->durability.mode = SEENSET_QUEUE_DURABILITY_NONE;
    queue->flusher.interval_ns = nanoseconds(options->interval_seconds, 0.1);
    queue->items.lease_ns = nanoseconds(options->lease_seconds, 60);
    queue->snapshots.set_interval_bytes = options->snapshot_bytes;
}

/* ---- the handle ---- */

static int init_threads(seenset_queue *queue)
{
    int failed = pthread_mutex_init(&queue->mutex, NULL) |
                 pthread_cond_init(&queue->changed, NULL) |
                 ss_wait_init(&queue->flusher.wake);
    return failed != 0 ? SEENSET_ENOMEM : SEENSET_OK;
}

/* Also after a failure half-way. */
void ss_queue_free(seenset_queue *queue)
{
    ss_memory memory = queue->memory;
    int saved_errno = errno;
    ss_items_free(&queue->items, &memory);
    ss_positions_free(&queue->delayed_files.there, &memory);
    for (int i = 0; i < 3; i++)
        ss_positions_free(&queue->delayed_files.named[i], &memory);
    ss_cleaner_free(&queue->cleaner, &memory);
    ss_frontier_free(queue->frontier);
    ss_log_end_free(&queue->log);
    if (queue->lock_fd >= 0)
        ss_io_close_quietly(queue->folder.io, queue->lock_fd);
    ss_seen_free(&queue->seen, &memory);
    ss_memory_files_free(&queue->files);
    pthread_mutex_destroy(&queue->mutex);
    pthread_cond_destroy(&queue->changed);
    pthread_cond_destroy(&queue->flusher.wake);
    ss_memory_free(&memory, queue, 1, sizeof *queue);
    errno = saved_errno;
}

/* Everything of the handle comes from the allocator of its set. */
int ss_queue_make_handle(seenset_queue **out, const ss_io *io, const char *dir,
                         const seenset_queue_options *options)
{
    ss_memory memory;
    int error = ss_memory_init(
        &memory, options->set == NULL ? NULL : options->set->allocator);
    if (error != SEENSET_OK)
        return error;
    seenset_queue *queue = ss_memory_alloc(&memory, 1, sizeof *queue);
    if (queue == NULL)
        return SEENSET_ENOMEM;
    queue->memory = memory;
    queue->lock_fd = queue->log.fd = -1;
    queue->is_in_memory = dir == NULL;
    ss_memory_files_init(&queue->files, &queue->memory, io->clock, 0);
    error = dir != NULL ? ss_folder_use(&queue->folder, io, dir)
                        : ss_folder_use(&queue->folder, &queue->files.io, ".");
    if (error == SEENSET_OK)
        error = init_threads(queue);
    if (error != SEENSET_OK) {
        ss_memory_free(&memory, queue, 1, sizeof *queue);
        return error;
    }
    take_options(queue, options);
    *out = queue;
    return SEENSET_OK;
}

/* ---- opening ---- */

/* By default the set is written after the larger of 256 MiB of log and twice
 * its size. */
void ss_queue_init_numbers(seenset_queue *queue)
{
    ss_seen_init(&queue->seen);
    queue->seen.forgotten.keeps_changes = ss_queue_is_each(queue);
    if (queue->snapshots.set_interval_bytes == 0)
        queue->snapshots.set_interval_bytes =
            ss_higher(UINT64_C(256) << 20, 2 * ss_seen_set_bytes(&queue->seen));
    queue->counters.opened_items = queue->seen.added_items;
    queue->counters.opened_ns = ss_queue_now(queue);
}

/* Reads the files of a queue that exists. */
static int open_files(seenset_queue *queue, const ss_listing *listing,
                      const seenset_queue_options *options, ss_purpose purpose)
{
    ss_url_set *set = &queue->seen.set;
    int error = ss_manifest_read(&queue->manifest, &queue->folder,
                                 &queue->memory, options->set, options->report);
    if (error != SEENSET_OK)
        return error;
    if (listing->has_repair && purpose != SS_FOR_REPAIR)
        return ss_report_refuse(options->report, SEENSET_EDAMAGED,
                                SS_FOLDER_REPAIR, 0, SS_REPAIR_UNFINISHED);
    error = ss_manifest_compare(&queue->manifest, options);
    if (error == SEENSET_OK && !set->is_ready) /* a new queue's is made */
        error = ss_recover_init_set(set, &queue->manifest, &queue->memory,
                                    queue->folder.io->clock);
    set->is_mapped = purpose == SS_FOR_LOOK &&
                     (options->flags & SEENSET_QUEUE_SET_AT_ONCE) != 0;
    if (error == SEENSET_OK)
        error = ss_queue_init_log(queue);
    if (error == SEENSET_OK)
        error = ss_recover(queue, listing,
                           (options->flags & SEENSET_QUEUE_KEEP_LEASES) != 0,
                           purpose, options->report);
    if (error == SEENSET_OK) {
        ss_queue_init_numbers(queue);
        if (purpose == SS_FOR_USE)
            ss_clean_begin(queue);
    }
    return error;
}

/* Makes the files first if there is no queue yet. */
static int make_and_open(seenset_queue *queue, const ss_listing *listing,
                         const seenset_queue_options *options,
                         ss_purpose purpose)
{
    ss_listing made = {.memory = &queue->memory};
    if (listing->has_manifest)
        return open_files(queue, listing, options, purpose);
    int error = ss_create_files(queue, listing, options);
    if (error == SEENSET_OK)
        error = ss_folder_list(&queue->folder, &made);
    if (error == SEENSET_OK)
        error = open_files(queue, &made, options, purpose);
    ss_listing_free(&made);
    return error;
}

static int open_in_memory(seenset_queue *queue,
                          const seenset_queue_options *options)
{
    int error = ss_memory_log_manifest(queue, options);
    if (error == SEENSET_OK)
        error = ss_create_set(queue);
    if (error == SEENSET_OK)
        error = ss_queue_init_log(queue);
    if (error == SEENSET_OK)
        error = ss_memory_log_start(queue);
    if (error == SEENSET_OK)
        ss_queue_init_numbers(queue);
    return error;
}

static int open_folder(seenset_queue *queue,
                       const seenset_queue_options *options, ss_purpose purpose)
{
    int error = SEENSET_OK;
    ss_listing listing = {.memory = &queue->memory,
                          .removes_temporary = purpose != SS_FOR_LOOK};
    if (purpose != SS_FOR_LOOK)
        error = ss_create_lock(queue, options);
    if (error == SEENSET_OK)
        error = ss_folder_list(&queue->folder, &listing);
    if (error == SEENSET_OK)
        error = make_and_open(queue, &listing, options, purpose);
    ss_listing_free(&listing);
    return error == SEENSET_OK ? ss_flusher_start(queue) : error;
}

const seenset_queue_options *
ss_queue_given(const seenset_queue_options *options)
{
    static const seenset_queue_options defaults = {0};
    return options == NULL ? &defaults : options;
}

/* From now on: recovery has added what was pushed before. */
static void watch_capacity(seenset_queue *queue, const seenset_options *set)
{
    if (set == NULL)
        return;
    pthread_mutex_lock(&queue->mutex);
    ss_seen_watch_capacity(&queue->seen, set);
    pthread_mutex_unlock(&queue->mutex);
}

int ss_queue_open_as(const ss_io *io, seenset_queue **out, const char *dir,
                     const seenset_queue_options *options, ss_purpose purpose)
{
    options = ss_queue_given(options);
    if (options->report != NULL)
        *options->report = (seenset_queue_report){0};
    bool may_be_new = purpose == SS_FOR_USE &&
                      (options->flags & SEENSET_QUEUE_MUST_EXIST) == 0;
    if (out == NULL || (dir == NULL && !may_be_new) ||
        !ss_queue_are_options_valid(options))
        return SEENSET_EINVAL;
    seenset_queue *queue;
    int error = ss_queue_make_handle(&queue, io, dir, options);
    if (error != SEENSET_OK)
        return error;
    error = dir == NULL ? open_in_memory(queue, options)
                        : open_folder(queue, options, purpose);
    if (error == SEENSET_OK) {
        watch_capacity(queue, options->set);
        *out = queue;
        return SEENSET_OK;
    }
    ss_queue_free(queue);
    return error == SEENSET_EPOISONED ? SEENSET_EIO : error;
}

int ss_queue_open(const ss_io *io, seenset_queue **out, const char *dir,
                  const seenset_queue_options *options)
{
    return ss_queue_open_as(io, out, dir, options, SS_FOR_USE);
}

int seenset_queue_open(seenset_queue **out, const char *dir,
                       const seenset_queue_options *options)
{
    return ss_queue_open(&ss_io_system, out, dir, options);
}

/* ---- closing ---- */

/* The set is worth writing if replaying its part of the log would take a
 * while. */
static bool is_set_stale(const seenset_queue *queue)
{
    uint64_t position = ss_snapshots_set_position(&queue->snapshots);
    return queue->log.tail - position > (UINT64_C(8) << 20);
}

/* Log that only the older snapshots need goes, if it is worth writing the set.
 * All was written before, so an error matters only if it was of a sync. */
static int release_log(seenset_queue *queue)
{
    uint64_t least_bytes = ss_higher(queue->manifest.segment_bytes / 8,
                                     ss_seen_set_bytes(&queue->seen));
    int error = ss_checkpoint_release(queue, least_bytes);
    return ss_queue_check(queue) == SEENSET_OK ? SEENSET_OK : error;
}

int seenset_queue_close(seenset_queue *queue)
{
    if (queue == NULL)
        return SEENSET_OK;
    ss_flusher_stop(queue);
    pthread_mutex_lock(&queue->mutex);
    int error = ss_queue_check(queue);
    ss_clean_at_end(queue);
    if (error == SEENSET_OK && !queue->is_in_memory)
        error = ss_append_flush(queue);
    const ss_snapshots *snapshots = &queue->snapshots;
    if (error == SEENSET_OK && (snapshots->is_dirty || snapshots->has_counts))
        error = ss_checkpoint(queue, is_set_stale(queue));
    if (error == SEENSET_OK)
        error = release_log(queue);
    pthread_mutex_unlock(&queue->mutex);
    ss_queue_free(queue);
    return error;
}

int seenset_queue_sync(seenset_queue *queue)
{
    if (queue == NULL)
        return SEENSET_EINVAL;
    pthread_mutex_lock(&queue->mutex);
    int error = ss_queue_check(queue);
    if (error == SEENSET_OK && !queue->is_in_memory)
        error = ss_append_wait(queue, queue->log.tail);
    pthread_mutex_unlock(&queue->mutex);
    return error;
}
