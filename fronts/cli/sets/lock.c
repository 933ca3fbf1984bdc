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
#include "sets/set_options.h"
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

/* The same; where another process has it, as long as --wait allows. */
static int wait_locked(const char *path)
{
    set_wait wait = set_wait_begin();
    int fd;
    do
        fd = open_locked(path);
    while (fd < 0 && errno == EWOULDBLOCK && set_wait_pause(&wait));
    return fd;
}

static void complain_of_lock(const char *path, const char *lock_path)
{
    double seconds = set_options_wait_seconds();
    if (errno != EWOULDBLOCK)
        complain("%s: cannot make the lock file %s: %s", path, lock_path,
                 strerror(errno));
    else if (seconds > 0)
        complain("%s: in use by another seenset; waited %g s", path, seconds);
    else
        complain("%s: in use by another seenset; try again when it is done, or "
                 "let --wait wait for it",
                 path);
}

/* A device is not a set, and nothing is made beside one: /dev is not ours. */
static bool is_device(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 &&
           (S_ISCHR(status.st_mode) || S_ISBLK(status.st_mode));
}

int lock_take(lock *held, const char *path)
{
    *held = LOCK_FREE;
    if (is_device(path)) {
        complain("%s: not a file; is it the right name?", path);
        return COMMAND_ERROR;
    }
    held->path = lock_path(path);
    if (held->path == NULL) {
        complain("%s: cannot be locked: %s", path, strerror(errno));
        return COMMAND_ERROR;
    }
    held->fd = wait_locked(held->path);
    if (held->fd >= 0)
        return 0;
    complain_of_lock(path, held->path);
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
