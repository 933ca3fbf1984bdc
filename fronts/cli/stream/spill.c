/*
 * spill.c - see spill.h.
 */
#define _GNU_SOURCE /* pread */
#include "stream/spill.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "system/temporary.h"

struct spill {
    int fd; /* -1: only the hash is wanted */
    uint64_t bytes, hash;
    XXH3_state_t *state; /* until the line is whole */
    const char *map;     /* or NULL */
};

spill *spill_new(bool wants_bytes)
{
    spill *line = malloc(sizeof *line);
    if (line == NULL)
        return NULL;
    *line = (spill){.fd = -1, .state = XXH3_createState()};
    if (line->state != NULL && wants_bytes)
        line->fd = temporary_open();
    if (line->state == NULL || (wants_bytes && line->fd < 0)) {
        int error = line->state == NULL ? ENOMEM : errno;
        spill_free(line);
        errno = error;
        return NULL;
    }
    (void)XXH3_64bits_reset(line->state);
    return line;
}

static size_t map_bytes(const spill *line)
{
    return (size_t)line->bytes + 1 + SPILL_SLACK;
}

void spill_free(spill *line)
{
    if (line == NULL)
        return;
    if (line->map != NULL)
        temporary_unmap(line->map, map_bytes(line));
    if (line->fd >= 0)
        (void)close(line->fd);
    (void)XXH3_freeState(line->state);
    free(line);
}

static int write_all(int fd, const char *data, size_t size)
{
    while (size > 0) {
        ssize_t wrote = write(fd, data, size);
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote < 0)
            return -1;
        data += wrote;
        size -= (size_t)wrote;
    }
    return 0;
}

int spill_add(spill *line, const char *data, size_t size)
{
    if (line->fd >= 0 && write_all(line->fd, data, size) != 0)
        return -1;
    (void)XXH3_64bits_update(line->state, data, size);
    line->bytes += size;
    return 0;
}

int spill_end(spill *line, char separator)
{
    if (line->fd >= 0 && (write_all(line->fd, &separator, 1) != 0 ||
                          ftruncate(line->fd, (off_t)map_bytes(line)) != 0))
        return -1;
    line->hash = XXH3_64bits_digest(line->state);
    return 0;
}

uint64_t spill_bytes(const spill *line)
{
    return line->bytes;
}

uint64_t spill_hash(const spill *line)
{
    return line->hash;
}

ptrdiff_t spill_read(const spill *line, uint64_t offset, char *into,
                     size_t size)
{
    ssize_t got;
    do
        got = pread(line->fd, into, size, (off_t)offset);
    while (got < 0 && errno == EINTR);
    return got;
}

const char *spill_map(spill *line)
{
    if (line->map != NULL)
        return line->map;
    if (line->bytes >= SIZE_MAX - SPILL_SLACK) {
        errno = ENOMEM;
        return NULL;
    }
    line->map = temporary_map(line->fd, map_bytes(line));
    return line->map;
}
