/* io.c - the system's table, and the loops around short and broken calls */
#define _POSIX_C_SOURCE 200809L
#include "io.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int system_open(void *context, const char *path, int flags, mode_t mode)
{
    (void)context;
    return open(path, flags | O_CLOEXEC, mode);
}

static int system_close(void *context, int fd)
{
    (void)context;
    return close(fd);
}

static ssize_t system_read(void *context, int fd, void *bytes,
                           size_t size_bytes)
{
    (void)context;
    return read(fd, bytes, size_bytes);
}

static ssize_t system_write(void *context, int fd, const void *bytes,
                            size_t size_bytes)
{
    (void)context;
    return write(fd, bytes, size_bytes);
}

static int system_sync(void *context, int fd)
{
    (void)context;
    return fsync(fd);
}

static int system_rename(void *context, const char *from, const char *to)
{
    (void)context;
    return rename(from, to);
}

static int system_unlink(void *context, const char *path)
{
    (void)context;
    return unlink(path);
}

const ss_io ss_io_system = {.open = system_open,
                            .close = system_close,
                            .read = system_read,
                            .write = system_write,
                            .sync = system_sync,
                            .rename = system_rename,
                            .unlink = system_unlink,
                            .context = NULL};

int ss_io_open(const ss_io *io, const char *path, int flags, mode_t mode)
{
    int fd;
    do {
        fd = io->open(io->context, path, flags, mode);
    } while (fd < 0 && errno == EINTR);
    return fd;
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

/* The folder part of a path that fits PATH_MAX: "." without a slash. */
static bool folder_of(char folder[PATH_MAX], const char *path)
{
    const char *slash = strrchr(path, '/');
    size_t length = slash == NULL ? 0 : (size_t)(slash - path);
    if (length >= PATH_MAX) {
        errno = ENAMETOOLONG;
        return false;
    }
    memcpy(folder, path, length);
    folder[length] = '\0';
    if (slash == NULL)
        strcpy(folder, ".");
    else if (length == 0)
        strcpy(folder, "/");
    return true;
}

bool ss_io_sync_folder_of(const ss_io *io, const char *path)
{
    char folder[PATH_MAX];
    if (!folder_of(folder, path))
        return false;
    int fd = ss_io_open(io, folder, O_RDONLY | O_DIRECTORY, 0);
    if (fd < 0)
        return false;
    /* EINVAL: a file system that has nothing to sync in a folder */
    bool synced = io->sync(io->context, fd) == 0 || errno == EINVAL;
    ss_io_close_quietly(io, fd);
    return synced;
}
