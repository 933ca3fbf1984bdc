/*
 * session.c - opening and closing the queue in turns.
 */
#include "queue/access/session.h"

#include <stddef.h>

#include "queue/access/wait.h"
#include "stream/clock.h"

#define TURN_SECONDS 1.0
#define LONGEST_GRACE_SECONDS 1.0

static int note_opening(queue_session *session, int status)
{
    session->opened_at = clock_steady_seconds();
    session->was_open |= status == 0;
    return status;
}

int queue_session_open(queue_session *session)
{
    if (session->queue != NULL)
        return 0;
    return note_opening(session, queue_open(&session->queue, &session->access,
                                            &session->opening_seconds));
}

int queue_session_open_until(queue_session *session, double until)
{
    double left = until - clock_steady_seconds();
    if (session->queue != NULL)
        return 0;
    return note_opening(session,
                        queue_open_within(&session->queue, &session->access,
                                          left > 0 ? left : 0,
                                          &session->opening_seconds));
}

int queue_session_close(queue_session *session, int status)
{
    if (session->queue == NULL)
        return status;
    double start = clock_steady_seconds();
    seenset_queue *queue = session->queue;
    session->queue = NULL;
    status = queue_close(queue, session->access.dir, status);
    session->closing_seconds = clock_steady_seconds() - start;
    return status;
}

double queue_session_cost_seconds(const queue_session *session)
{
    return session->opening_seconds + session->closing_seconds;
}

int queue_session_grace_milliseconds(const queue_session *session)
{
    double seconds = queue_session_cost_seconds(session);
    if (!(seconds < LONGEST_GRACE_SECONDS))
        seconds = LONGEST_GRACE_SECONDS;
    return (int)(seconds * 1e3) + 1;
}

static bool is_turn_over(const queue_session *session)
{
    double turn = 4 * queue_session_cost_seconds(session);
    if (turn < TURN_SECONDS)
        turn = TURN_SECONDS;
    return clock_steady_seconds() - session->opened_at >= turn &&
           queue_is_awaited(session->access.dir);
}

int queue_session_rest(queue_session *session, const queue_lines *lines)
{
    if (session->queue == NULL ||
        (queue_lines_await(lines, queue_session_grace_milliseconds(session)) &&
         !is_turn_over(session)))
        return 0;
    return queue_session_close(session, 0);
}

int queue_session_pass(queue_session *session)
{
    if (session->queue == NULL || !is_turn_over(session))
        return 0;
    return queue_session_close(session, 0);
}
