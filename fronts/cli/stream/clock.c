/* clock.c - see clock.h. */
#define _GNU_SOURCE /* CLOCK_BOOTTIME */
#include "stream/clock.h"

#include <time.h>

double clock_steady_seconds(void)
{
    struct timespec now = {0};
#ifdef CLOCK_BOOTTIME
    if (clock_gettime(CLOCK_BOOTTIME, &now) != 0)
#endif
        (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

double clock_wall_seconds(void)
{
    struct timespec now = {0};
    (void)clock_gettime(CLOCK_REALTIME, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}
