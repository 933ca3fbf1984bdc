/*
 * lock.c - see lock.h.
 *
 * The lock file is removed by whoever holds the lock, so between our open and
 * our flock it may have been unlinked, and the lock we got be on a file that
 * no newcomer can see. Hence the check that the path still leads to the file
 * that was locked, and another try if not.
 */
#define _GNU_SOURCE /* flock, pathconf, strdup */
#include "sets/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "file/target.h"
#include "report/complain.h"

static const char suffix[] = ".lock";

/* Of the file system that the target's folder is on. */
static size_t longest_name(const char *target)
{
    char folder[PATH_MAX];
    size_t length = (size_t)(ss_target_base(target) - target);
    memcpy(folder, target, length);
    strcpy(folder + length, ".");
    long most = pathconf(folder, _PC_NAME_MAX);
    return most > 0 ? (size_t)most : NAME_MAX;
}

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

/* FILE.lock or, where FILE has the longest name that can be, a shorter one. */
static char *lock_path(const char *path)
{
    char target[PATH_MAX];
    char out[PATH_MAX + sizeof suffix];
    if (!ss_target_find(target, path))
        return NULL;
    (void)snprintf(out, sizeof out, "%s%s", target, suffix);
    if (strlen(ss_target_base(out)) > longest_name(target))
        ss_target_beside(out, target, suffix);
    return strdup(out);
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
