/* log_reader.c - a buffer over the segments */
#define _POSIX_C_SOURCE 200809L /* fcntl flags */
#include "log/log_reader.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "base/bits.h"
#include "base/order.h"
#include "seenset/error.h"

enum {
    ROOM_BYTES = SS_RECORD_HEADER_BYTES + SS_PAYLOAD_MAX
};

int ss_log_reader_init(ss_log_reader *reader, const ss_folder *folder,
                       const ss_memory *memory, const ss_positions *segments,
                       uint32_t log_id, size_t ahead_bytes)
{
    *reader = (ss_log_reader){.folder = folder,
                              .memory = memory,
                              .segments = segments,
                              .log_id = log_id,
                              .ahead_bytes = ahead_bytes,
                              .fd = -1};
    reader->room = ahead_bytes;
    reader->buffer = ss_memory_alloc_buffer(memory, reader->room);
    return reader->buffer == NULL ? SEENSET_ENOMEM : SEENSET_OK;
}

int ss_log_reader_init_like(ss_log_reader *reader, const ss_log_reader *like)
{
    uint64_t position = reader->position;
    int error =
        ss_log_reader_init(reader, like->folder, like->memory, like->segments,
                           like->log_id, like->ahead_bytes);
    reader->position = position;
    if (error != SEENSET_OK)
        *reader = (ss_log_reader){.position = position};
    return error;
}

static void close_segment(ss_log_reader *reader)
{
    if (reader->fd >= 0)
        ss_io_close_quietly(reader->folder->io, reader->fd);
    reader->fd = -1;
}

void ss_log_reader_free(ss_log_reader *reader)
{
    if (reader->folder == NULL)
        return;
    close_segment(reader);
    ss_memory_free(reader->memory, reader->buffer, reader->room, 1);
    reader->buffer = NULL;
}

void ss_log_reader_seek(ss_log_reader *reader, uint64_t position)
{
    reader->position = position;
    reader->buffer_bytes = 0;
}

void ss_log_reader_back(ss_log_reader *reader, uint64_t position)
{
    reader->position = position;
}

uint64_t ss_log_reader_segment_of(const ss_positions *segments,
                                  uint64_t position)
{
    return segments->at[ss_positions_place(segments, position)];
}

bool ss_log_reader_open(ss_log_reader *reader, uint64_t start)
{
    char name[SS_FOLDER_NAME_BYTES];
    if (reader->fd >= 0 && reader->fd_start == start)
        return true;
    close_segment(reader);
    ss_folder_name(name, SS_FOLDER_LOG, start);
    reader->fd = ss_folder_open(reader->folder, name, O_RDONLY);
    reader->fd_start = start;
    return reader->fd >= 0;
}

/* How many bytes the buffer has from the position on. */
static size_t buffered(const ss_log_reader *reader, const uint8_t **bytes)
{
    uint64_t skipped = reader->position - reader->buffer_at;
    if (reader->position < reader->buffer_at || skipped > reader->buffer_bytes)
        return 0;
    *bytes = reader->buffer + skipped;
    return reader->buffer_bytes - (size_t)skipped;
}

/* Makes room for the largest record, when a record needs it. */
static bool grow(ss_log_reader *reader)
{
    uint8_t *buffer = ss_memory_alloc_buffer(reader->memory, ROOM_BYTES);
    if (buffer == NULL)
        return false;
    ss_memory_free(reader->memory, reader->buffer, reader->room, 1);
    reader->buffer = buffer;
    reader->buffer_bytes = 0;
    reader->room = ROOM_BYTES;
    return true;
}

/* Reads `wanted` bytes at the position, fewer if the file ends. */
static bool refill(ss_log_reader *reader, size_t wanted)
{
    reader->buffer_bytes = 0;
    ssize_t got =
        ss_io_pread_all(reader->folder->io, reader->fd, reader->buffer, wanted,
                        reader->position - reader->fd_start);
    if (got < 0)
        return false;
    reader->buffer_at = reader->position;
    reader->buffer_bytes = (size_t)got;
    return true;
}

/* Checks the header at the start of a segment, and goes past it. Returns 1. */
static int pass_header(ss_log_reader *reader, uint64_t left)
{
    if (left < SS_SEGMENT_HEADER_BYTES)
        return SEENSET_EDAMAGED;
    if (!refill(reader, (size_t)ss_lower(left, reader->ahead_bytes)))
        return SEENSET_EIO;
    if (reader->buffer_bytes < SS_SEGMENT_HEADER_BYTES ||
        !ss_segment_is_valid(reader->buffer, reader->log_id, reader->position))
        return SEENSET_EDAMAGED;
    reader->position += SS_SEGMENT_HEADER_BYTES;
    return 1;
}

/* Decodes the record at the position, of at most `left` bytes. */
static int decode(ss_log_reader *reader, uint64_t left, ss_record *out)
{
    const uint8_t *bytes = reader->buffer;
    ss_decoded decoded = SS_DECODED_SHORT;
    size_t wanted = (size_t)ss_lower(left, reader->ahead_bytes);
    size_t here = (size_t)ss_lower(left, buffered(reader, &bytes));
    if (here > 0)
        decoded = ss_record_decode(bytes, here, reader->log_id, out);
    while (decoded == SS_DECODED_SHORT &&
           here < (size_t)ss_lower(left, ROOM_BYTES)) {
        if (wanted <= here)
            wanted = (size_t)ss_lower(left, ROOM_BYTES);
        if (wanted > reader->room && !grow(reader))
            return SEENSET_ENOMEM;
        if (!refill(reader, wanted))
            return SEENSET_EIO;
        here = reader->buffer_bytes;
        decoded = ss_record_decode(reader->buffer, here, reader->log_id, out);
        if (here < wanted)
            break;
    }
    return decoded == SS_DECODED_RECORD ? 1 : SEENSET_EDAMAGED;
}

uint64_t ss_log_reader_part(const ss_log_reader *reader, uint64_t position,
                            uint64_t *end)
{
    const ss_positions *segments = reader->segments;
    size_t index = ss_positions_place(segments, position);
    if (index + 1 < segments->count)
        *end = ss_lower(*end, segments->at[index + 1]);
    return segments->at[index];
}

int ss_log_reader_next(ss_log_reader *reader, uint64_t limit, ss_record *out,
                       uint64_t *at)
{
    while (reader->position < limit) {
        uint64_t end = limit;
        uint64_t start = ss_log_reader_part(reader, reader->position, &end);
        if (!ss_log_reader_open(reader, start))
            return SEENSET_EIO;
        uint64_t left = end - reader->position;
        bool is_header = reader->position == start;
        int result =
            is_header ? pass_header(reader, left) : decode(reader, left, out);
        if (result != 1)
            return result;
        if (is_header)
            continue;
        if (at != NULL)
            *at = reader->position;
        reader->position += ss_record_bytes(out);
        return 1;
    }
    return 0;
}

/* The first place in the bytes where the log id is as in a record. */
static size_t find_id(const uint8_t *bytes, size_t size_bytes,
                      const uint8_t id[4])
{
    size_t i = 0;
    while (i + 12 <= size_bytes && memcmp(bytes + i + 8, id, 4) != 0)
        i++;
    return i;
}

int ss_log_reader_find(ss_log_reader *reader, uint64_t end)
{
    uint8_t id[4];
    ss_bits_store(id, 4, reader->log_id);
    if (!ss_log_reader_open(reader, ss_log_reader_segment_of(reader->segments,
                                                             reader->position)))
        return SEENSET_EIO;
    while (reader->position + SS_RECORD_HEADER_BYTES <= end) {
        const uint8_t *bytes = reader->buffer;
        size_t here =
            (size_t)ss_lower(end - reader->position, buffered(reader, &bytes));
        if (here < SS_RECORD_HEADER_BYTES) {
            if (!refill(reader,
                        (size_t)ss_lower(end - reader->position, reader->room)))
                return SEENSET_EIO;
            bytes = reader->buffer;
            here = reader->buffer_bytes;
            if (here < SS_RECORD_HEADER_BYTES)
                return 0;
        }
        size_t found = find_id(bytes, here, id);
        reader->position += found;
        if (found + 12 <= here)
            return 1;
    }
    return 0;
}
