/* clock.c - see stream/clock.h: the library's own clock for Windows. */
#include "stream/clock.h"

#include "base/clock.h"

double clock_steady_seconds(void)
{
    return (double)ss_clock_steady_ns(&ss_clock_system) * 1e-9;
}

double clock_wall_seconds(void)
{
    return (double)ss_clock_wall_seconds(&ss_clock_system);
}
