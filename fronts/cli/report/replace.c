/*
 * replace.c - see replace.h.
 */
#define _GNU_SOURCE /* mkostemp, fchmod, O_TMPFILE, linkat */
#include "report/replace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "report/complain.h"
#include "sets/setfile.h"
#include "sets/target.h"

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

/* Asked of the path: that of a pipe leads to a name that is not a file. */
static bool is_special(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && !S_ISREG(status.st_mode);
}

/* The folder part of a path: "." if it has none. To be freed; or NULL. */
static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (slash == NULL)
        return strdup(".");
    return strndup(path, slash == path ? 1 : (size_t)(slash - path));
}

/* A file in that folder that has no name yet, or -1 and errno. It gets its name
 * by way of /proc. */
static int open_unnamed(const char *target)
{
    if (access("/proc/self/fd", X_OK) != 0) {
        errno = EOPNOTSUPP;
        return -1;
    }
    char *folder = folder_of(target);
    if (folder == NULL)
        return -1;
    int fd = open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
    int error = errno;
    free(folder);
    errno = error;
    return fd;
}

/* For file systems that make no file without a name. */
static int open_named(replacement *out)
{
    int fd = mkostemp(out->temporary, O_CLOEXEC);
    out->is_named = fd >= 0;
    return fd;
}

/* The owner first, since a change of it may change the mode. */
static int dress(int fd, const char *target)
{
    struct stat old;
    if (stat(target, &old) == 0)
        (void)!fchown(fd, old.st_uid, old.st_gid);
    return fchmod(fd, mode_of(target));
}

static int open_beside(replacement *out)
{
    out->temporary = target_beside(out->target, ".XXXXXX");
    if (out->temporary == NULL)
        return -1;
    int fd = open_unnamed(out->target);
    if (fd < 0 && (errno == EOPNOTSUPP || errno == EISDIR))
        fd = open_named(out);
    if (fd < 0)
        return -1;
    out->file = dress(fd, out->target) == 0 ? fdopen(fd, "wb") : NULL;
    if (out->file != NULL)
        return 0;
    int error = errno;
    close(fd);
    if (out->is_named)
        unlink(out->temporary);
    errno = error;
    return -1;
}

/*
 * Gives the file a name beside the target: a link cannot replace a file, only a
 * rename can. The name is one that mkostemp finds free.
 */
static int give_name(replacement *from)
{
    enum {
        TRIES = 100
    };
    char open_file[64];
    snprintf(open_file, sizeof open_file, "/proc/self/fd/%d",
             fileno(from->file));
    for (int i = 0; i < TRIES; i++) {
        char *name = strdup(from->temporary);
        int fd = name != NULL ? mkostemp(name, O_CLOEXEC) : -1;
        if (fd < 0) {
            free(name);
            return -1;
        }
        close(fd);
        unlink(name);
        int error =
            linkat(AT_FDCWD, open_file, AT_FDCWD, name, AT_SYMLINK_FOLLOW);
        if (error == 0)
            memcpy(from->temporary, name, strlen(name));
        free(name);
        if (error == 0 || errno != EEXIST)
            return error;
    }
    return -1;
}

int replace_sync_folder(const char *path)
{
    char *folder = folder_of(path);
    int fd = folder != NULL ? open(folder, O_RDONLY | O_CLOEXEC) : -1;
    int error = fd >= 0 ? fsync(fd) : -1;
    if (error != 0 && (errno == EINVAL || errno == EROFS))
        error = 0; /* it has no disk */
    if (fd >= 0)
        close(fd);
    free(folder);
    return error;
}

static void free_names(replacement *from)
{
    int error = errno;
    free(from->temporary);
    free(from->target);
    *from = (replacement){0};
    errno = error;
}

int replace_begin(replacement *out, const char *path)
{
    *out = (replacement){.target = target_of(path)};
    int error = out->target != NULL ? 0 : -1;
    if (error == 0 && is_special(path)) {
        out->file = fopen(path, "wb");
        error = out->file != NULL ? 0 : -1;
    } else if (error == 0) {
        error = open_beside(out);
    }
    if (error != 0)
        free_names(out);
    return error;
}

/* The file is whole, and gets a name, if it has none. */
static int finish_file(replacement *from, bool is_done)
{
    int error = is_done && ferror(from->file) == 0 ? fflush(from->file) : -1;
    if (error == 0 && from->temporary != NULL && !from->is_named) {
        error = give_name(from);
        from->is_named = error == 0;
    }
    int reason = errno;
    if (fclose(from->file) != 0 && error == 0)
        return -1;
    errno = reason;
    return error;
}

int replace_end(replacement *from, bool is_done)
{
    int error = finish_file(from, is_done);
    if (error == 0 && from->temporary != NULL)
        error = rename(from->temporary, from->target);
    if (error != 0 && from->is_named) {
        int reason = errno;
        unlink(from->temporary);
        errno = reason;
    }
    if (error == 0 && from->temporary != NULL && from->is_durable)
        error = replace_sync_folder(from->target);
    free_names(from);
    return error;
}

int replace_file(const char *path, const char *option, const char *what,
                 replace_writer *write, void *context)
{
    replacement file;
    if (setfile_is_set(path)) {
        complain("%s: is a set file, and a %s does not replace it; give %s "
                 "another name",
                 path, what, option);
        return COMMAND_ERROR;
    }
    errno = 0;
    int error = replace_begin(&file, path);
    if (error == 0)
        error = replace_end(&file, write(context, file.file));
    if (error == 0)
        return 0;
    complain("%s: the %s cannot be written: %s", path, what,
             strerror(errno != 0 ? errno : ENOMEM));
    return COMMAND_ERROR;
}
