/*
 * output.c - see output.h.
 *
 * The processor cannot predict which lines of a stream are kept, so no branch
 * depends on it. First the numbers of the kept lines are listed: each number is
 * stored, and the next one overwrites it unless the line is kept. Then the
 * lines on the list are copied in whole chunks; the few bytes too many are
 * overwritten by the next line. A batch of which every line is kept is written
 * without a copy. A long line is copied from its file.
 */
#define _GNU_SOURCE /* write, fsync */
#include "stream/output.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BUFFER_BYTES (2 * BATCH_BYTES)
#define WRITE_DIRECT_BYTES ((size_t)64 * 1024)
#define CHUNK_BYTES BATCH_SLACK
#define GROUP_LINES ((size_t)1024)

int output_init(output *out)
{
    *out = (output){.fd = STDOUT_FILENO, .failed = "standard output"};
    out->buffer = malloc(BUFFER_BYTES + CHUNK_BYTES);
    return out->buffer != NULL ? 0 : -1;
}

void output_free(output *out)
{
    free(out->buffer);
    out->buffer = NULL;
}

void output_redirect(output *out, int fd, const char *name)
{
    out->fd = fd;
    out->failed = name;
}

static void write_all(output *out, const char *data, size_t size)
{
    while (size > 0 && out->error == 0) {
        ssize_t wrote = write(out->fd, data, size);
        if (wrote >= 0) {
            data += wrote;
            size -= (size_t)wrote;
        } else if (errno != EINTR) {
            out->error = errno;
        }
    }
}

int output_flush(output *out)
{
    write_all(out, out->buffer, out->used);
    out->used = 0;
    return out->error == 0 ? 0 : -1;
}

int output_sync(output *out)
{
    int result;
    do
        result = fsync(out->fd);
    while (result != 0 && errno == EINTR);
    bool has_no_disk =
        result != 0 && (errno == EINVAL || errno == EROFS || errno == ENOTSUP);
    if (result != 0 && !has_no_disk && out->error == 0)
        out->error = errno;
    return out->error == 0 ? 0 : -1;
}

void output_put(output *out, const void *data, size_t size)
{
    if (size > BUFFER_BYTES - out->used)
        (void)output_flush(out);
    if (size >= WRITE_DIRECT_BYTES) {
        (void)output_flush(out);
        write_all(out, data, size);
        return;
    }
    if (size > 0)
        memcpy(out->buffer + out->used, data, size);
    out->used += size;
}

/* Lists those of lines first..end-1 whose answer is wanted. */
static size_t list_kept(const batch *from, size_t first, size_t end,
                        uint8_t wanted, uint32_t kept[GROUP_LINES])
{
    size_t count = 0;
    for (size_t i = first; i < end; i++) {
        kept[count] = (uint32_t)i;
        count += from->answers[i] == wanted;
    }
    return count;
}

/* The buffer has room for all of the batch, and a chunk. */
static void copy_kept(output *out, const batch *from, const uint32_t *kept,
                      size_t count)
{
    char *to = out->buffer + out->used;
    for (size_t i = 0; i < count; i++) {
        size_t start = batch_start(from, kept[i]);
        size_t size = from->ends[kept[i]] + 1 - start;
        memcpy(to, from->data + start, CHUNK_BYTES);
        if (size > CHUNK_BYTES)
            memcpy(to, from->data + start, size);
        to += size;
    }
    out->used = (size_t)(to - out->buffer);
}

static uint64_t count_answers(const batch *from, uint8_t wanted)
{
    uint64_t count = 0;
    for (size_t i = 0; i < from->count; i++)
        count += from->answers[i] == wanted;
    return count;
}

/* A long line, piece by piece through the buffer. */
static void put_long(output *out, const spill *line)
{
    uint64_t left = spill_bytes(line) + 1;
    (void)output_flush(out);
    for (uint64_t done = 0; left > 0 && out->error == 0;) {
        size_t size = left < BUFFER_BYTES ? (size_t)left : BUFFER_BYTES;
        ptrdiff_t got = spill_read(line, done, out->buffer, size);
        if (got <= 0) {
            out->error = got < 0 ? errno : EIO;
            out->failed = "temporary file of a long line";
            return;
        }
        write_all(out, out->buffer, (size_t)got);
        done += (uint64_t)got;
        left -= (uint64_t)got;
    }
}

void output_put_line(output *out, const batch *from, size_t i)
{
    size_t start = batch_start(from, i);
    if (from->long_line != NULL)
        put_long(out, from->long_line);
    else
        output_put(out, from->data + start, from->ends[i] + 1 - start);
}

/* A line may be longer than the buffer. */
static void put_kept(output *out, const batch *from, const uint32_t *kept,
                     size_t count)
{
    for (size_t i = 0; i < count; i++)
        output_put_line(out, from, kept[i]);
}

uint64_t output_put_answered(output *out, const batch *from, uint8_t wanted)
{
    uint64_t total = count_answers(from, wanted);
    if (from->header == BATCH_HEADER_PRINTED && from->count > 0)
        output_put_line(out, from, 0); /* whatever the answers are */
    if (from->long_line != NULL) {
        if (total > 0)
            put_long(out, from->long_line);
        return total;
    }
    size_t bytes = batch_start(from, from->count);
    if (total == from->count) {
        output_put(out, from->data, bytes);
        return total;
    }
    if (bytes > BUFFER_BYTES - out->used)
        (void)output_flush(out);
    for (size_t i = 0; i < from->count; i += GROUP_LINES) {
        uint32_t kept[GROUP_LINES];
        size_t left = from->count - i;
        size_t end = i + (left < GROUP_LINES ? left : GROUP_LINES);
        size_t count = list_kept(from, i, end, wanted, kept);
        if (bytes <= BUFFER_BYTES)
            copy_kept(out, from, kept, count);
        else
            put_kept(out, from, kept, count);
    }
    return total;
}
