/*
 * extent.c - see extent.h.
 */
#define _GNU_SOURCE /* memrchr, pread */
#include "stream/extent.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Are there so many bytes from `start` on? */
static bool has_bytes(int fd, uint64_t start, size_t bytes)
{
    struct stat file;
    return fstat(fd, &file) == 0 && S_ISREG(file.st_mode) &&
           (uint64_t)file.st_size >= bytes &&
           (uint64_t)file.st_size - bytes >= start;
}

bool extent_cut(extent *out, int fd, uint64_t start, size_t most_bytes,
                char separator)
{
    char window[EXTENT_WINDOW_BYTES];
    uint64_t at = start + most_bytes - EXTENT_WINDOW_BYTES;
    if (!has_bytes(fd, start, most_bytes) ||
        pread(fd, window, EXTENT_WINDOW_BYTES, (off_t)at) !=
            (ssize_t)EXTENT_WINDOW_BYTES)
        return false;
    const char *last = memrchr(window, separator, EXTENT_WINDOW_BYTES);
    if (last == NULL)
        return false;
    size_t tail = (size_t)(last - window) + 1;
    *out = (extent){.fd = fd,
                    .separator = separator,
                    .offset = start,
                    .bytes = most_bytes - EXTENT_WINDOW_BYTES + tail};
    return true;
}

ptrdiff_t extent_read(const extent *from, char *data)
{
    size_t done = 0;
    while (done < from->bytes) {
        ssize_t got = pread(from->fd, data + done, from->bytes - done,
                            (off_t)(from->offset + done));
        if (got < 0 && errno != EINTR)
            return -1;
        if (got == 0)
            break;
        done += got > 0 ? (size_t)got : 0;
    }
    return (ptrdiff_t)done;
}
