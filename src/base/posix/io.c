/* io.c - the system's table, and how files are opened with it */
#define _POSIX_C_SOURCE 200809L
#include "base/io.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/posix/disk.h"

enum {
    NOT_ELSEWHERE = O_NOFOLLOW | O_NONBLOCK /* no link; no wait for a pipe */
};

/* What a link is refused with by O_NOFOLLOW: in POSIX ELOOP, in FreeBSD EMLINK,
 * in NetBSD EFTYPE. */
static int link_error(int error)
{
#ifdef EFTYPE
    if (error == EFTYPE)
        return ELOOP;
#endif
    return error == EMLINK ? ELOOP : error;
}

static int system_open(void *context, const char *path, int flags, mode_t mode)
{
    (void)context;
    int fd = open(path, flags | O_CLOEXEC, mode);
    if (fd < 0 && (flags & O_NOFOLLOW) != 0)
        errno = link_error(errno);
    return fd;
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
    return ss_disk_sync(fd);
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
    return ss_disk_sync_bytes(fd);
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
    return ss_disk_lock(fd);
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

/* ---- files opened for one purpose each ---- */

int ss_io_open_to_read(const ss_io *io, const char *path)
{
    return ss_io_open(io, path, O_RDONLY | O_NONBLOCK, 0);
}

int ss_io_open_here(const ss_io *io, const char *path)
{
    return ss_io_open(io, path, O_RDWR | NOT_ELSEWHERE, 0);
}

int ss_io_open_new(const ss_io *io, const char *path, mode_t mode)
{
    return ss_io_open(io, path, O_RDWR | O_CREAT | O_EXCL | NOT_ELSEWHERE,
                      mode);
}

int ss_io_is_name_of(const ss_io *io, const char *path, int fd)
{
    struct stat mine, there;
    int again = ss_io_open(io, path, ss_disk_ask_flags() | NOT_ELSEWHERE, 0);
    if (again < 0)
        return errno == ENOENT || errno == ELOOP ? 0 : -1;
    int result = -1;
    if (io->status(io->context, fd, &mine) == 0 &&
        io->status(io->context, again, &there) == 0)
        result = S_ISREG(mine.st_mode) && mine.st_dev == there.st_dev &&
                 mine.st_ino == there.st_ino;
    ss_io_close_quietly(io, again);
    return result;
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
