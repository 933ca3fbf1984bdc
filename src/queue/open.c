/*
 * queue.c - the handle of the to-visit queue: made, opened, closed, asked how
 * it stands. docs/queue.md has the protocol; queue.h says who does what.
 */
#define _GNU_SOURCE /* getrandom, pthread_condattr_setclock */
#include "queue/recover.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/random.h>

enum {
    READ_AHEAD_BYTES = 256 << 10,
    READ_AGAIN_BYTES = 4 << 10
};

/* ---- options ---- */

static bool is_time_valid(double seconds, double least, double most)
{
    return seconds == 0.0 || (seconds >= least && seconds <= most);
}

static bool are_options_valid(const seenset_queue_options *options)
{
    return options->durability >= SEENSET_QUEUE_DURABILITY_DEFAULT &&
           options->durability <= SEENSET_QUEUE_DURABILITY_NONE &&
           is_time_valid(options->interval_seconds, 0.001, 3600) &&
           is_time_valid(options->lease_seconds, 1e-9, 1e9);
}

static uint64_t nanoseconds(double seconds, double otherwise)
{
    return (uint64_t)((seconds == 0.0 ? otherwise : seconds) * 1e9);
}

static void take_options(seenset_queue *queue,
                         const seenset_queue_options *options)
{
    queue->durability = options->durability;
    if (queue->durability == SEENSET_QUEUE_DURABILITY_DEFAULT)
        queue->durability = SEENSET_QUEUE_DURABILITY_EACH;
    queue->interval_ns = nanoseconds(options->interval_seconds, 0.1);
    queue->lease_ns = nanoseconds(options->lease_seconds, 60);
    queue->snapshot_bytes = options->snapshot_bytes;
}

/* ---- the manifest and the lock ---- */

/* A log id is random: no record of another queue passes for one of this. */
static int choose_log_id(uint32_t *log_id)
{
    do {
        if (getrandom(log_id, sizeof *log_id, 0) != (ssize_t)sizeof *log_id)
            return SEENSET_EIO;
    } while (*log_id == 0);
    return SEENSET_OK;
}

/*
 * A new queue gets a folder of its own. Among other files it would be hard to
 * tell what is whose, and a folder with some was likely named by mistake.
 */
static int check_foreign(const ss_listing *listing,
                         seenset_queue_report *report)
{
    if (listing->has_manifest || listing->foreign[0] == '\0')
        return SEENSET_OK;
    return ss_report_refuse(report, SEENSET_EFORMAT, listing->foreign, 0,
                            "this is no file of a queue, and a new queue takes "
                            "an empty folder");
}

/* The lock of a folder without one; other people's are left as they are. */
static int create_lock(seenset_queue *queue, seenset_queue_report *report)
{
    ss_listing listing = {.memory = &queue->memory};
    int error = ss_directory_list(&queue->folder, &listing);
    if (error == SEENSET_OK)
        error = check_foreign(&listing, report);
    ss_listing_free(&listing);
    if (error != SEENSET_OK)
        return error;
    queue->lock_fd =
        ss_directory_open(&queue->folder, SS_FOLDER_LOCK, O_RDWR | O_CREAT);
    return queue->lock_fd < 0 ? SEENSET_EIO : SEENSET_OK;
}

static int take_lock(seenset_queue *queue, const seenset_queue_options *options)
{
    const ss_io *io = queue->folder.io;
    bool may_make = options->must_exist == 0;
    if (may_make && io->mkdir(io->context, queue->folder.path, 0777) != 0 &&
        errno != EEXIST)
        return SEENSET_EIO;
    queue->lock_fd = ss_directory_open_lock(&queue->folder);
    if (queue->lock_fd < 0) {
        int error = may_make && errno == ENOENT
                        ? create_lock(queue, options->report)
                        : SEENSET_EIO;
        if (error != SEENSET_OK)
            return error;
    }
    if (io->lock(io->context, queue->lock_fd) == 0)
        return SEENSET_OK;
    return errno == EWOULDBLOCK ? SEENSET_EINUSE : SEENSET_EIO;
}

/* Is the log that is there all that the making of a queue can have left? */
static int check_leftovers(const seenset_queue *queue,
                           const ss_listing *listing,
                           seenset_queue_report *report)
{
    uint64_t size_bytes = 0;
    bool is_first = listing->logs.count == 0 ||
                    (listing->logs.count == 1 && listing->logs.at[0] == 0);
    int error = SEENSET_OK;
    if (is_first && listing->logs.count > 0)
        error = ss_recover_length(&queue->folder, 0, &size_bytes);
    if (error == SEENSET_OK &&
        (!is_first || size_bytes > SS_SEGMENT_HEADER_BYTES ||
         listing->sets.count + listing->states.count > 0))
        error = ss_report_refuse(report, SEENSET_EDAMAGED, SS_FOLDER_MANIFEST,
                                 0, "the file is missing");
    return error;
}

/*
 * A new queue: its first segment, then the manifest, without which it is no
 * queue yet. A first segment without records is left from a crash right here.
 */
static int make_queue(seenset_queue *queue, const ss_listing *listing,
                      const seenset_queue_options *options)
{
    int fd;
    uint8_t bytes[SS_MANIFEST_BYTES];
    if (options->must_exist)
        return ss_report_refuse(options->report, SEENSET_EFORMAT,
                                SS_FOLDER_MANIFEST, 0, "the file is missing");
    int error = check_leftovers(queue, listing, options->report);
    if (error == SEENSET_OK)
        error = check_foreign(listing, options->report);
    if (error == SEENSET_OK)
        error = ss_manifest_from_options(&queue->manifest, options);
    if (error == SEENSET_OK)
        error = ss_recover_new_set(queue);
    if (error == SEENSET_OK)
        error = choose_log_id(&queue->manifest.log_id);
    if (error == SEENSET_OK)
        error = ss_append_create_segment(&queue->folder, queue->manifest.log_id,
                                         0, &fd);
    if (error != SEENSET_OK)
        return error;
    ss_io_close_quietly(queue->folder.io, fd);
    ss_manifest_encode(&queue->manifest, bytes);
    return ss_directory_replace(&queue->folder, SS_FOLDER_MANIFEST, bytes,
                                sizeof bytes);
}

/* ---- opening ---- */

static int init_threads(seenset_queue *queue)
{
    pthread_condattr_t timed;
    if (pthread_condattr_init(&timed) != 0)
        return SEENSET_ENOMEM;
    (void)pthread_condattr_setclock(&timed, SS_CLOCK_OF_WAITS);
    int failed = pthread_mutex_init(&queue->mutex, NULL) |
                 pthread_cond_init(&queue->changed, NULL) |
                 pthread_cond_init(&queue->wake_flusher, &timed);
    pthread_condattr_destroy(&timed);
    return failed != 0 ? SEENSET_ENOMEM : SEENSET_OK;
}

/* Also after a failure half-way. */
void ss_queue_free(seenset_queue *queue)
{
    const ss_io *io = queue->folder.io;
    ss_memory memory = queue->memory;
    int saved_errno = errno;
    ss_log_reader_free(&queue->reader);
    ss_log_reader_free(&queue->again);
    if (queue->tail_fd >= 0)
        ss_io_close_quietly(io, queue->tail_fd);
    if (queue->lock_fd >= 0)
        ss_io_close_quietly(io, queue->lock_fd);
    seenset_free(queue->set);
    ss_leases_free(&queue->leases, &memory);
    ss_ranges_free(&queue->done, &memory);
    ss_in_flight_free(&queue->inflight[0], &memory);
    ss_in_flight_free(&queue->inflight[1], &memory);
    ss_positions_free(&queue->segments, &memory);
    ss_memory_free(&memory, queue->block, SS_BLOCK_ROOM, 1);
    pthread_mutex_destroy(&queue->mutex);
    pthread_cond_destroy(&queue->changed);
    pthread_cond_destroy(&queue->wake_flusher);
    ss_memory_free(&memory, queue, 1, sizeof *queue);
    errno = saved_errno;
}

static int make_handle(seenset_queue **out, const ss_io *io, const char *dir,
                       const seenset_queue_options *options)
{
    ss_memory memory;
    int error = ss_memory_init(&memory, options->set.allocator);
    if (error != SEENSET_OK)
        return error;
    seenset_queue *queue = ss_memory_alloc(&memory, 1, sizeof *queue);
    if (queue == NULL)
        return SEENSET_ENOMEM;
    queue->memory = memory;
    queue->lock_fd = queue->tail_fd = -1;
    error = ss_directory_init(&queue->folder, io, dir);
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

static int init_buffers(seenset_queue *queue)
{
    uint32_t log_id = queue->manifest.log_id;
    queue->block = ss_memory_alloc(&queue->memory, SS_BLOCK_ROOM, 1);
    int error = queue->block == NULL ? SEENSET_ENOMEM : SEENSET_OK;
    if (error == SEENSET_OK)
        error =
            ss_log_reader_init(&queue->reader, &queue->folder, &queue->memory,
                               &queue->segments, log_id, READ_AHEAD_BYTES);
    if (error == SEENSET_OK)
        error =
            ss_log_reader_init(&queue->again, &queue->folder, &queue->memory,
                               &queue->segments, log_id, READ_AGAIN_BYTES);
    return error;
}

static int init_set_numbers(seenset_queue *queue)
{
    seenset_stats stats;
    int error = seenset_get_stats(queue->set, &stats, sizeof stats);
    queue->set_added = stats.added_items;
    queue->set_capacity = stats.capacity_items;
    queue->set_refuses = stats.on_full == SEENSET_ON_FULL_REFUSE;
    if (queue->snapshot_bytes == 0) {
        queue->snapshot_bytes = UINT64_C(256) << 20;
        if (queue->snapshot_bytes < 2 * stats.memory_bytes)
            queue->snapshot_bytes = 2 * stats.memory_bytes;
    }
    queue->opened_items = stats.added_items;
    queue->opened_ns = ss_queue_now(queue);
    return error;
}

static int open_listed(seenset_queue *queue, const ss_listing *listing,
                       const seenset_queue_options *options, ss_purpose purpose)
{
    int error = SEENSET_OK;
    ss_listing fresh = {.memory = &queue->memory};
    if (!listing->has_manifest) {
        error = make_queue(queue, listing, options);
        if (error == SEENSET_OK)
            error = ss_directory_list(&queue->folder, &fresh);
        listing = &fresh;
    }
    if (error == SEENSET_OK)
        error = ss_manifest_read(&queue->manifest, &queue->folder,
                                 &queue->memory, options->report);
    if (error == SEENSET_OK && listing->has_repair && purpose != SS_FOR_REPAIR)
        error = ss_report_refuse(options->report, SEENSET_EDAMAGED,
                                 SS_FOLDER_REPAIR, 0, SS_REPAIR_UNFINISHED);
    if (error == SEENSET_OK && !ss_manifest_agrees(&queue->manifest, options))
        error = SEENSET_EMISMATCH;
    if (error == SEENSET_OK)
        error = init_buffers(queue);
    if (error == SEENSET_OK)
        error = ss_recover(queue, listing, options->keep_leases != 0, purpose,
                           options->report);
    if (error == SEENSET_OK)
        error = init_set_numbers(queue);
    ss_listing_free(&fresh);
    return error;
}

/* ---- durability `interval` ---- */

static void *flush_always(void *argument)
{
    seenset_queue *queue = argument;
    pthread_mutex_lock(&queue->mutex);
    while (!queue->is_closing) {
        struct timespec until = ss_clock_deadline(queue->interval_ns);
        (void)pthread_cond_timedwait(&queue->wake_flusher, &queue->mutex,
                                     &until);
        if (!queue->is_syncing && queue->poison == 0)
            (void)ss_append_commit(queue, true);
    }
    pthread_mutex_unlock(&queue->mutex);
    return NULL;
}

static int start_flusher(seenset_queue *queue)
{
    if (queue->durability != SEENSET_QUEUE_DURABILITY_INTERVAL)
        return SEENSET_OK;
    int failed = pthread_create(&queue->flusher, NULL, flush_always, queue);
    queue->has_flusher = failed == 0;
    errno = failed;
    return failed == 0 ? SEENSET_OK : SEENSET_EIO;
}

static void stop_flusher(seenset_queue *queue)
{
    if (!queue->has_flusher)
        return;
    pthread_mutex_lock(&queue->mutex);
    queue->is_closing = true;
    pthread_cond_signal(&queue->wake_flusher);
    pthread_mutex_unlock(&queue->mutex);
    pthread_join(queue->flusher, NULL);
}

/* ---- the public calls ---- */

int ss_queue_open_as(const ss_io *io, seenset_queue **out, const char *dir,
                     const seenset_queue_options *options, ss_purpose purpose)
{
    static const seenset_queue_options defaults = {0};
    if (options == NULL)
        options = &defaults;
    if (options->report != NULL)
        *options->report = (seenset_queue_report){0};
    if (out == NULL || dir == NULL || !are_options_valid(options))
        return SEENSET_EINVAL;
    seenset_queue *queue;
    int error = make_handle(&queue, io, dir, options);
    if (error != SEENSET_OK)
        return error;
    ss_listing listing = {.memory = &queue->memory,
                          .removes_temporary = purpose != SS_FOR_LOOK};
    if (purpose != SS_FOR_LOOK)
        error = take_lock(queue, options);
    if (error == SEENSET_OK)
        error = ss_directory_list(&queue->folder, &listing);
    if (error == SEENSET_OK)
        error = open_listed(queue, &listing, options, purpose);
    ss_listing_free(&listing);
    if (error == SEENSET_OK)
        error = start_flusher(queue);
    if (error == SEENSET_OK)
        *out = queue;
    else
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

/* The set is worth writing when replaying its log would take a while. */
static bool is_set_stale(const seenset_queue *queue)
{
    uint64_t last = queue->set_count > 0 ? queue->sets[0].position : 0;
    return queue->tail - last > (UINT64_C(8) << 20);
}

int seenset_queue_close(seenset_queue *queue)
{
    if (queue == NULL)
        return SEENSET_OK;
    stop_flusher(queue);
    pthread_mutex_lock(&queue->mutex);
    int error = queue->poison != 0 ? SEENSET_EPOISONED : SEENSET_OK;
    if (error == SEENSET_OK)
        error = ss_append_drain(queue);
    if (error == SEENSET_OK && queue->is_dirty)
        error = ss_checkpoint(queue, is_set_stale(queue));
    pthread_mutex_unlock(&queue->mutex);
    ss_queue_free(queue);
    return error;
}

int seenset_queue_sync(seenset_queue *queue)
{
    if (queue == NULL)
        return SEENSET_EINVAL;
    pthread_mutex_lock(&queue->mutex);
    int error = queue->poison != 0 ? SEENSET_EPOISONED
                                   : ss_append_wait(queue, queue->tail);
    pthread_mutex_unlock(&queue->mutex);
    return error;
}

int ss_queue_add_hashes(seenset_queue *queue, const uint64_t *hashes,
                        size_t count, size_t *done)
{
    for (*done = 0; *done < count; *done += 1) {
        int answer = seenset_add_hash(queue->set, hashes[*done]);
        if (answer < 0 && answer != SEENSET_EFULL)
            return answer;
        queue->set_added += answer == 1;
    }
    return SEENSET_OK;
}

/* ---- statistics ---- */

static double seconds_to_full(const seenset_queue *queue)
{
    double added = (double)(queue->set_added - queue->opened_items);
    double seconds = (double)(ss_queue_now(queue) - queue->opened_ns) / 1e9;
    if (queue->set_added >= queue->set_capacity)
        return 0.0;
    if (!(added > 0 && seconds > 0))
        return INFINITY;
    return (double)(queue->set_capacity - queue->set_added) * seconds / added;
}

static uint64_t memory_bytes(const seenset_queue *queue)
{
    return sizeof *queue + SS_BLOCK_ROOM + queue->reader.room +
           queue->again.room + ss_leases_memory_bytes(&queue->leases) +
           queue->done.room * sizeof *queue->done.at +
           queue->segments.room * sizeof *queue->segments.at +
           (queue->inflight[0].room + queue->inflight[1].room) *
               sizeof(uint64_t) +
           (queue->inflight[0].table_room + queue->inflight[1].table_room) *
               sizeof(uint32_t);
}

int seenset_queue_get_stats(seenset_queue *queue, seenset_queue_stats *out)
{
    if (queue == NULL || out == NULL)
        return SEENSET_EINVAL;
    pthread_mutex_lock(&queue->mutex);
    uint64_t held = ss_leases_held(&queue->leases, ss_queue_now(queue));
    *out = (seenset_queue_stats){
        .durability = queue->durability,
        .normalise = queue->manifest.normalise,
        .pending_items = queue->unacked_items - held,
        .leased_items = held,
        .pushed_items = queue->next_item,
        .acked_items = queue->next_item - queue->unacked_items,
        .dropped_items = queue->dropped_items,
        .refused_items = queue->refused_items,
        .not_url_items = queue->not_url_items,
        .seconds_to_full = seconds_to_full(queue),
        .log_bytes = queue->tail - queue->segments.at[0],
        .segment_count = queue->segments.count,
        .unsynced_bytes = queue->tail - queue->durable,
        .torn_bytes = queue->torn_bytes,
        .failed_checkpoints = queue->failed_checkpoints};
    int error = seenset_get_stats(queue->set, &out->set, sizeof out->set);
    out->wrong_items = out->set.wrong_items;
    out->memory_bytes = memory_bytes(queue) + out->set.memory_bytes;
    pthread_mutex_unlock(&queue->mutex);
    return error;
}
