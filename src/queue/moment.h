/*
 * queue_moment.h - what is left of a lease, in another process or boot.
 *
 * When leases and delays are due is kept on the steady clock, which begins
 * again with each boot. So a state that is written down has the moment in it:
 * which boot it is, and what both clocks say. A reader
 *
 *   of the same boot   goes on: what was due then is due then.
 *   of another boot    takes what was left when it was written, takes off the
 *                      time that passed since by the wall clock, and counts
 *                      from its own now.
 *
 * The wall clock counts whole seconds and may be wrong. All that it can do is
 * to make what is left less, down to nothing: an item is withheld for as long
 * at most as was left when it was written down, and a clock that is ahead
 * hands it out early at worst, which "at least once" allows.
 */
#ifndef SS_QUEUE_MOMENT_H
#define SS_QUEUE_MOMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"

/* No lease and no delay is longer: 1e9 seconds. */
#define SS_LONGEST_NS UINT64_C(1000000000000000000)

typedef struct ss_moment {
    uint8_t boot_id[SS_CLOCK_BOOT_BYTES]; /* all zero: not known */
    uint64_t steady_ns;
    uint64_t wall_seconds;
} ss_moment;

ss_moment ss_moment_now(const ss_clock *clock);

/* Are both on one run of the steady clock? */
bool ss_moment_is_same_clock(const ss_moment *then, const ss_moment *now);

/* What was due at due_ns by the clock of `then` is due when by that of `now`?
 * Never later than SS_LONGEST_NS from now. */
uint64_t ss_moment_carry(const ss_moment *then, const ss_moment *now,
                         uint64_t due_ns);

#endif
