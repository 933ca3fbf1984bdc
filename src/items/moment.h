/*
 * moment.h - how much of a lease is left in another process, or after a boot.
 *
 * Times when leases and delays are due are times of the steady clock, which
 * begins again with each boot. So a state in a file has the moment at which it
 * was written: the boot, and the time by both clocks. A reader
 *
 *   in the same boot   uses the times as they are.
 *   in another boot    takes the time that was left when it was written,
 *                      subtracts the time since then by the wall clock, and
 *                      counts from its own now.
 *
 * The wall clock counts whole seconds and may be wrong. It can only make the
 * time that is left shorter, down to nothing. So an item is never withheld for
 * longer than was left when the state was written. If the clock is ahead, the
 * item is handed out early, which "at least once" allows.
 */
#ifndef SS_ITEMS_MOMENT_H
#define SS_ITEMS_MOMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"

/* No lease or delay is longer: 1e9 seconds. */
#define SS_LONGEST_NS UINT64_C(1000000000000000000)

typedef struct ss_moment {
    uint8_t boot_id[SS_CLOCK_BOOT_BYTES]; /* all zero: not known */
    uint64_t steady_ns;
    uint64_t wall_seconds;
} ss_moment;

ss_moment ss_moment_now(const ss_clock *clock);

/* Are both of one boot, so that their steady clocks can be compared? */
bool ss_moment_is_same_clock(const ss_moment *then, const ss_moment *now);

/* A time of the steady clock of `then`, as a time of that of `now`. Never later
 * than SS_LONGEST_NS from now. */
uint64_t ss_moment_carry(const ss_moment *then, const ss_moment *now,
                         uint64_t due_ns);

/* What is to be added to times of the steady clock of `then`, so that they are
 * of that of `now`: as ss_moment_carry, but a time that is over stays so, and
 * all times keep their order. */
int64_t ss_moment_shift(const ss_moment *then, const ss_moment *now);

#endif
