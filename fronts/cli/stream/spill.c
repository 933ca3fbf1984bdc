/*
 * spill.c - see spill.h.
 */
#define _GNU_SOURCE /* O_TMPFILE, mkostemp, pread, mmap */
#include "stream/spill.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

struct spill {
    int fd; /* -1: only the hash is wanted */
    uint64_t bytes, hash;
    XXH3_state_t *state; /* until the line is whole */
    char *map;           /* or NULL */
};

const char *spill_folder(void)
{
    static const char *const folders[] = {"/var/tmp", "/tmp"};
    const char *wished = getenv("TMPDIR");
    if (wished != NULL && wished[0] != '\0')
        return wished;
    return access(folders[0], W_OK | X_OK) == 0 ? folders[0] : folders[1];
}

/* For file systems that make no file without a name. */
static int open_named(const char *folder)
{
    char path[PATH_MAX];
    int length = snprintf(path, sizeof path, "%s/seenset-XXXXXX", folder);
    if (length < 0 || (size_t)length >= sizeof path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    int fd = mkostemp(path, O_CLOEXEC);
    if (fd >= 0)
        (void)unlink(path);
    return fd;
}

static int open_unnamed(void)
{
    const char *folder = spill_folder();
    int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR))
        return fd;
    return open_named(folder);
}

spill *spill_new(bool wants_bytes)
{
    spill *line = malloc(sizeof *line);
    if (line == NULL)
        return NULL;
    *line = (spill){.fd = -1, .state = XXH3_createState()};
    if (line->state != NULL && wants_bytes)
        line->fd = open_unnamed();
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
        (void)munmap(line->map, map_bytes(line));
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
    void *map = mmap(NULL, map_bytes(line), PROT_READ, MAP_SHARED, line->fd, 0);
    if (map == MAP_FAILED)
        return NULL;
    (void)madvise(map, map_bytes(line), MADV_SEQUENTIAL);
    line->map = map;
    return line->map;
}
