/*
 * set_options.c - see set_options.h.
 */
#define _GNU_SOURCE /* nanosleep */
#include "sets/set_options.h"

#include <math.h>
#include <time.h>

#include "stream/clock.h"
#include "text/units.h"

#define FIRST_PAUSE_SECONDS 0.001
#define LONGEST_PAUSE_SECONDS 0.05
#define MOST_SECONDS 1e9

static struct {
    bool without_journal;
    double wait_seconds;
} chosen;

static double read_seconds(arguments *state, const char *text)
{
    double seconds = 0;
    if (text == NULL)
        return INFINITY;
    if (units_read_time(text, &seconds) != NULL || !(seconds <= MOST_SECONDS))
        arguments_refuse(state,
                         "--wait takes seconds, 0 to 1e9, or a time such as "
                         "90s, 15m (minutes), 24h, 7d or 2w, not '%s'",
                         text);
    return seconds;
}

int set_options_parse(int key, const char *text, arguments *state)
{
    switch (key) {
    case OPTION_WITHOUT_JOURNAL:
        chosen.without_journal = true;
        return 0;
    case OPTION_WAIT:
        chosen.wait_seconds = read_seconds(state, text);
        return 0;
    default:
        return ARGUMENTS_UNKNOWN;
    }
}

bool set_options_without_journal(void)
{
    return chosen.without_journal;
}

double set_options_wait_seconds(void)
{
    return chosen.wait_seconds;
}

set_wait set_wait_begin(void)
{
    return (set_wait){.until = clock_steady_seconds() + chosen.wait_seconds,
                      .pause_seconds = FIRST_PAUSE_SECONDS};
}

bool set_wait_pause(set_wait *wait)
{
    double left = wait->until - clock_steady_seconds();
    if (!(left > 0))
        return false;
    double pause = wait->pause_seconds < left ? wait->pause_seconds : left;
    struct timespec time = {.tv_nsec = (long)(pause * 1e9)};
    (void)nanosleep(&time, NULL);
    wait->pause_seconds *= 1.5;
    if (wait->pause_seconds > LONGEST_PAUSE_SECONDS)
        wait->pause_seconds = LONGEST_PAUSE_SECONDS;
    return true;
}
