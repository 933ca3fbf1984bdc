/* disk.c - durable bytes, and a file for one at a time, by Linux */
#define _GNU_SOURCE /* flock, O_PATH */
#include "base/posix/disk.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

int ss_disk_sync(int fd)
{
    return fsync(fd);
}

int ss_disk_sync_bytes(int fd)
{
    return fdatasync(fd);
}

int ss_disk_lock(int fd)
{
    return flock(fd, LOCK_EX | LOCK_NB);
}

/* It takes no right to the file, only to the folders before it. */
int ss_disk_ask_flags(void)
{
    return O_PATH;
}
