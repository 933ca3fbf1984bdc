/*
 * wait.h - commands that want one queue wait for each other.
 *
 * A queue is open in one process at a time. A command that finds it in use
 * tries again, with pauses that grow from 1 ms to 50 ms, until it is free or
 * the time is over.
 *
 * Trying alone would not be fair: a loop of quick commands would nearly always
 * be first. So commands form a line: the first of it has a lock (flock) on the
 * queue's folder itself, and all others wait for that lock before they try. On
 * a file system without locks on folders there is no line, and the first to try
 * gets the queue.
 */
#ifndef QUEUE_ACCESS_WAIT_H
#define QUEUE_ACCESS_WAIT_H

#include <math.h>
#include <stdbool.h>

#define QUEUE_WAIT_DEFAULT_SECONDS 30.0
#define QUEUE_WAIT_FOR_EVER INFINITY

/* Tries once. Returns SEENSET_EINUSE if the queue is in use. */
typedef int queue_attempt(void *context);

/*
 * Calls attempt(context) until it returns anything but SEENSET_EINUSE, for
 * `seconds` at most, 0 for once only. Returns what it returned last.
 */
int queue_wait(const char *dir, double seconds, queue_attempt *attempt,
               void *context);

/*
 * Does a command wait for the queue in `dir`? Also true if that cannot be
 * found out.
 */
bool queue_is_awaited(const char *dir);

/* Reports that it was in use all the time. Returns COMMAND_ERROR. */
int queue_complain_in_use(const char *dir, double seconds);

#endif
