/*
 * lock.h - a lock for work of microseconds, in a word that is 0 at first.
 *
 * A thread that finds it taken tries again for about as long as such work
 * takes; then it gives up the processor between tries, since the thread that
 * has the lock may be waiting for one.
 */
#ifndef SS_BASE_LOCK_H
#define SS_BASE_LOCK_H

#include <stdint.h>

/* Waits until the lock is free, and takes it. The caller has not got it. */
void ss_lock_take(uint32_t *lock);

/* Gives it back: the next thread to take it sees what this one wrote. */
void ss_lock_give(uint32_t *lock);

#endif
