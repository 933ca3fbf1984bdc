/*
 * read_pause.c - see read_pause.h.
 */
#include "stream/read_pause.h"

#include <math.h>

#include "stream/clock.h"
#include "stream/stop.h"
#include "system/await.h"

void read_pause_restart(read_pause *when)
{
    when->saved_lines = when->line_count;
    when->saved_seconds = clock_steady_seconds();
}

/* Seconds until a save is due, or 0. */
static double left_seconds(const read_pause *when)
{
    uint64_t unsaved = when->line_count - when->saved_lines;
    if (unsaved == 0)
        return INFINITY;
    if (when->every_lines != 0 && unsaved >= when->every_lines)
        return 0;
    if (when->every_seconds == 0)
        return INFINITY;
    double passed = clock_steady_seconds() - when->saved_seconds;
    double left = (double)when->every_seconds - passed;
    return left > 0 ? left : 0;
}

/* For a wait: milliseconds, rounded up; -1: no limit. */
static int as_timeout(double seconds)
{
    enum {
        MOST_SECONDS = 86400 /* then it is computed again */
    };
    if (!(seconds < INFINITY))
        return -1;
    return (int)(fmin(seconds, MOST_SECONDS) * 1e3) + 1;
}

int read_pause_wait(void *context, int fd)
{
    const read_pause *when = context;
    for (;;) {
        double left = left_seconds(when);
        if (!(left > 0) || stop_signal() != 0)
            return 1;
        if (fd < 0)
            return 0;
        await_end end = await_input(fd, as_timeout(left));
        if (end != AWAIT_TIME)
            return end == AWAIT_STOP;
    }
}
