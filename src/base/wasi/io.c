/*
 * io.c - the one file that the host shows, to be read only.
 *
 * A page hands its files over as bytes, so there are no folders and no names.
 * The host shows one file (host.h) while a set is opened or verified. Any
 * path opens it, it has descriptor 0, and everything that would change a file
 * fails with ENOSYS: sets are written by seenset_write. Opened again, the file
 * is read from its start.
 */
#include "base/io.h"

#include <errno.h>

#include "base/wasi/host.h"

enum {
    THE_FILE = 0
};

/* How far the file is read. One call at a time opens it, in one thread. */
static uint64_t position;

static int refuse(void)
{
    errno = ENOSYS;
    return -1;
}

static int host_open(void *context, const char *path, int flags, mode_t mode)
{
    (void)context;
    (void)path;
    (void)flags;
    (void)mode;
    position = 0;
    if (ss_host_file_bytes() >= 0)
        return THE_FILE;
    errno = ENOENT;
    return -1;
}

static int host_close(void *context, int fd)
{
    (void)context;
    (void)fd;
    return 0;
}

static ssize_t host_pread(void *context, int fd, void *bytes, size_t size_bytes,
                          uint64_t offset)
{
    (void)context;
    (void)fd;
    int32_t got = ss_host_read_file((double)offset, bytes, size_bytes);
    if (got < 0)
        errno = EIO;
    return got;
}

static ssize_t host_read(void *context, int fd, void *bytes, size_t size_bytes)
{
    ssize_t got = host_pread(context, fd, bytes, size_bytes, position);
    position += got > 0 ? (uint64_t)got : 0;
    return got;
}

static int host_status(void *context, int fd, struct stat *out)
{
    (void)context;
    (void)fd;
    *out = (struct stat){.st_mode = S_IFREG,
                         .st_size = (off_t)ss_host_file_bytes()};
    return 0;
}

/* ---- what a page cannot do ---- */

static ssize_t no_write(void *context, int fd, const void *bytes,
                        size_t size_bytes)
{
    (void)context;
    (void)fd;
    (void)bytes;
    (void)size_bytes;
    return refuse();
}

static ssize_t no_pwrite(void *context, int fd, const void *bytes,
                         size_t size_bytes, uint64_t offset)
{
    (void)offset;
    return no_write(context, fd, bytes, size_bytes);
}

static int no_sync(void *context, int fd)
{
    (void)context;
    (void)fd;
    return refuse();
}

static int no_rename(void *context, const char *from, const char *to)
{
    (void)context;
    (void)from;
    (void)to;
    return refuse();
}

static int no_unlink(void *context, const char *path)
{
    (void)context;
    (void)path;
    return refuse();
}

static int no_truncate(void *context, int fd, uint64_t size_bytes)
{
    (void)size_bytes;
    return no_sync(context, fd);
}

static int no_mkdir(void *context, const char *path, mode_t mode)
{
    (void)mode;
    return no_unlink(context, path);
}

static int no_list(void *context, const char *path, ss_io_visitor *visit,
                   void *visitor_context)
{
    (void)visit;
    (void)visitor_context;
    return no_unlink(context, path);
}

const ss_io ss_io_system = {.open = host_open,
                            .close = host_close,
                            .read = host_read,
                            .write = no_write,
                            .sync = no_sync,
                            .rename = no_rename,
                            .unlink = no_unlink,
                            .pread = host_pread,
                            .pwrite = no_pwrite,
                            .datasync = no_sync,
                            .truncate = no_truncate,
                            .status = host_status,
                            .lock = no_sync,
                            .mkdir = no_mkdir,
                            .list = no_list,
                            .clock = &ss_clock_system,
                            .context = NULL};

/* ---- files opened for one purpose each ---- */

int ss_io_open_to_read(const ss_io *io, const char *path)
{
    return ss_io_open(io, path, 0, 0);
}

/* A rename that cannot be has nothing to sync. */
bool ss_io_sync_folder(const ss_io *io, const char *folder)
{
    (void)io;
    (void)folder;
    return refuse() == 0;
}

/* There are no paths. */
int ss_io_is_name_of(const ss_io *io, const char *path, int fd)
{
    (void)io;
    (void)path;
    (void)fd;
    return refuse();
}
