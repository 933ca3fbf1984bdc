/*
 * lock.h - one writer at a time for a set file.
 *
 * A save renames a new file over the old one. So a lock on the set file itself
 * would be a lock on a file that is about to disappear. The lock is on a file
 * of its own beside it, FILE.lock (target.h: what it is called where FILE's
 * name is too long for that). It exists only while a command writes; after a
 * writer was killed it stays, unlocked, and does no harm. Readers need no lock.
 */
#ifndef LOCK_H
#define LOCK_H

typedef struct lock {
    int fd; /* -1: nothing is locked */
    char *path;
} lock;

#define LOCK_FREE ((lock){.fd = -1})

/*
 * Locks the set file at `path`, which need not exist. All names of one file
 * share its lock. If another process has the lock, waits as long as --wait
 * allows (set_options.h). Returns 0, or COMMAND_ERROR after a message.
 */
int lock_take(lock *held, const char *path);
void lock_release(lock *held);

#endif
