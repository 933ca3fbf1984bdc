/* io.c - the loops around short and interrupted calls; the table is in io.h */
#include "base/io.h"

#include <errno.h>
#include <string.h>

#include "base/path.h"

int ss_io_open(const ss_io *io, const char *path, int flags, mode_t mode)
{
    int fd;
    do {
        fd = io->open(io->context, path, flags, mode);
    } while (fd < 0 && errno == EINTR);
    return fd;
}

int ss_io_lock(const ss_io *io, int fd)
{
    int result;
    do {
        result = io->lock(io->context, fd);
    } while (result != 0 && errno == EINTR);
    return result;
}

void ss_io_close_quietly(const ss_io *io, int fd)
{
    int saved_errno = errno;
    (void)io->close(io->context, fd);
    errno = saved_errno;
}

void ss_io_unlink_quietly(const ss_io *io, const char *path)
{
    int saved_errno = errno;
    (void)io->unlink(io->context, path);
    errno = saved_errno;
}

bool ss_io_write_all(const ss_io *io, int fd, const void *bytes,
                     size_t size_bytes)
{
    const char *next = bytes;
    while (size_bytes > 0) {
        ssize_t written = io->write(io->context, fd, next, size_bytes);
        if (written < 0 && errno == EINTR)
            continue;
        if (written == 0)
            errno = EIO;
        if (written <= 0)
            return false;
        next += written;
        size_bytes -= (size_t)written;
    }
    return true;
}

ssize_t ss_io_read_all(const ss_io *io, int fd, void *bytes, size_t size_bytes)
{
    char *next = bytes;
    while (size_bytes > 0) {
        ssize_t got = io->read(io->context, fd, next, size_bytes);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return -1;
        if (got == 0)
            break;
        next += got;
        size_bytes -= (size_t)got;
    }
    return next - (char *)bytes;
}

bool ss_io_pwrite_all(const ss_io *io, int fd, const void *bytes,
                      size_t size_bytes, uint64_t offset)
{
    const char *next = bytes;
    while (size_bytes > 0) {
        ssize_t written = io->pwrite(io->context, fd, next, size_bytes, offset);
        if (written < 0 && errno == EINTR)
            continue;
        if (written == 0)
            errno = EIO;
        if (written <= 0)
            return false;
        next += written;
        offset += (uint64_t)written;
        size_bytes -= (size_t)written;
    }
    return true;
}

ssize_t ss_io_pread_all(const ss_io *io, int fd, void *bytes, size_t size_bytes,
                        uint64_t offset)
{
    char *next = bytes;
    while (size_bytes > 0) {
        ssize_t got = io->pread(io->context, fd, next, size_bytes, offset);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return -1;
        if (got == 0)
            break;
        next += got;
        offset += (uint64_t)got;
        size_bytes -= (size_t)got;
    }
    return next - (char *)bytes;
}

bool ss_io_measure(const ss_io *io, int fd, bool *is_file, uint64_t *size_bytes)
{
    struct stat status;
    if (io->status(io->context, fd, &status) != 0)
        return false;
    *is_file = S_ISREG(status.st_mode);
    *size_bytes = (uint64_t)status.st_size;
    return true;
}
