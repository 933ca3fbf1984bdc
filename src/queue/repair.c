/*
 * queue_verify.c - checks a queue whole, and mends it if asked to.
 *
 * Mending keeps every position where it was: a damaged stretch of the log is
 * covered by HOLE records, which say how the item numbers go on behind it. If
 * the log was damaged, the states go too, since they may know of items that
 * are lost; what is acked then follows from the log alone, whose segments
 * hold the acks of all items that are still in it.
 *
 * Until the states are gone the holes make them wrong, and nothing in the log
 * says so: once it is mended it is sound. The file REPAIR does. It is there,
 * durably, before the first hole and until new snapshots are; meanwhile the
 * queue can be repaired again and not be opened.
 */
#define _POSIX_C_SOURCE 200809L /* fcntl flags */
#include <errno.h>
#include <fcntl.h>

#include "queue/verify.h"

int ss_queue_verify(const ss_io *io, const char *dir,
                    seenset_queue_report *report)
{
    seenset_queue_report own;
    ss_verification inspection;
    int error = ss_verify(&inspection, io, dir, report != NULL ? report : &own);
    if (error == SEENSET_OK && ss_verification_is_bad(&inspection))
        error = SEENSET_EDAMAGED;
    ss_verification_free(&inspection);
    return error;
}

int seenset_queue_verify(const char *dir, seenset_queue_report *report)
{
    return ss_queue_verify(&ss_io_system, dir, report);
}

/* ---- mending ---- */

static bool remove_all(const ss_directory *folder, const char *prefix,
                       const ss_positions *positions)
{
    char name[SS_FOLDER_NAME_BYTES];
    for (size_t i = 0; i < positions->count; i++) {
        ss_directory_name(name, prefix, positions->at[i]);
        if (!ss_directory_unlink(folder, name))
            return false;
    }
    return true;
}

/* The snapshots that are damaged, or that no longer fit the log. */
static int remove_snapshots(const ss_verification *inspection)
{
    const ss_directory *folder = &inspection->folder;
    const ss_listing *listing = &inspection->listing;
    bool is_done =
        remove_all(folder, SS_FOLDER_SET,
                   inspection->is_set_denied ? &listing->sets
                                             : &inspection->bad_sets) &&
        remove_all(folder, SS_FOLDER_STATE,
                   inspection->damage_count > 0 || inspection->is_state_denied
                       ? &listing->states
                       : &inspection->bad_states) &&
        ss_directory_sync(folder);
    return is_done ? SEENSET_OK : SEENSET_EIO;
}

static int begin_repair(const ss_directory *folder)
{
    int fd = ss_directory_open(folder, SS_FOLDER_REPAIR, O_WRONLY | O_CREAT);
    if (fd < 0)
        return SEENSET_EIO;
    ss_io_close_quietly(folder->io, fd);
    return ss_directory_sync(folder) ? SEENSET_OK : SEENSET_EIO;
}

static int end_repair(const ss_directory *folder)
{
    bool is_gone =
        ss_directory_unlink(folder, SS_FOLDER_REPAIR) || errno == ENOENT;
    return is_gone && ss_directory_sync(folder) ? SEENSET_OK : SEENSET_EIO;
}

/* How long the next HOLE is, so that what is left is none or another one. */
static uint64_t hole_bytes(uint64_t left)
{
    const uint64_t most = SS_RECORD_HEADER_BYTES + (uint64_t)SS_PAYLOAD_MAX;
    if (left <= most)
        return left;
    return left - most < SS_RECORD_HEADER_BYTES ? most - SS_RECORD_HEADER_BYTES
                                                : most;
}

/* Covers a damage with HOLEs. */
static int write_holes(const ss_verification *inspection, int fd,
                       const ss_damage *damage)
{
    uint8_t header[SS_RECORD_HEADER_BYTES];
    const ss_io *io = inspection->folder.io;
    if (damage->to - damage->from < SS_RECORD_HEADER_BYTES)
        return SEENSET_EDAMAGED;
    for (uint64_t at = damage->from, bytes; at < damage->to; at += bytes) {
        bytes = hole_bytes(damage->to - at);
        ss_record_seal(header, inspection->manifest.log_id, SS_RECORD_HOLE,
                       damage->item, (size_t)bytes - sizeof header);
        if (!ss_io_pwrite_all(io, fd, header, sizeof header,
                              at - damage->segment))
            return SEENSET_EIO;
    }
    return SEENSET_OK;
}

static int mend_open(const ss_verification *inspection, int fd,
                     const ss_damage *damage)
{
    const ss_io *io = inspection->folder.io;
    struct stat status;
    if (damage->is_header) {
        uint8_t header[SS_SEGMENT_HEADER_BYTES];
        ss_segment_encode(header, inspection->manifest.log_id, damage->segment);
        return ss_io_pwrite_all(io, fd, header, sizeof header, 0) ? SEENSET_OK
                                                                  : SEENSET_EIO;
    }
    uint64_t end = damage->to - damage->segment;
    if (io->status(io->context, fd, &status) != 0 ||
        ((uint64_t)status.st_size < end &&
         io->truncate(io->context, fd, end) != 0))
        return SEENSET_EIO;
    return write_holes(inspection, fd, damage);
}

static int mend(const ss_verification *inspection, const ss_damage *damage)
{
    char name[SS_FOLDER_NAME_BYTES];
    const ss_io *io = inspection->folder.io;
    ss_directory_name(name, SS_FOLDER_LOG, damage->segment);
    int fd = ss_directory_open(&inspection->folder, name, O_RDWR);
    if (fd < 0)
        return SEENSET_EIO;
    int error = mend_open(inspection, fd, damage);
    if (error == SEENSET_OK && io->sync(io->context, fd) != 0)
        error = SEENSET_EIO;
    ss_io_close_quietly(io, fd);
    return error;
}

/* The states go last: until the log is mended they tell which part of it was
 * safe, and is damage rather than a torn end. */
static int mend_all(const ss_verification *inspection)
{
    bool has_damage = inspection->damage_count > 0;
    int error = has_damage ? begin_repair(&inspection->folder) : SEENSET_OK;
    for (size_t i = 0; i < inspection->damage_count && error == SEENSET_OK; i++)
        error = mend(inspection, &inspection->damages[i]);
    return error == SEENSET_OK ? remove_snapshots(inspection) : error;
}

/* Opens what was mended, and writes anew what was removed. */
static int settle(const ss_io *io, const char *dir)
{
    seenset_queue *queue;
    const seenset_queue_options options = {.must_exist = 1};
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
                    seenset_queue_report *report)
{
    seenset_queue_report own;
    ss_verification inspection;
    int error = ss_verify(&inspection, io, dir, report != NULL ? report : &own);
    bool is_bad = error == SEENSET_OK && ss_verification_is_bad(&inspection);
    if (is_bad)
        error = mend_all(&inspection);
    ss_verification_free(&inspection);
    return is_bad && error == SEENSET_OK ? settle(io, dir) : error;
}

int seenset_queue_repair(const char *dir, seenset_queue_report *report)
{
    return ss_queue_repair(&ss_io_system, dir, report);
}
