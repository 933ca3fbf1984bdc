/*
 * asked.h - somebody asks a command how far it is: SIGUSR1, where there are
 * signals.
 */
#ifndef SYSTEM_ASKED_H
#define SYSTEM_ASKED_H

#include <pthread.h>
#include <stdbool.h>

/* Keeps the question for the thread that waits for it. Call before any other
 * thread is started. */
void asked_block(void);

/* Waits for the question, or so many seconds. Returns whether it came. */
bool asked_wait(double seconds);

/* Ends the wait of that thread as if it were asked. */
void asked_wake(pthread_t waiting);

#endif
