/* io.c - the system's table, and the loops around short and broken calls */
#define _DEFAULT_SOURCE /* flock */
#include "base/io.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
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

static ssize_t system_pread(void *context, int fd, void *bytes,
                            size_t size_bytes, uint64_t offset)
{
    (void)context;
    return pread(fd, bytes, size_bytes, (off_t)offset);
}

static ssize_t system_pwrite(void *context, int fd, const void *bytes,
                             size_t size_bytes, uint64_t offset)
{
    (void)context;
    return pwrite(fd, bytes, size_bytes, (off_t)offset);
}

static int system_datasync(void *context, int fd)
{
    (void)context;
    return fdatasync(fd);
}

static int system_truncate(void *context, int fd, uint64_t size_bytes)
{
    (void)context;
    return ftruncate(fd, (off_t)size_bytes);
}

static int system_status(void *context, int fd, struct stat *out)
{
    (void)context;
    return fstat(fd, out);
}

static int system_lock(void *context, int fd)
{
    (void)context;
    return flock(fd, LOCK_EX | LOCK_NB);
}

static int system_mkdir(void *context, const char *path, mode_t mode)
{
    (void)context;
    return mkdir(path, mode);
}

static int visit_all(DIR *folder, ss_io_visitor *visit, void *visitor_context)
{
    for (;;) {
        errno = 0;
        const struct dirent *entry = readdir(folder);
        if (entry == NULL)
            return errno == 0 ? 0 : -1;
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        if (visit(visitor_context, entry->d_name) != 0)
            return -1;
    }
}

static int system_list(void *context, const char *path, ss_io_visitor *visit,
                       void *visitor_context)
{
    (void)context;
    DIR *folder = opendir(path);
    if (folder == NULL)
        return -1;
    int result = visit_all(folder, visit, visitor_context);
    int saved_errno = errno;
    closedir(folder);
    errno = saved_errno;
    return result;
}

const ss_io ss_io_system = {.open = system_open,
                            .close = system_close,
                            .read = system_read,
                            .write = system_write,
                            .sync = system_sync,
                            .rename = system_rename,
                            .unlink = system_unlink,
                            .pread = system_pread,
                            .pwrite = system_pwrite,
                            .datasync = system_datasync,
                            .truncate = system_truncate,
                            .status = system_status,
                            .lock = system_lock,
                            .mkdir = system_mkdir,
                            .list = system_list,
                            .clock = &ss_clock_system,
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

bool ss_io_sync_folder(const ss_io *io, const char *folder)
{
    int fd = ss_io_open(io, folder, O_RDONLY | O_DIRECTORY, 0);
    if (fd < 0)
        return false;
    /* EINVAL: a file system that has nothing to sync in a folder */
    bool synced = io->sync(io->context, fd) == 0 || errno == EINVAL;
    ss_io_close_quietly(io, fd);
    return synced;
}

bool ss_io_sync_folder_of(const ss_io *io, const char *path)
{
    char folder[PATH_MAX];
    return folder_of(folder, path) && ss_io_sync_folder(io, folder);
}
