/* clock.c - the system's clocks; the idea is in clock.h */
#define _POSIX_C_SOURCE 200809L
#include "base/clock.h"

#include "base/posix/boot.h"

static const uint64_t second_ns = UINT64_C(1000000000);

static uint64_t system_wall_seconds(void *context)
{
    struct timespec now = {0};
    (void)context;
    (void)clock_gettime(CLOCK_REALTIME, &now);
    return now.tv_sec > 0 ? (uint64_t)now.tv_sec : 0;
}

static uint64_t system_steady_ns(void *context)
{
    struct timespec now = {0};
    (void)context;
    ss_boot_time(&now);
    return (uint64_t)now.tv_sec * second_ns + (uint64_t)now.tv_nsec;
}

static bool system_boot_id(void *context, uint8_t id[SS_CLOCK_BOOT_BYTES])
{
    (void)context;
    return ss_boot_id(id);
}

const ss_clock ss_clock_system = {.wall_seconds = system_wall_seconds,
                                  .steady_ns = system_steady_ns,
                                  .boot_id = system_boot_id,
                                  .context = NULL};

struct timespec ss_clock_deadline(uint64_t ns)
{
    struct timespec at = {0};
    (void)clock_gettime(SS_CLOCK_OF_WAITS, &at);
    ns += (uint64_t)at.tv_nsec;
    at.tv_sec += (time_t)(ns / second_ns);
    at.tv_nsec = (long)(ns % second_ns);
    return at;
}
