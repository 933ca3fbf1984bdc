/*
 * replace.c - see replace.h.
 */
#define _GNU_SOURCE /* mkostemp, fchmod */
#include "report/replace.h"

#include <errno.h>
#include <fcntl.h>
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

static int open_beside(replacement *out)
{
    out->temporary = target_beside(out->target, ".XXXXXX");
    if (out->temporary == NULL)
        return -1;
    int fd = mkostemp(out->temporary, O_CLOEXEC);
    if (fd < 0)
        return -1;
    out->file = fchmod(fd, mode_of(out->target)) == 0 ? fdopen(fd, "wb") : NULL;
    if (out->file != NULL)
        return 0;
    int error = errno;
    close(fd);
    unlink(out->temporary);
    errno = error;
    return -1;
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

int replace_end(replacement *from, bool is_done)
{
    int error = is_done && ferror(from->file) == 0 ? 0 : -1;
    if (fclose(from->file) != 0)
        error = -1;
    if (from->temporary != NULL && error == 0)
        error = rename(from->temporary, from->target);
    if (from->temporary != NULL && error != 0) {
        int reason = errno;
        unlink(from->temporary);
        errno = reason;
    }
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
