/*
 * clock.h - what time it is: the only place that asks the operating system.
 *
 * Three questions, each with a promise of its own:
 *
 *   wall_seconds  Seconds since 1970. The only clock that means the same after
 *                 a restart of the machine and on another one; windows by age
 *                 use it. It may be wrong by years, and may be set back.
 *   steady_ns     Nanoseconds since the machine was started. It never goes
 *                 back and nobody sets it, but it begins again with each boot;
 *                 leases and delays use it. It goes on while the machine is
 *                 suspended (CLOCK_BOOTTIME, not CLOCK_MONOTONIC): a lease of a
 *                 minute on a laptop that slept for an hour has ended.
 *   boot_id       Which boot the steady clock belongs to. A number read from it
 *                 means nothing in another boot.
 *
 * A set and an ss_io each hold a clock, so that a test can give them one that
 * it sets: forward, back, a year ahead, or through a reboot.
 */
#ifndef SS_BASE_CLOCK_H
#define SS_BASE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "base/export.h"

enum {
    SS_CLOCK_BOOT_BYTES = 16
};

typedef struct ss_clock {
    uint64_t (*wall_seconds)(void *context);
    uint64_t (*steady_ns)(void *context);
    /* False, and id is untouched: the system has no such number. */
    bool (*boot_id)(void *context, uint8_t id[SS_CLOCK_BOOT_BYTES]);
    void *context; /* handed to each */
} ss_clock;

/* The operating system's own. */
extern const ss_clock ss_clock_system;

static inline uint64_t ss_clock_wall_seconds(const ss_clock *clock)
{
    return clock->wall_seconds(clock->context);
}

static inline uint64_t ss_clock_steady_ns(const ss_clock *clock)
{
    return clock->steady_ns(clock->context);
}

static inline bool ss_clock_boot_id(const ss_clock *clock,
                                    uint8_t id[SS_CLOCK_BOOT_BYTES])
{
    return clock->boot_id(clock->context, id);
}

/*
 * The moment `ns` from now on SS_CLOCK_OF_WAITS, to be given to a timed wait.
 * Waits are real: a test's clock does not shorten them.
 */
#define SS_CLOCK_OF_WAITS CLOCK_MONOTONIC
SS_EXPORT struct timespec ss_clock_deadline(uint64_t ns);

#endif
