/*
 * pace.c - how many keys of a batch at a time.
 */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include "native/pace.h"

#include <time.h>

/* Long beside a change of threads, which takes some microseconds. */
#define TURN_NS INT64_C(1000000)
#define QUICK_NS (TURN_NS / 4)

int64_t sp_pace_now(void)
{
    struct timespec now = {0};
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

void sp_pace_begin(struct sp_pace *pace, int64_t now_ns)
{
    if (pace->piece == 0)
        pace->piece = 1;
    pace->last_ns = now_ns;
    pace->end_ns = now_ns + TURN_NS;
}

/* The rest of a chunk, which is less than a piece, says nothing about more. */
bool sp_pace_goes_on(struct sp_pace *pace, size_t count, int64_t now_ns)
{
    int64_t took_ns = now_ns - pace->last_ns;
    pace->last_ns = now_ns;
    if (took_ns < QUICK_NS && count == pace->piece) {
        pace->piece *= 2;
    } else if (took_ns > TURN_NS) {
        size_t times = (size_t)(took_ns / QUICK_NS);
        pace->piece = count > times ? count / times : 1;
    }
    return now_ns < pace->end_ns;
}
