/*
 * disk.c - durable bytes, and a file for one at a time, by POSIX and BSD.
 *
 * POSIX's own locks belong to a process: two handles in one would both have the
 * file, and closing any other descriptor of it would give the lock back. So
 * this takes flock, which is not in POSIX, but which Linux, macOS and the BSDs
 * have. On a system without it every lock is refused, since a file that two
 * handles write is lost.
 */
#if defined(__APPLE__)
#define _DARWIN_C_SOURCE /* F_FULLFSYNC, flock */
#elif defined(__NetBSD__)
#define _NETBSD_SOURCE /* flock */
#elif !defined(__FreeBSD__) && !defined(__OpenBSD__) && !defined(__DragonFly__)
#define _POSIX_C_SOURCE 200809L /* which would hide flock from a BSD */
#endif
#include "base/posix/disk.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

/* macOS's fsync leaves the bytes in the disk's own memory. Not every file
 * system there knows the call that does not. */
int ss_disk_sync(int fd)
{
#ifdef F_FULLFSYNC
    if (fcntl(fd, F_FULLFSYNC) == 0)
        return 0;
    if (errno != ENOTSUP && errno != EINVAL && errno != ENOTTY)
        return -1;
#endif
    return fsync(fd);
}

int ss_disk_sync_bytes(int fd)
{
#if defined(_POSIX_SYNCHRONIZED_IO) && _POSIX_SYNCHRONIZED_IO > 0
    return fdatasync(fd);
#else
    return ss_disk_sync(fd);
#endif
}

int ss_disk_lock(int fd)
{
#ifdef LOCK_EX
    return flock(fd, LOCK_EX | LOCK_NB);
#else
    (void)fd;
    errno = ENOTSUP;
    return -1;
#endif
}

/* It takes the right to read the file. */
int ss_disk_ask_flags(void)
{
    return O_RDONLY;
}
