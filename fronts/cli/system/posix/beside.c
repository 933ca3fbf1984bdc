/* beside.c - see system/beside.h: O_TMPFILE, or a file with a name where the
 * file system makes none without. */
#define _GNU_SOURCE /* mkostemp, fchmod, O_TMPFILE, linkat */
#include "system/beside.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "system/path.h"

/* The mode of the old file, or that of any new one. */
static mode_t mode_of(const char *target)
{
    struct stat status;
    if (stat(target, &status) == 0)
        return status.st_mode & 0777;
    mode_t mask = umask(0);
    (void)umask(mask);
    return 0666 & ~mask;
}

/* The owner first, since a change of it may change the mode. */
static int dress(int fd, const char *target)
{
    struct stat old;
    if (stat(target, &old) == 0)
        (void)!fchown(fd, old.st_uid, old.st_gid);
    return fchmod(fd, mode_of(target));
}

/* A file in that folder that has no name yet, or -1 and errno. It gets its name
 * by way of /proc. */
static int open_unnamed(const char *target)
{
    if (access("/proc/self/fd", X_OK) != 0) {
        errno = EOPNOTSUPP;
        return -1;
    }
    char *folder = path_folder(target);
    if (folder == NULL)
        return -1;
    int fd = open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
    int error = errno;
    free(folder);
    errno = error;
    return fd;
}

int beside_open(const char *target, char *name, bool *is_named)
{
    int fd = open_unnamed(target);
    *is_named = false;
    if (fd < 0 && (errno == EOPNOTSUPP || errno == EISDIR)) {
        fd = mkostemp(name, O_CLOEXEC);
        *is_named = fd >= 0;
    }
    if (fd < 0 || dress(fd, target) == 0)
        return fd;
    int error = errno;
    close(fd);
    if (*is_named)
        unlink(name);
    errno = error;
    return -1;
}

bool beside_replaces_open(void)
{
    return true;
}

/*
 * Gives the file a name beside the target: a link cannot replace a file, only a
 * rename can. The name is one that mkostemp finds free.
 */
int beside_keep(int fd, char *name)
{
    enum {
        TRIES = 100
    };
    char open_file[64];
    snprintf(open_file, sizeof open_file, "/proc/self/fd/%d", fd);
    for (int i = 0; i < TRIES; i++) {
        char *free_name = strdup(name);
        int held = free_name != NULL ? mkostemp(free_name, O_CLOEXEC) : -1;
        if (held < 0) {
            free(free_name);
            return -1;
        }
        close(held);
        unlink(free_name);
        int error =
            linkat(AT_FDCWD, open_file, AT_FDCWD, free_name, AT_SYMLINK_FOLLOW);
        if (error == 0)
            memcpy(name, free_name, strlen(free_name));
        free(free_name);
        if (error == 0 || errno != EEXIST)
            return error;
    }
    return -1;
}
