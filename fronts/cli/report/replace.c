/*
 * replace.c - see replace.h.
 */
#define _GNU_SOURCE /* fdopen, O_CLOEXEC */
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
#include "system/beside.h"
#include "system/path.h"

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
    int fd = beside_open(out->target, out->temporary, &out->is_named);
    if (fd < 0)
        return -1;
    out->file = fdopen(fd, "wb");
    if (out->file != NULL)
        return 0;
    int error = errno;
    close(fd);
    if (out->is_named)
        unlink(out->temporary);
    errno = error;
    return -1;
}

int replace_sync_folder(const char *path)
{
    char *folder = path_folder(path);
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
        error = beside_keep(fileno(from->file), from->temporary);
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
                 replace_writer *writer, void *context)
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
        error = replace_end(&file, writer(context, file.file));
    if (error == 0)
        return 0;
    complain("%s: the %s cannot be written: %s", path, what,
             strerror(errno != 0 ? errno : ENOMEM));
    return COMMAND_ERROR;
}
