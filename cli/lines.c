/*
 * lines.c - see lines.h.
 *
 * The block is 256 KiB: large enough that the cost of a system call is lost,
 * small enough to stay in the second-level cache while the batch goes through
 * the pipeline. It grows, by doubling, only for a line that does not fit.
 */
#define _GNU_SOURCE /* posix_fadvise, O_CLOEXEC */
#include "lines.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FIRST_ROOM ((size_t)256 * 1024)

int lines_init(lines *reader, char separator)
{
    *reader = (lines){.fd = -1, .separator = separator, .room = FIRST_ROOM};
    reader->block = malloc(reader->room + 1);
    return reader->block != NULL ? 0 : -1;
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
    free(reader->block);
    reader->block = NULL;
}

int lines_open(lines *reader, const char *path)
{
    close_file(reader);
    reader->begin = reader->scanned = reader->end = 0;
    reader->given = 0;
    reader->is_at_end = false;
    reader->fd = STDIN_FILENO;
    if (strcmp(path, "-") != 0)
        reader->fd = open(path, O_RDONLY | O_CLOEXEC);
    if (reader->fd < 0)
        return -1;
    (void)posix_fadvise(reader->fd, 0, 0, POSIX_FADV_SEQUENTIAL);
    return 0;
}

/* Makes room after the bytes not yet given out, which move to the front. */
static int make_room(lines *reader)
{
    memmove(reader->block, reader->block + reader->begin,
            reader->end - reader->begin);
    reader->end -= reader->begin;
    reader->scanned -= reader->begin;
    reader->begin = 0;
    if (reader->end < reader->room)
        return 0;
    if (reader->room > SIZE_MAX / 4) {
        errno = ENOMEM;
        return -1;
    }
    char *larger = realloc(reader->block, reader->room * 2 + 1);
    if (larger == NULL)
        return -1;
    reader->block = larger;
    reader->room *= 2;
    return 0;
}

/* The read stage: one read(2) into the block. Returns 0, or -1 and errno. */
static int fill(lines *reader)
{
    if (make_room(reader) != 0)
        return -1;
    ssize_t got;
    do
        got = read(reader->fd, reader->block + reader->end,
                   reader->room - reader->end);
    while (got < 0 && errno == EINTR);
    if (got < 0)
        return -1;
    reader->end += (size_t)got;
    reader->is_at_end = got == 0;
    if (got == 0 && reader->end > reader->begin)
        reader->block[reader->end++] = reader->separator;
    return 0;
}

/* The split stage: lines of the block into the batch, until either is out. */
static void split(lines *reader, batch *out)
{
    const char *start = reader->block + reader->begin;
    const char *from = reader->block + reader->scanned;
    const char *end = reader->block + reader->end;
    while (out->count < BATCH_ROOM) {
        const char *stop = NULL;
        if (from < end)
            stop = memchr(from, reader->separator, (size_t)(end - from));
        if (stop == NULL) {
            reader->scanned = reader->end;
            break;
        }
        seenset_key *key = &out->keys[out->count++];
        *key = (seenset_key){.data = start, .len = (size_t)(stop - start)};
        start = from = stop + 1;
    }
    out->input_bytes = (uint64_t)(start - (reader->block + reader->begin));
    reader->begin = (size_t)(start - reader->block);
    if (reader->scanned < reader->begin)
        reader->scanned = reader->begin;
}

int lines_next(lines *reader, batch *out)
{
    out->count = 0;
    out->is_terminated = true;
    out->first_number = reader->given + 1;
    for (;;) {
        split(reader, out);
        reader->given += out->count;
        if (out->count > 0)
            return 1;
        if (reader->is_at_end)
            return 0;
        if (fill(reader) != 0)
            return -1;
    }
}

bool lines_would_wait(const lines *reader)
{
    if (reader->is_at_end || reader->fd < 0)
        return false;
    if (reader->scanned < reader->end)
        return false;
    struct pollfd input = {.fd = reader->fd, .events = POLLIN};
    return poll(&input, 1, 0) == 0;
}
