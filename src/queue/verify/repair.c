/*
 * repair.c - repairs what verify finds; the public calls of both.
 *
 * A repair changes no position. A damaged part of the log is covered with
 * FILLER records, which have the next item number after it. If the log was
 * damaged, the states are removed as well, since they may have items that are
 * lost. What is acked then follows from the log alone, whose segments have the
 * acks of all items that are still in it.
 *
 * From the first FILLER record until the states are removed, they are wrong,
 * and the log, which is sound again, does not show it. Therefore the file
 * REPAIR is made before that, durably, and removed when new snapshots are
 * written. Meanwhile the queue can be repaired again, but not opened.
 */
#define _POSIX_C_SOURCE 200809L /* fcntl flags */
#include <errno.h>
#include <fcntl.h>

#include "queue/verify/verify.h"

int ss_queue_verify(const ss_io *io, const char *dir,
                    const seenset_queue_options *options)
{
    ss_verification run;
    int error = ss_verify(&run, io, dir, options);
    if (error == SEENSET_OK && ss_verification_has_damage(&run))
        error = SEENSET_EDAMAGED;
    ss_verification_free(&run);
    return error;
}

int seenset_queue_verify(const char *dir, const seenset_queue_options *options)
{
    return ss_queue_verify(&ss_io_system, dir, options);
}

/* ---- repairing ---- */

static bool remove_all(const ss_folder *folder, const char *prefix,
                       const ss_positions *positions)
{
    char name[SS_FOLDER_NAME_BYTES];
    for (size_t i = 0; i < positions->count; i++) {
        ss_folder_name(name, prefix, positions->at[i]);
        if (!ss_folder_unlink(folder, name))
            return false;
    }
    return true;
}

/* Removes snapshots that are damaged, or that no longer agree with the log. */
static int remove_snapshots(const ss_verification *run)
{
    const ss_folder *folder = &run->folder;
    const ss_listing *listing = &run->listing;
    bool is_done =
        remove_all(folder, SS_FOLDER_SET,
                   run->set_contradicts_log ? &listing->sets
                                            : &run->bad_sets) &&
        remove_all(folder, SS_FOLDER_STATE,
                   run->damage_count > 0 || run->state_contradicts_log
                       ? &listing->states
                       : &run->bad_states) &&
        ss_folder_sync(folder);
    return is_done ? SEENSET_OK : SEENSET_EIO;
}

static int begin_repair(const ss_folder *folder)
{
    int fd = ss_folder_open(folder, SS_FOLDER_REPAIR, O_WRONLY | O_CREAT);
    if (fd < 0)
        return SEENSET_EIO;
    ss_io_close_quietly(folder->io, fd);
    return ss_folder_sync(folder) ? SEENSET_OK : SEENSET_EIO;
}

static int end_repair(const ss_folder *folder)
{
    bool is_gone =
        ss_folder_unlink(folder, SS_FOLDER_REPAIR) || errno == ENOENT;
    return is_gone && ss_folder_sync(folder) ? SEENSET_OK : SEENSET_EIO;
}

/* How long the next FILLER record is. What is left after it is nothing, or long
 * enough for another one. */
static uint64_t filler_bytes(uint64_t left)
{
    const uint64_t most = SS_RECORD_HEADER_BYTES + (uint64_t)SS_PAYLOAD_MAX;
    if (left <= most)
        return left;
    return left - most < SS_RECORD_HEADER_BYTES ? most - SS_RECORD_HEADER_BYTES
                                                : most;
}

/* Covers a damage with FILLER records. */
static int write_fillers(const ss_verification *run, int fd,
                         const ss_damage *damage)
{
    uint8_t header[SS_RECORD_HEADER_BYTES];
    const ss_io *io = run->folder.io;
    if (damage->to - damage->from < SS_RECORD_HEADER_BYTES)
        return SEENSET_EDAMAGED;
    for (uint64_t at = damage->from, bytes; at < damage->to; at += bytes) {
        bytes = filler_bytes(damage->to - at);
        ss_record_seal(header, run->manifest.log_id, SS_RECORD_FILLER,
                       damage->item, (size_t)bytes - sizeof header);
        if (!ss_io_pwrite_all(io, fd, header, sizeof header,
                              at - damage->segment))
            return SEENSET_EIO;
    }
    return SEENSET_OK;
}

static int repair_file(const ss_verification *run, int fd,
                       const ss_damage *damage)
{
    const ss_io *io = run->folder.io;
    struct stat status;
    if (damage->is_header) {
        uint8_t header[SS_SEGMENT_HEADER_BYTES];
        ss_segment_encode(header, run->manifest.log_id, damage->segment);
        return ss_io_pwrite_all(io, fd, header, sizeof header, 0) ? SEENSET_OK
                                                                  : SEENSET_EIO;
    }
    uint64_t end = damage->to - damage->segment;
    if (io->status(io->context, fd, &status) != 0 ||
        ((uint64_t)status.st_size < end &&
         io->truncate(io->context, fd, end) != 0))
        return SEENSET_EIO;
    return write_fillers(run, fd, damage);
}

static int repair_damage(const ss_verification *run, const ss_damage *damage)
{
    char name[SS_FOLDER_NAME_BYTES];
    const ss_io *io = run->folder.io;
    ss_folder_name(name, SS_FOLDER_LOG, damage->segment);
    int fd = ss_folder_open(&run->folder, name, O_RDWR);
    if (fd < 0)
        return SEENSET_EIO;
    int error = repair_file(run, fd, damage);
    if (error == SEENSET_OK && io->sync(io->context, fd) != 0)
        error = SEENSET_EIO;
    ss_io_close_quietly(io, fd);
    return error;
}

/* The states are removed last. Until the log is repaired, their positions show
 * that it was durable there, and so is damaged rather than torn. */
static int repair_all(const ss_verification *run)
{
    bool has_damage = run->damage_count > 0;
    int error = has_damage ? begin_repair(&run->folder) : SEENSET_OK;
    for (size_t i = 0; i < run->damage_count && error == SEENSET_OK; i++)
        error = repair_damage(run, &run->damages[i]);
    return error == SEENSET_OK ? remove_snapshots(run) : error;
}

/* Opens the repaired queue, and writes new snapshots for those removed. */
static int write_snapshots(const ss_io *io, const char *dir,
                           const seenset_queue_options *given)
{
    seenset_queue *queue;
    const seenset_queue_options options = {.set = ss_queue_given(given)->set,
                                           .flags = SEENSET_QUEUE_MUST_EXIST};
    int error = ss_queue_open_as(io, &queue, dir, &options, SS_FOR_REPAIR);
    if (error != SEENSET_OK)
        return error;
    error = seenset_queue_checkpoint(queue);
    if (error == SEENSET_OK)
        error = end_repair(&queue->folder);
    int closed = seenset_queue_close(queue);
    return error != SEENSET_OK ? error : closed;
}

int ss_queue_repair(const ss_io *io, const char *dir,
                    const seenset_queue_options *options)
{
    ss_verification run;
    int error = ss_verify(&run, io, dir, options);
    bool is_bad = error == SEENSET_OK && ss_verification_has_damage(&run);
    if (is_bad && run.listing.logs.count == 0)
        error = SEENSET_EDAMAGED; /* there is nothing to make it of */
    else if (is_bad)
        error = repair_all(&run);
    ss_verification_free(&run);
    return is_bad && error == SEENSET_OK ? write_snapshots(io, dir, options)
                                         : error;
}

int seenset_queue_repair(const char *dir, const seenset_queue_options *options)
{
    return ss_queue_repair(&ss_io_system, dir, options);
}
