/*
 * save.c - a set, or bytes of any kind, to disk: whole or not at all.
 *
 * write.c makes the bytes of a set. Saving writes a temporary file beside the
 * target (temporary.h), syncs it, renames it over the target (target.h) and
 * syncs the folder, so that a crash leaves the old set or the new one.
 */
#include <errno.h>

#include "base/path.h"
#include "file/file.h"
#include "file/journal/journal.h"
#include "file/target.h"
#include "file/temporary.h"
#include "set/set.h"
#include "set/view/whole.h"

/* What a file is to have: a set, or bytes. */
typedef struct content {
    const seenset *set; /* NULL: */
    const void *bytes;
    size_t size_bytes;
} content;

static bool write_content(const ss_io *io, int fd, const content *of)
{
    if (of->set != NULL)
        return ss_file_write(io, fd, of->set) == SEENSET_OK;
    return ss_io_pwrite_all(io, fd, of->bytes, of->size_bytes, 0);
}

/* The bytes, then the mode, then all of it on the disk. */
static bool fill(const ss_io *io, int fd, const content *of,
                 const ss_path_found *old)
{
    if (!write_content(io, fd, of) ||
        (old->kind == SS_PATH_FILE && !ss_path_set_mode(fd, old->mode)))
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
static bool replace(const ss_io *io, const content *of, const char *target,
                    const ss_path_found *old)
{
    ss_temporary made;
    bool is_old = old->kind == SS_PATH_FILE;
    if (!ss_temporary_open(io, &made, target, is_old ? 0600 : 0666))
        return false;
    if (!fill(io, made.fd, of, old)) {
        ss_temporary_drop(io, &made);
        return false;
    }
    return ss_temporary_rename(io, &made, target) &&
           ss_io_sync_folder_of(io, target);
}

/* A device, a pipe or a folder is never replaced. */
static bool save(const ss_io *io, const content *of, const char *path)
{
    char
        target[SS_PATH_MAX]; /* the file itself where path is a symbolic link */
    ss_path_found old;
    if (!ss_path_look(path, &old))
        return false;
    if (old.kind == SS_PATH_FOLDER || old.kind == SS_PATH_OTHER) {
        errno = old.kind == SS_PATH_FOLDER ? EISDIR : EINVAL;
        return false;
    }
    if (!ss_target_find(target, path))
        return false;
    ss_journal_owner replaced = ss_journal_replaced(io, target);
    if (!replace(io, of, target, &old))
        return false;
    ss_journal_sweep(io, target, &replaced);
    return true;
}

int ss_file_save(const ss_io *io, const seenset *set, const char *path)
{
    if (set == NULL || path == NULL)
        return SEENSET_EINVAL;
    ss_whole whole;
    int error = ss_whole_begin(&whole, set);
    if (error != SEENSET_OK)
        return error;
    const content of = {.set = whole.set};
    error = save(io, &of, path) ? SEENSET_OK : SEENSET_EIO;
    ss_whole_end(&whole);
    return error;
}

int ss_file_save_bytes(const ss_io *io, const void *bytes, size_t size_bytes,
                       const char *path)
{
    const content of = {.bytes = bytes, .size_bytes = size_bytes};
    return save(io, &of, path) ? SEENSET_OK : SEENSET_EIO;
}

int seenset_save(const seenset *set, const char *path)
{
    return ss_file_save(&ss_io_system, set, path);
}
