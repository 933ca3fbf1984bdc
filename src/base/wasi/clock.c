/* clock.c - the host's clocks; the idea is in clock.h */
#include "base/clock.h"

#include "base/wasi/host.h"

static uint64_t host_wall_seconds(void *context)
{
    double ms = ss_host_wall_ms();
    (void)context;
    return ms > 0 ? (uint64_t)(ms / 1000) : 0;
}

static uint64_t host_steady_ns(void *context)
{
    double ms = ss_host_steady_ms();
    (void)context;
    return ms > 0 ? (uint64_t)(ms * 1e6) : 0;
}

static bool no_boot_id(void *context, uint8_t id[SS_CLOCK_BOOT_BYTES])
{
    (void)context;
    (void)id;
    return false;
}

const ss_clock ss_clock_system = {.wall_seconds = host_wall_seconds,
                                  .steady_ns = host_steady_ns,
                                  .boot_id = no_boot_id,
                                  .context = NULL};
