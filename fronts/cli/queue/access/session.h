/*
 * session.h - a queue that a command with slow input has open in turns.
 *
 * While the command waits for input, others may have the queue; it is opened
 * again when there is something to do. Opening reads the set, which takes a
 * while if it is large. Two rules bound that cost, whatever the input does:
 *
 *   - Without input, the queue stays open for as long as opening and closing it
 *     took last time, a second at most. So at most half of the time is spent on
 *     opening.
 *   - With input that never makes the command wait, the queue is closed only
 *     for others that wait for it, and only after a turn of a second, or of
 *     four times what opening and closing took if that is longer.
 */
#ifndef QUEUE_ACCESS_SESSION_H
#define QUEUE_ACCESS_SESSION_H

#include <stdbool.h>

#include "queue/access/access.h"
#include "queue/text/lines.h"

typedef struct queue_session {
    queue_access access;
    seenset_queue *queue; /* NULL: not open now */
    bool was_open;
    double opened_at, opening_seconds, closing_seconds;
} queue_session;

/* Opens the queue unless it is open. Returns 0, or COMMAND_ERROR after a
 * message. */
int queue_session_open(queue_session *session);

/* The same, but waits for others until that time of clock_steady_seconds, and
 * returns COMMAND_NOTHING without a message if they had it all that time. */
int queue_session_open_until(queue_session *session, double until);

/* Closes it if it is open. Returns status, or COMMAND_ERROR after a message. */
int queue_session_close(queue_session *session, int status);

/*
 * Call it before each read: closes the queue if reading `lines` would wait, or
 * if its turn is over and others want it. Returns 0, or COMMAND_ERROR after a
 * message.
 */
int queue_session_rest(queue_session *session, const queue_lines *lines);

/* For output: how long to wait for its reader before the queue is closed. And
 * closes it if its turn is over and others want it: 0, or COMMAND_ERROR after a
 * message. */
int queue_session_grace_milliseconds(const queue_session *session);
int queue_session_pass(queue_session *session);

/* How long opening and closing took the last time. */
double queue_session_cost_seconds(const queue_session *session);

#endif
