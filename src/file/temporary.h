/*
 * temporary.h - the file that a save writes before it takes the old one's
 * place.
 *
 * A save that is killed leaves its temporary file. So that the next save can
 * remove it, and never the one of a save that is still at work:
 *
 *   - the temporary file of a target has one of 16 names, which follow from
 *     the target's, so that nobody has to search the folder for them;
 *   - its writer holds an exclusive lock (flock) on it until it has its last
 *     name or is gone, and the system drops the lock when a process dies;
 *   - a file that has such a name, and on which a lock can be had, is left
 *     over. Only the one who holds that lock may remove it.
 *
 *     open, new   lock        write       rename over the target    close
 *     ----|--------|------------|--------------------|----------------|--->
 *         '- locked by another: it takes us for left over; next name
 *                  '- nobody removes it from here on -'
 *
 * Between two steps the name may come to lead elsewhere, so after each lock it
 * is looked at again: does it still lead to the file that was locked? Where
 * all names are held by others, or the file system has no locks, the name is
 * drawn at random, 64 bits; such a file is never removed by others.
 *
 * What is not a file, or cannot be opened (another user's, a link that
 * somebody planted), is passed by and left alone. A new file is made by
 * O_EXCL: it is never one that somebody else has made or opened.
 */
#ifndef SS_FILE_TEMPORARY_H
#define SS_FILE_TEMPORARY_H

#include "base/io.h"
#include "base/path.h"

typedef struct ss_temporary {
    int fd;
    char path[SS_PATH_MAX];
} ss_temporary;

/*
 * Makes one for a target that ss_target_find found, and removes what earlier
 * saves of it left. False and errno: it cannot be made.
 * Cost: 16 openings of names that are mostly not there.
 */
bool ss_temporary_open(const ss_io *io, ss_temporary *out, const char *target,
                       mode_t mode);

/* Renames it over the target and closes it, or, false and errno, removes it. */
bool ss_temporary_rename(const ss_io *io, ss_temporary *made,
                         const char *target);

/* Removes and closes it; errno stays as it was. */
void ss_temporary_drop(const ss_io *io, ss_temporary *made);

#endif
