/*
 * other_clock.c - for LD_PRELOAD: a program whose clock on the wall is
 * OTHER_CLOCK_MS milliseconds fast, or slow if that is negative. Its other
 * clocks are those of the system.
 *
 * libfaketime does that, and cannot begin under the allocator of Redis, which
 * asks for the time before the library is ready.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum {
    MS_PER_S = 1000,
    NS_PER_MS = 1000 * 1000
};

/* As the system starts the program with it. */
static long long apart_ms(void)
{
    const char *text = getenv("OTHER_CLOCK_MS");
    return text == NULL ? 0 : strtoll(text, NULL, 10);
}

int clock_gettime(clockid_t clock, struct timespec *out)
{
    int failed = (int)syscall(SYS_clock_gettime, clock, out);
    if (failed == 0 && clock == CLOCK_REALTIME) {
        long long ms = out->tv_sec * (long long)MS_PER_S +
                       out->tv_nsec / NS_PER_MS + apart_ms();
        out->tv_sec = (time_t)(ms / MS_PER_S);
        out->tv_nsec = (long)(ms % MS_PER_S) * NS_PER_MS;
    }
    return failed;
}

int gettimeofday(struct timeval *restrict out, void *restrict zone)
{
    struct timespec now;
    (void)zone;
    int failed = clock_gettime(CLOCK_REALTIME, &now);
    out->tv_sec = now.tv_sec;
    out->tv_usec = now.tv_nsec / 1000;
    return failed;
}

time_t time(time_t *out)
{
    struct timespec now = {0};
    (void)clock_gettime(CLOCK_REALTIME, &now);
    if (out != NULL)
        *out = now.tv_sec;
    return now.tv_sec;
}
