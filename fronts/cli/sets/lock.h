/*
 * lock.h - one writer at a time for a set file.
 *
 * A set is saved by renaming a new file over the old one, so a lock on the
 * set file itself would be a lock on a file that is about to vanish. The lock
 * is therefore on a file of its own beside it, FILE.lock, which exists only
 * while somebody writes (or after a writer was killed: then it is left over,
 * harmless and free to be taken). Where FILE's name is so long that FILE.lock
 * cannot be one, it is a name that follows from FILE's (src/file/target.h,
 * which is also how a save finds its file). Readers need no lock.
 */
#ifndef LOCK_H
#define LOCK_H

typedef struct lock {
    int fd; /* -1: nothing is locked */
    char *path;
} lock;

#define LOCK_FREE ((lock){.fd = -1})

/*
 * Locks the set file at `path`, which need not exist. Symbolic links are
 * followed, so that two names of one file share one lock, also while it is not
 * there yet. Returns 0, or
 * COMMAND_ERROR after saying what is wrong, at once if another holds it.
 */
int lock_take(lock *held, const char *path);
void lock_release(lock *held);

#endif
