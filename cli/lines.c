/*
 * lines.c - see lines.h.
 *
 * A long line makes its batch grow by doubling, but never more than
 * BATCH_BYTES are read before they are split: so no byte is looked at twice
 * for it, and the rest after its end fits its buffer.
 */
#define _GNU_SOURCE /* posix_fadvise, O_CLOEXEC */
#include "lines.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int lines_init(lines *reader, char separator)
{
    *reader = (lines){.fd = -1, .separator = separator, .split = split_best()};
    reader->rest = malloc(BATCH_BYTES);
    return reader->rest != NULL ? 0 : -1;
}

static void close_file(lines *reader)
{
    if (reader->fd > STDIN_FILENO)
        close(reader->fd);
    reader->fd = -1;
}

void lines_free(lines *reader)
{
    close_file(reader);
    free(reader->rest);
    reader->rest = NULL;
}

int lines_open(lines *reader, const char *path)
{
    close_file(reader);
    reader->rest_bytes = 0;
    reader->given = 0;
    reader->is_at_end = false;
    reader->has_line = false;
    reader->fd = STDIN_FILENO;
    if (strcmp(path, "-") != 0)
        reader->fd = open(path, O_RDONLY | O_CLOEXEC);
    if (reader->fd < 0)
        return -1;
    (void)posix_fadvise(reader->fd, 0, 0, POSIX_FADV_SEQUENTIAL);
    return 0;
}

static bool is_waiting(int fd)
{
    struct pollfd input = {.fd = fd, .events = POLLIN};
    return poll(&input, 1, 0) == 0;
}

/* One read(2) that no signal cuts short. */
static ssize_t read_some(const lines *reader, char *into, size_t room)
{
    ssize_t got;
    do
        got = read(reader->fd, into, room);
    while (got < 0 && errno == EINTR);
    return got;
}

/*
 * Adds input to the batch: at least something, and then what is there, since
 * a pipe gives little at a time. Returns 0, or -1 and errno.
 */
static int fill(lines *reader, batch *out)
{
    if (batch_reserve(out, out->used + 1) != 0)
        return -1;
    size_t room = out->room - out->used;
    if (room > BATCH_BYTES)
        room = BATCH_BYTES;
    do {
        ssize_t got = read_some(reader, out->data + out->used, room);
        if (got < 0)
            return -1;
        reader->is_at_end = got == 0;
        out->used += (size_t)got;
        room -= (size_t)got;
    } while (room > 0 && !reader->is_at_end && !is_waiting(reader->fd));
    return 0;
}

/* The last line of a file gets the separator that it lacks. */
static void end_last_line(const lines *reader, batch *out)
{
    if (out->used > 0 && out->data[out->used - 1] != reader->separator)
        out->data[out->used++] = reader->separator;
}

/* Looks for ends from offset `from` on, behind which there is none. */
static void split(const lines *reader, batch *out, size_t from)
{
    out->count = reader->split(out->data + from, out->used - from,
                               reader->separator, out->ends, BATCH_LINES);
    for (size_t i = 0; from > 0 && i < out->count; i++)
        out->ends[i] += from;
}

static void take_rest(lines *reader, batch *out)
{
    memcpy(out->data, reader->rest, reader->rest_bytes);
    out->used = reader->rest_bytes;
    reader->rest_bytes = 0;
}

static void keep_rest(lines *reader, batch *out)
{
    size_t end = batch_start(out, out->count);
    reader->rest_bytes = out->used - end;
    memcpy(reader->rest, out->data + end, reader->rest_bytes);
    reader->has_line =
        out->count == BATCH_LINES &&
        memchr(reader->rest, reader->separator, reader->rest_bytes) != NULL;
    out->used = end;
}

/* Reads until there is a line. Returns 0 (none is left), 1 or -1. */
static int find_lines(lines *reader, batch *out)
{
    take_rest(reader, out);
    if (reader->has_line)
        split(reader, out, 0);
    while (out->count == 0 && !reader->is_at_end) {
        size_t scanned = out->used;
        if (fill(reader, out) != 0)
            return -1;
        if (reader->is_at_end)
            end_last_line(reader, out);
        split(reader, out, scanned);
    }
    return out->count > 0;
}

int lines_next(lines *reader, batch *out)
{
    batch_clear(out);
    out->first_number = reader->given + 1;
    int got = find_lines(reader, out);
    if (got < 0)
        return -1;
    keep_rest(reader, out);
    out->input_bytes = out->used;
    reader->given += out->count;
    return got;
}

bool lines_would_wait(const lines *reader)
{
    bool can_read = !reader->is_at_end && reader->fd >= 0;
    return can_read && !reader->has_line && is_waiting(reader->fd);
}
