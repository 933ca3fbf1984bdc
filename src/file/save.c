/*
 * save.c - a set to disk, whole or not at all.
 *
 * write.c makes the bytes. Saving writes a temporary file beside the target
 * (temporary.h), syncs it, renames it over the target (target.h) and syncs the
 * folder, so that a crash leaves the old set or the new one.
 */
#define _XOPEN_SOURCE 700 /* fchmod */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>

#include "file/file.h"
#include "file/target.h"
#include "file/temporary.h"
#include "set/checks.h"
#include "set/set.h"

/* The bytes, then the mode, then all of it on the disk. */
static bool fill(const ss_io *io, int fd, const seenset *set,
                 const struct stat *old)
{
    if (ss_file_write(io, fd, set) != SEENSET_OK ||
        (old != NULL && fchmod(fd, old->st_mode & 07777) != 0))
        return false;
    int result;
    do {
        result = io->sync(io->context, fd);
    } while (result != 0 && errno == EINTR);
    return result == 0;
}

/*
 * A file that is replaced keeps its mode, and the new one has no wider mode
 * for a moment: who opened it then could read all that is written later. It is
 * closed after the rename, for its lock keeps others from taking it for left
 * over; all that a close could report, the sync has reported.
 */
static bool replace(const ss_io *io, const seenset *set, const char *target,
                    const struct stat *old)
{
    ss_temporary made;
    if (!ss_temporary_open(io, &made, target, old != NULL ? 0600 : 0666))
        return false;
    if (!fill(io, made.fd, set, old)) {
        ss_temporary_drop(io, &made);
        return false;
    }
    return ss_temporary_rename(io, &made, target) &&
           ss_io_sync_folder_of(io, target);
}

/* A device, a pipe or a folder is never replaced. */
static bool save(const ss_io *io, const seenset *set, const char *path)
{
    char target[PATH_MAX]; /* the file itself where path is a symbolic link */
    struct stat old;
    bool is_old = stat(path, &old) == 0;
    if (!is_old && errno != ENOENT)
        return false;
    if (is_old && !S_ISREG(old.st_mode)) {
        errno = S_ISDIR(old.st_mode) ? EISDIR : EINVAL;
        return false;
    }
    return ss_target_find(target, path) &&
           replace(io, set, target, is_old ? &old : NULL);
}

int ss_file_save(const ss_io *io, const seenset *set, const char *path)
{
    if (set == NULL || path == NULL)
        return SEENSET_EINVAL;
    int error = ss_checks_all(set);
    if (error != SEENSET_OK)
        return error;
    return save(io, set, path) ? SEENSET_OK : SEENSET_EIO;
}

int seenset_save(const seenset *set, const char *path)
{
    return ss_file_save(&ss_io_system, set, path);
}
