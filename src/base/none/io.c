/*
 * io.c - there are no files: a program that is compiled with SEENSET_NO_FILES
 * has its sets in memory, and as bytes that it reads and writes itself.
 *
 * No file can be opened, so the table of functions is empty and none of them is
 * ever called.
 */
#include "base/io.h"

#include <errno.h>

const ss_io ss_io_system = {.clock = &ss_clock_system};

static int refuse(void)
{
    errno = ENOSYS;
    return -1;
}

int ss_io_open_to_read(const ss_io *io, const char *path)
{
    (void)io;
    (void)path;
    return refuse();
}

bool ss_io_measure(const ss_io *io, int fd, bool *is_file, uint64_t *size_bytes)
{
    (void)io;
    (void)fd;
    (void)is_file;
    (void)size_bytes;
    return refuse() == 0;
}

void ss_io_close_quietly(const ss_io *io, int fd)
{
    (void)io;
    (void)fd;
}

ssize_t ss_io_read_all(const ss_io *io, int fd, void *bytes, size_t size_bytes)
{
    (void)io;
    (void)fd;
    (void)bytes;
    (void)size_bytes;
    return refuse();
}

ssize_t ss_io_pread_all(const ss_io *io, int fd, void *bytes, size_t size_bytes,
                        uint64_t offset)
{
    (void)offset;
    return ss_io_read_all(io, fd, bytes, size_bytes);
}

bool ss_io_pwrite_all(const ss_io *io, int fd, const void *bytes,
                      size_t size_bytes, uint64_t offset)
{
    (void)io;
    (void)fd;
    (void)bytes;
    (void)size_bytes;
    (void)offset;
    return refuse() == 0;
}
