/* faulty_io.c - see faulty_io.h */
#define _POSIX_C_SOURCE 200809L
#include "faulty_io.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "file/file.h"

/* Counts a call; true if it is to fail. */
static bool fails_counted(test_io *io, const char *name)
{
    io->calls++;
    memmove(io->trail, io->trail + 1, sizeof io->trail - 2);
    io->trail[sizeof io->trail - 2] = name[0];
    if (io->calls < io->fail_at || io->calls > io->fail_to)
        return false;
    if (io->fault == TEST_KILL)
        (void)raise(SIGKILL);
    io->failed = name;
    errno = io->error;
    return true;
}

static bool fails(test_io *io, const char *name)
{
    return io->from == 0 && fails_counted(io, name);
}

static bool fails_at(test_io *io, const char *name, uint64_t offset)
{
    return offset >= io->from && fails_counted(io, name);
}

static int test_open(void *context, const char *path, int flags, mode_t mode)
{
    test_io *io = context;
    if (fails(io, "open"))
        return -1;
    int fd = ss_io_system.open(NULL, path, flags, mode);
    io->open_files += fd >= 0;
    return fd;
}

/* Like Linux: a close that fails has closed the file all the same. */
static int test_close(void *context, int fd)
{
    test_io *io = context;
    bool is_failure = fails(io, "close");
    int error = errno;
    int result = ss_io_system.close(NULL, fd);
    assert_int_equal(result, 0);
    io->open_files--;
    errno = error;
    return is_failure ? -1 : 0;
}

static ssize_t test_read(void *context, int fd, void *bytes, size_t size_bytes)
{
    test_io *io = context;
    if (fails(io, "read"))
        return -1;
    if (io->fault == TEST_SHORT && size_bytes > 1)
        size_bytes = 1;
    return ss_io_system.read(NULL, fd, bytes, size_bytes);
}

/* Is the next call the one that kills? Then half of a write is done. */
static bool is_last(const test_io *io)
{
    return io->fault == TEST_KILL && io->calls + 1 == io->fail_at;
}

static ssize_t test_write(void *context, int fd, const void *bytes,
                          size_t size_bytes)
{
    test_io *io = context;
    if (is_last(io))
        (void)ss_io_system.write(NULL, fd, bytes, size_bytes / 2);
    if (fails(io, "write"))
        return -1;
    if (io->fault == TEST_SHORT && size_bytes > 1)
        size_bytes = 1;
    return ss_io_system.write(NULL, fd, bytes, size_bytes);
}

static ssize_t test_pread(void *context, int fd, void *bytes, size_t size_bytes,
                          uint64_t offset)
{
    test_io *io = context;
    if (fails_at(io, "read", offset))
        return -1;
    if (io->fault == TEST_SHORT && size_bytes > 1)
        size_bytes = 1;
    return ss_io_system.pread(NULL, fd, bytes, size_bytes, offset);
}

static ssize_t test_pwrite(void *context, int fd, const void *bytes,
                           size_t size_bytes, uint64_t offset)
{
    test_io *io = context;
    if (is_last(io))
        (void)ss_io_system.pwrite(NULL, fd, bytes, size_bytes / 2, offset);
    if (fails_at(io, "write", offset))
        return -1;
    if (io->fault == TEST_SHORT && size_bytes > 1)
        size_bytes = 1;
    return ss_io_system.pwrite(NULL, fd, bytes, size_bytes, offset);
}

static int test_sync(void *context, int fd)
{
    if (fails(context, "sync"))
        return -1;
    return ss_io_system.sync(NULL, fd);
}

static int test_datasync(void *context, int fd)
{
    if (fails(context, "datasync"))
        return -1;
    return ss_io_system.datasync(NULL, fd);
}

static int test_truncate(void *context, int fd, uint64_t size_bytes)
{
    if (fails(context, "truncate"))
        return -1;
    return ss_io_system.truncate(NULL, fd, size_bytes);
}

static int test_rename(void *context, const char *from, const char *to)
{
    if (fails(context, "rename"))
        return -1;
    return ss_io_system.rename(NULL, from, to);
}

static int test_unlink(void *context, const char *path)
{
    if (fails(context, "unlink"))
        return -1;
    return ss_io_system.unlink(NULL, path);
}

static int test_status(void *context, int fd, struct stat *out)
{
    if (fails(context, "status"))
        return -1;
    return ss_io_system.status(NULL, fd, out);
}

void test_io_init(test_io *io)
{
    *io = (test_io){.io = ss_io_system, .error = EIO};
    io->io.open = test_open;
    io->io.close = test_close;
    io->io.read = test_read;
    io->io.write = test_write;
    io->io.pread = test_pread;
    io->io.pwrite = test_pwrite;
    io->io.sync = test_sync;
    io->io.datasync = test_datasync;
    io->io.truncate = test_truncate;
    io->io.rename = test_rename;
    io->io.unlink = test_unlink;
    io->io.status = test_status;
    io->io.context = io;
}

int test_load(const ss_io *io, const seenset_allocator *allocator,
              bool is_shared, seenset **out, const char *path)
{
    const seenset_open_options options = {
        .flags = SEENSET_OPEN_COPY | (is_shared ? SEENSET_FLAG_SHARED : 0),
        .allocator = allocator};
    return ss_file_load_with(io, &options, out, path);
}
