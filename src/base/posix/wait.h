/*
 * wait.h - waiting for a change, and for so long at most, by a clock that
 * cannot be set. For libseenset-queue, whose threads are POSIX's.
 */
#ifndef SS_BASE_POSIX_WAIT_H
#define SS_BASE_POSIX_WAIT_H

#include <pthread.h>
#include <stdint.h>

/* Makes a condition that ss_wait_for takes. 0, or the number of an error. */
int ss_wait_init(pthread_cond_t *changed);

/* Waits until `changed` is signalled or `ns` are over; sometimes it is neither,
 * so the caller looks. */
void ss_wait_for(pthread_cond_t *changed, pthread_mutex_t *mutex, uint64_t ns);

#endif
