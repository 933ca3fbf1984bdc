/*
 * log_end.c - appending records to a block, and the block to the segments.
 *
 * The log itself records every sync that succeeded: the first record of the
 * next block is a DURABLE record with the position that was durable by then.
 * So recovery can distinguish a torn end, which a crash leaves and which is
 * cut off, from damage to bytes that were safe on the disk.
 */
#define _POSIX_C_SOURCE 200809L /* fcntl flags */
#include "log/log_end.h"

#include <errno.h>
#include <fcntl.h>

#include "base/bits.h"
#include "seenset/error.h"

int ss_log_end_init(ss_log_end *log, const ss_folder *folder,
                    const ss_memory *memory, uint32_t log_id,
                    uint64_t segment_bytes)
{
    log->folder = folder;
    log->memory = memory;
    log->log_id = log_id;
    log->segment_bytes = segment_bytes;
    log->block = ss_memory_alloc_buffer(memory, SS_BLOCK_ROOM);
    return log->block == NULL ? SEENSET_ENOMEM : SEENSET_OK;
}

void ss_log_end_free(ss_log_end *log)
{
    if (log->folder == NULL)
        return;
    if (log->fd >= 0)
        ss_io_close_quietly(log->folder->io, log->fd);
    ss_positions_free(&log->segments, log->memory);
    ss_memory_free(log->memory, log->block, SS_BLOCK_ROOM, 1);
}

void ss_log_end_set(ss_log_end *log, uint64_t end)
{
    log->durable = log->group = log->written = log->tail = end;
    log->group_item = log->next_item;
}

uint64_t ss_log_end_segment(const ss_log_end *log)
{
    return log->segments.at[log->segments.count - 1];
}

size_t ss_log_end_block_bytes(const ss_log_end *log)
{
    return (size_t)(log->tail - log->written);
}

bool ss_log_end_is_segment_full(const ss_log_end *log, size_t bytes)
{
    uint64_t used = log->tail - ss_log_end_segment(log);
    return used > SS_SEGMENT_HEADER_BYTES && used + bytes > log->segment_bytes;
}

bool ss_log_end_is_block_full(const ss_log_end *log, size_t bytes)
{
    size_t held = ss_log_end_block_bytes(log);
    return held >= SS_BLOCK_BYTES || held + bytes > SS_BLOCK_ROOM;
}

/* ---- records ---- */

static void append(ss_log_end *log, ss_record_type type, size_t payload_bytes)
{
    ss_record_seal(log->block + ss_log_end_block_bytes(log), log->log_id, type,
                   log->next_item, payload_bytes);
    log->tail += SS_RECORD_HEADER_BYTES + payload_bytes;
}

uint8_t *ss_log_end_payload(ss_log_end *log)
{
    if (ss_log_end_block_bytes(log) == 0 && log->recorded < log->durable) {
        ss_bits_store(log->block + SS_RECORD_HEADER_BYTES, 8, log->durable);
        append(log, SS_RECORD_DURABLE, 8);
        log->recorded = log->durable;
    }
    return log->block + ss_log_end_block_bytes(log) + SS_RECORD_HEADER_BYTES;
}

void ss_log_end_append(ss_log_end *log, ss_record_type type,
                       size_t payload_bytes)
{
    append(log, type, payload_bytes);
    log->next_item += ss_record_is_push(type);
}

bool ss_log_end_write(ss_log_end *log)
{
    if (!ss_io_pwrite_all(log->folder->io, log->fd, log->block,
                          ss_log_end_block_bytes(log),
                          log->written - ss_log_end_segment(log)))
        return false;
    log->written = log->tail;
    return true;
}

void ss_log_end_start_group(ss_log_end *log)
{
    log->group = log->tail;
    log->group_item = log->next_item;
}

bool ss_log_end_roll_back(ss_log_end *log)
{
    const ss_io *io = log->folder->io;
    log->written = log->tail = log->group;
    log->next_item = log->group_item;
    log->recorded = 0; /* the record may be among those that are removed */
    return io->truncate(io->context, log->fd,
                        log->group - ss_log_end_segment(log)) == 0;
}

bool ss_log_end_drop_block(ss_log_end *log)
{
    const ss_io *io = log->folder->io;
    log->tail = log->written;
    log->recorded = 0; /* as above */
    return io->truncate(io->context, log->fd,
                        log->written - ss_log_end_segment(log)) == 0;
}

/* ---- segments ---- */

static int write_header(const ss_folder *folder, uint32_t log_id,
                        uint64_t start, int fd)
{
    const ss_io *io = folder->io;
    uint8_t header[SS_SEGMENT_HEADER_BYTES];
    ss_segment_encode(header, log_id, start);
    if (!ss_io_pwrite_all(io, fd, header, sizeof header, 0))
        return SEENSET_EIO;
    if (io->sync(io->context, fd) != 0 || !ss_folder_sync(folder))
        return SEENSET_EPOISONED;
    return SEENSET_OK;
}

int ss_log_end_create_segment(const ss_folder *folder, uint32_t log_id,
                              uint64_t start, int *fd)
{
    char name[SS_FOLDER_NAME_BYTES];
    ss_folder_name(name, SS_FOLDER_LOG, start);
    int opened = ss_folder_open(folder, name, O_RDWR | O_CREAT | O_TRUNC);
    if (opened < 0)
        return SEENSET_EIO;
    int error = write_header(folder, log_id, start, opened);
    if (error == SEENSET_OK) {
        *fd = opened;
        return SEENSET_OK;
    }
    int saved_errno = errno;
    ss_io_close_quietly(folder->io, opened);
    if (!ss_folder_unlink(folder, name))
        error = SEENSET_EPOISONED; /* no record may go past its name */
    errno = saved_errno;
    return error;
}

int ss_log_end_start_segment(ss_log_end *log)
{
    int fd;
    uint64_t start = log->tail;
    if (!ss_positions_add(&log->segments, log->memory, start))
        return SEENSET_ENOMEM;
    int error = ss_log_end_create_segment(log->folder, log->log_id, start, &fd);
    if (error != SEENSET_OK) {
        log->segments.count--;
        return error;
    }
    ss_io_close_quietly(log->folder->io, log->fd);
    log->fd = fd;
    ss_log_end_set(log, start + SS_SEGMENT_HEADER_BYTES);
    return SEENSET_OK;
}
