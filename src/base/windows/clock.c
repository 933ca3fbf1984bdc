/* clock.c - Windows' clocks; the idea is in clock.h */
#include "base/clock.h"

#include "base/windows/handle.h"

static const uint64_t second_ns = UINT64_C(1000000000);

/* Its clock counts tenths of a microsecond from 1601 on. */
static uint64_t system_wall_seconds(void *context)
{
    static const uint64_t ticks = 10000000, from_1601 = UINT64_C(11644473600);
    FILETIME now;
    (void)context;
    GetSystemTimeAsFileTime(&now);
    uint64_t seconds =
        ((uint64_t)now.dwHighDateTime << 32 | now.dwLowDateTime) / ticks;
    return seconds > from_1601 ? seconds - from_1601 : 0;
}

/* The counter goes on while the machine sleeps. */
static uint64_t system_steady_ns(void *context)
{
    LARGE_INTEGER now, ticks;
    (void)context;
    QueryPerformanceFrequency(&ticks);
    QueryPerformanceCounter(&now);
    uint64_t count = (uint64_t)now.QuadPart, second = (uint64_t)ticks.QuadPart;
    return count / second * second_ns + count % second * second_ns / second;
}

/* Windows gives its boots no numbers that a program could ask for. */
static bool no_boot_id(void *context, uint8_t id[SS_CLOCK_BOOT_BYTES])
{
    (void)context;
    (void)id;
    return false;
}

const ss_clock ss_clock_system = {.wall_seconds = system_wall_seconds,
                                  .steady_ns = system_steady_ns,
                                  .boot_id = no_boot_id,
                                  .context = NULL};

struct timespec ss_clock_deadline(uint64_t ns)
{
    uint64_t at = system_steady_ns(NULL) + ns;
    return (struct timespec){.tv_sec = (time_t)(at / second_ns),
                             .tv_nsec = (int32_t)(at % second_ns)};
}
