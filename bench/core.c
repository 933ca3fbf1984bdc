/*
 * core.c - the time, the core that is measured on, and the end of it all.
 */
#define _GNU_SOURCE /* sched_setaffinity */
#include "bench.h"

#include <sched.h>
#include <stdlib.h>
#include <time.h>

double now_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static cpu_set_t *allowed_cores(void)
{
    static cpu_set_t at_start; /* as the program was started */
    if (CPU_COUNT(&at_start) == 0)
        (void)sched_getaffinity(0, sizeof at_start, &at_start);
    return &at_start;
}

double now_cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* The last core: the first has the interrupts. */
int pin(void)
{
    const cpu_set_t *allowed = allowed_cores();
    size_t core = CPU_SETSIZE - 1;
    while (core > 0 && !CPU_ISSET(core, allowed))
        core--;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(core, &one);
    require(sched_setaffinity(0, sizeof one, &one) == 0, "cannot pin a core");
    return (int)core;
}

void unpin(void)
{
    (void)sched_setaffinity(0, sizeof(cpu_set_t), allowed_cores());
}

void require(bool is_right, const char *what)
{
    if (is_right)
        return;
    fprintf(stderr, "bench: %s\n", what);
    exit(1);
}
