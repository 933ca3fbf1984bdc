/*
 * lock.c - see lock.h.
 *
 * The holder of the lock removes the lock file. So between our open and our
 * flock the file may have been removed, and we would hold a lock on a file that
 * nobody else can find. After locking we therefore check that the path still
 * leads to the locked file, and try again if not.
 */
#define _GNU_SOURCE /* flock */
#include "sets/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "report/complain.h"
#include "sets/target.h"

static bool is_still_there(int fd, const char *path)
{
    struct stat mine;
    struct stat there;
    return fstat(fd, &mine) == 0 && lstat(path, &there) == 0 &&
           mine.st_dev == there.st_dev && mine.st_ino == there.st_ino;
}

/* Opens and locks. Returns a descriptor, or -1 and errno. */
static int open_locked(const char *path)
{
    for (;;) {
        int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
        if (fd < 0)
            return -1;
        if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
            int error = errno;
            close(fd);
            errno = error;
            return -1;
        }
        if (is_still_there(fd, path))
            return fd;
        close(fd);
    }
}

static char *lock_path(const char *path)
{
    char *target = target_of(path);
    char *out = target == NULL ? NULL : target_beside(target, ".lock");
    int error = errno;
    free(target);
    errno = error;
    return out;
}

int lock_take(lock *held, const char *path)
{
    held->fd = -1;
    held->path = lock_path(path);
    if (held->path == NULL) {
        complain("%s: cannot be locked: %s", path, strerror(errno));
        return COMMAND_ERROR;
    }
    held->fd = open_locked(held->path);
    if (held->fd >= 0)
        return 0;
    if (errno == EWOULDBLOCK)
        complain("%s: in use by another seenset; try again when it is done",
                 path);
    else
        complain("%s: cannot make the lock file %s: %s", path, held->path,
                 strerror(errno));
    lock_release(held);
    return COMMAND_ERROR;
}

void lock_release(lock *held)
{
    if (held->fd >= 0) {
        unlink(held->path);
        close(held->fd);
    }
    free(held->path);
    *held = LOCK_FREE;
}
