/* moment.c - times of one boot in another */
#include "items/moment.h"

#include <string.h>

#include "base/order.h"

ss_moment ss_moment_now(const ss_clock *clock)
{
    ss_moment now = {.steady_ns = ss_clock_steady_ns(clock),
                     .wall_seconds = ss_clock_wall_seconds(clock)};
    (void)ss_clock_boot_id(clock, now.boot_id);
    return now;
}

/* If the steady clock went back it is another clock, even with the same boot
 * id: a container may have its own. */
bool ss_moment_is_same_clock(const ss_moment *then, const ss_moment *now)
{
    static const uint8_t unknown[SS_CLOCK_BOOT_BYTES];
    return memcmp(then->boot_id, unknown, sizeof unknown) != 0 &&
           memcmp(then->boot_id, now->boot_id, sizeof unknown) == 0 &&
           now->steady_ns >= then->steady_ns;
}

/* In whole seconds: over several readers they add up to the time passed. */
static uint64_t wall_ns_between(const ss_moment *then, const ss_moment *now)
{
    const uint64_t second_ns = UINT64_C(1000000000);
    if (now->wall_seconds <= then->wall_seconds)
        return 0;
    uint64_t seconds = now->wall_seconds - then->wall_seconds;
    return ss_lower(seconds, SS_LONGEST_NS / second_ns) * second_ns;
}

uint64_t ss_moment_carry(const ss_moment *then, const ss_moment *now,
                         uint64_t due_ns)
{
    uint64_t left = due_ns > then->steady_ns ? due_ns - then->steady_ns : 0;
    uint64_t passed = ss_moment_is_same_clock(then, now)
                          ? now->steady_ns - then->steady_ns
                          : wall_ns_between(then, now);
    left = ss_lower(left, SS_LONGEST_NS);
    return now->steady_ns + left - ss_lower(left, passed);
}

/* Steady clocks are far below this; no sum of three is too large. */
static int64_t bounded(uint64_t ns)
{
    return (int64_t)ss_lower(ns, INT64_MAX / 4);
}

int64_t ss_moment_shift(const ss_moment *then, const ss_moment *now)
{
    if (ss_moment_is_same_clock(then, now))
        return 0;
    return bounded(now->steady_ns) - bounded(then->steady_ns) -
           bounded(wall_ns_between(then, now));
}
