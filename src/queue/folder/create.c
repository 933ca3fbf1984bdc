/* create.c - the folder, the lock and the first files of a new queue */
#define _POSIX_C_SOURCE 200809L /* fcntl flags */
#include "queue/recover/recover.h"

#include <errno.h>
#include <fcntl.h>

#include "base/random.h"
#include "queue/delayed/delayed.h"
#include "queue/polite.h"

enum {
    READ_AHEAD_BYTES = 256 << 10,
    REREAD_BYTES = 4 << 10
};

/*
 * A new queue needs an empty folder. Among other files it would be hard to see
 * which belong to it, and a folder that has some was probably named by
 * mistake.
 */
static int check_foreign(const ss_listing *listing,
                         seenset_queue_report *report)
{
    if (listing->has_manifest || listing->foreign[0] == '\0')
        return SEENSET_OK;
    return ss_report_refuse(report, SEENSET_EFORMAT, listing->foreign, 0,
                            "this file is not of a queue, and a new queue "
                            "needs an empty folder");
}

/* ---- the lock ---- */

/* Makes the lock of a folder that has none, unless it has other files. */
static int make_lock(seenset_queue *queue, seenset_queue_report *report)
{
    ss_listing listing = {.memory = &queue->memory};
    int error = ss_folder_list(&queue->folder, &listing);
    if (error == SEENSET_OK)
        error = check_foreign(&listing, report);
    ss_listing_free(&listing);
    if (error != SEENSET_OK)
        return error;
    queue->lock_fd =
        ss_folder_open(&queue->folder, SS_FOLDER_LOCK, O_RDWR | O_CREAT);
    return queue->lock_fd < 0 ? SEENSET_EIO : SEENSET_OK;
}

int ss_create_lock(seenset_queue *queue, const seenset_queue_options *options)
{
    const ss_io *io = queue->folder.io;
    bool may_make = (options->flags & SEENSET_QUEUE_MUST_EXIST) == 0;
    int error = SEENSET_OK;
    if (may_make && io->mkdir(io->context, queue->folder.path, 0777) != 0 &&
        errno != EEXIST)
        return SEENSET_EIO;
    queue->lock_fd = ss_folder_open_lock(&queue->folder);
    if (queue->lock_fd < 0)
        error = may_make && errno == ENOENT ? make_lock(queue, options->report)
                                            : SEENSET_EIO;
    if (error != SEENSET_OK)
        return error;
    if (io->lock(io->context, queue->lock_fd) == 0)
        return SEENSET_OK;
    return errno == EWOULDBLOCK ? SEENSET_EINUSE : SEENSET_EIO;
}

/* ---- the files ---- */

/* The log id is random, so that no other queue's record is taken for one of
 * this queue. */
static int choose_log_id(uint32_t *log_id)
{
    do {
        if (!ss_random_fill(log_id, sizeof *log_id))
            return SEENSET_EIO;
    } while (*log_id == 0);
    return SEENSET_OK;
}

/*
 * A folder without a manifest may have a first segment without records: a
 * crash while a queue was made leaves it. With more than that, it is a queue
 * whose manifest is lost.
 */
static int check_leftovers(const seenset_queue *queue,
                           const ss_listing *listing,
                           seenset_queue_report *report)
{
    uint64_t size_bytes = 0;
    const ss_positions *logs = &listing->logs;
    bool is_first = logs->count == 0 || (logs->count == 1 && logs->at[0] == 0);
    int error = SEENSET_OK;
    if (is_first && logs->count > 0)
        error = ss_recover_length(&queue->folder, 0, &size_bytes);
    if (error != SEENSET_OK)
        return error;
    if (is_first && size_bytes <= SS_SEGMENT_HEADER_BYTES &&
        listing->sets.count + listing->states.count + listing->delayed.count ==
            0)
        return SEENSET_OK;
    return ss_report_refuse(report, SEENSET_EDAMAGED, SS_FOLDER_MANIFEST, 0,
                            "the file is missing");
}

int ss_create_manifest(seenset_queue *queue)
{
    uint8_t bytes[SS_MANIFEST_MAX_BYTES];
    size_t size_bytes = ss_manifest_encode(&queue->manifest, bytes);
    return ss_folder_replace(&queue->folder, SS_FOLDER_MANIFEST, bytes,
                             size_bytes);
}

/* The manifest is written last: without it there is no queue. */
static int write_files(seenset_queue *queue)
{
    int fd;
    int error = ss_log_end_create_segment(&queue->folder,
                                          queue->manifest.log_id, 0, &fd);
    if (error != SEENSET_OK)
        return error;
    ss_io_close_quietly(queue->folder.io, fd);
    return ss_create_manifest(queue);
}

/* Writes the manifest again. */
static int extend(seenset_queue *queue, const ss_manifest *extended)
{
    uint8_t bytes[SS_MANIFEST_MAX_BYTES];
    int error = SEENSET_OK;
    if (!queue->is_in_memory)
        error = ss_folder_replace(&queue->folder, SS_FOLDER_MANIFEST, bytes,
                                  ss_manifest_encode(extended, bytes));
    if (error == SEENSET_EPOISONED)
        return ss_append_poison(queue);
    if (error != SEENSET_OK)
        return error;
    queue->manifest.has_untried = extended->has_untried;
    queue->manifest.has_turns = extended->has_turns;
    queue->manifest.has_moved = extended->has_moved;
    queue->manifest.has_runs = extended->has_runs;
    queue->manifest.is_extended = queue->items.has_lanes = true;
    return SEENSET_OK;
}

int ss_create_extension(seenset_queue *queue)
{
    ss_manifest wanted = queue->manifest;
    wanted.is_extended = true;
    return queue->manifest.is_extended ? SEENSET_OK : extend(queue, &wanted);
}

int ss_create_untried(seenset_queue *queue)
{
    ss_manifest wanted = queue->manifest;
    wanted.is_extended = wanted.has_untried = true;
    return queue->manifest.has_untried ? SEENSET_OK : extend(queue, &wanted);
}

int ss_create_turns(seenset_queue *queue)
{
    ss_manifest wanted = queue->manifest;
    wanted.is_extended = wanted.has_untried = wanted.has_turns = true;
    return queue->manifest.has_turns ? SEENSET_OK : extend(queue, &wanted);
}

int ss_create_moved(seenset_queue *queue)
{
    ss_manifest wanted = queue->manifest;
    wanted.has_moved = true;
    return queue->manifest.has_moved ? SEENSET_OK : extend(queue, &wanted);
}

int ss_create_runs(seenset_queue *queue)
{
    ss_manifest wanted = queue->manifest;
    wanted.is_extended = wanted.has_untried = wanted.has_turns = true;
    wanted.has_runs = true;
    wanted.has_moved = wanted.is_polite;
    return queue->manifest.has_runs ? SEENSET_OK : extend(queue, &wanted);
}

int ss_create_set(seenset_queue *queue)
{
    int error = ss_recover_init_set(&queue->seen.set, &queue->manifest,
                                    &queue->memory, queue->folder.io->clock);
    return error == SEENSET_OK ? ss_url_set_make(&queue->seen.set) : error;
}

int ss_create_files(seenset_queue *queue, const ss_listing *listing,
                    const seenset_queue_options *options)
{
    if ((options->flags & SEENSET_QUEUE_MUST_EXIST) != 0)
        return ss_report_refuse(options->report, SEENSET_EFORMAT,
                                SS_FOLDER_MANIFEST, 0, "the file is missing");
    int error = check_leftovers(queue, listing, options->report);
    if (error == SEENSET_OK)
        error = check_foreign(listing, options->report);
    if (error == SEENSET_OK)
        error = ss_manifest_from_options(&queue->manifest, options);
    if (error == SEENSET_OK)
        error = ss_create_set(queue); /* if it cannot, there is no file */
    if (error == SEENSET_OK)
        error = choose_log_id(&queue->manifest.log_id);
    return error == SEENSET_OK ? write_files(queue) : error;
}

/* ---- a queue that continues another ---- */

/* Only an empty folder will do. */
static int check_empty(const seenset_queue *queue, const ss_listing *listing,
                       seenset_queue_report *report)
{
    if (listing->has_manifest)
        return ss_report_refuse(report, SEENSET_EFORMAT, SS_FOLDER_MANIFEST, 0,
                                "there is a queue in this folder already");
    int error = check_leftovers(queue, listing, report);
    return error == SEENSET_OK ? check_foreign(listing, report) : error;
}

/* A first segment without a record, of a queue that was not made. */
static void remove_leftovers(const seenset_queue *queue,
                             const ss_listing *listing)
{
    char name[SS_FOLDER_NAME_BYTES];
    for (size_t i = 0; i < listing->logs.count; i++) {
        ss_folder_name(name, SS_FOLDER_LOG, listing->logs.at[i]);
        ss_folder_remove(&queue->folder, name);
    }
}

int ss_queue_init_log(seenset_queue *queue)
{
    ss_items *items = &queue->items;
    const ss_manifest *manifest = &queue->manifest;
    const ss_positions *segments = &queue->log.segments;
    int error = ss_log_end_init(&queue->log, &queue->folder, &queue->memory,
                                manifest->log_id, manifest->segment_bytes);
    if (error == SEENSET_OK)
        error = ss_log_reader_init(&items->lanes[0].reader, &queue->folder,
                                   &queue->memory, segments, manifest->log_id,
                                   READ_AHEAD_BYTES);
    items->has_lanes = manifest->is_extended;
    ss_delayed_init(queue);
    if (error == SEENSET_OK)
        error = ss_polite_start(queue);
    if (error == SEENSET_OK)
        error =
            ss_log_reader_init(&items->rereads, &queue->folder, &queue->memory,
                               segments, manifest->log_id, REREAD_BYTES);
    return error;
}

static int begin_log(seenset_queue *queue, uint64_t position, uint64_t number)
{
    ss_log_end *log = &queue->log;
    ss_items *items = &queue->items;
    int error = ss_queue_init_log(queue);
    if (error == SEENSET_OK &&
        !ss_positions_add(&log->segments, &queue->memory, position))
        error = SEENSET_ENOMEM;
    if (error == SEENSET_OK)
        error = ss_log_end_create_segment(
            &queue->folder, queue->manifest.log_id, position, &log->fd);
    if (error != SEENSET_OK)
        return error;
    error = ss_polite_watch_segments(queue);
    if (error != SEENSET_OK)
        return error;
    log->next_item = number;
    ss_log_end_set(log, position + SS_SEGMENT_HEADER_BYTES);
    if (queue->frontier != NULL)
        ss_live_note(&queue->frontier->live, log->tail, number);
    for (unsigned i = 0; i < SS_LANES; i++) {
        items->lanes[i].read_item = number;
        ss_log_reader_seek(&items->lanes[i].reader, log->tail);
    }
    return SEENSET_OK;
}

int ss_create_continued(seenset_queue *queue, uint64_t position,
                        uint64_t number, seenset_queue_report *report)
{
    ss_listing listing = {.memory = &queue->memory, .removes_temporary = true};
    int error = ss_folder_list(&queue->folder, &listing);
    if (error == SEENSET_OK)
        error = check_empty(queue, &listing, report);
    if (error == SEENSET_OK)
        remove_leftovers(queue, &listing);
    ss_listing_free(&listing);
    if (error == SEENSET_OK)
        error = choose_log_id(&queue->manifest.log_id);
    return error == SEENSET_OK ? begin_log(queue, position, number) : error;
}
