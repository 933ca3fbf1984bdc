/*
 * rate_watch.h - when a set reports too many new keys as seen.
 *
 * A set that was made for too many keys keeps no rate that is of use, whatever
 * its capacity is. So a command that adds keys warns once when the rate is over
 * ten times what was promised, or over 10 %. That costs a look at a few MiB of
 * the set; so it is done only where it can be, which is past the capacity or if
 * more than 10 % was promised, and then when there are a quarter more keys than
 * at the last look.
 */
#ifndef RATE_WATCH_H
#define RATE_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "seenset/seenset.h"

typedef struct rate_watch {
    double next_keys; /* the next look is at so many */
    bool is_told;
} rate_watch;

/* Is it time for a look? keys: those that were offered to the set. */
bool rate_watch_is_due(rate_watch *watch, const seenset_info *set, double keys);

/* Warns, if the rate is too high and that was not told. `name` is the set's,
 * `unit` what is added: "line". */
void rate_watch_tell(rate_watch *watch, const char *name, const char *unit,
                     const seenset_estimate *set);

/* Is a rate so high? */
bool rate_watch_is_high(const seenset_estimate *set);

#endif
