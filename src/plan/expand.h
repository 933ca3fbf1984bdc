/*
 * expand.h - which widths of slots keep a rate while a table grows in place.
 *
 * expand/expand.h has the table, and the formula for one width. Here a table
 * is followed from one generation to the next, whatever its widths are.
 */
#ifndef SS_PLAN_EXPAND_H
#define SS_PLAN_EXPAND_H

#include <stdint.h>

#include "expand/state.h"

/*
 * The widths for ss_expand_options of a table that keeps no copies and takes
 * the keys that a first table of first_items has no room for. Its rate is
 * fp_rate at most, 0 < fp_rate < 1, at any number of keys up to
 * ss_plan_expand_items(fp_rate). load as in ss_expand_options, not 0.
 *
 * 0, or SEENSET_ERATE: not even one key's hash keeps it (below 2^-63).
 * Cost: a few milliseconds at most.
 */
int ss_plan_expand(double fp_rate, uint64_t first_items, uint32_t load,
                   uint8_t widths[SS_EXPAND_DEPTHS]);

/* With so many keys half of the rate is that of equal hashes, n / 2^64; and
 * 2^53 at most. */
uint64_t ss_plan_expand_items(double fp_rate);

/* What is expected of a table with so many keys, made with these widths, this
 * load and no first_items. */
typedef struct ss_plan_expand_state {
    double rate;        /* ss_expand_rate */
    double slots;       /* as many as keys, but for voids: they are copied */
    double room;        /* ss_expand_room: slots with which it grows */
    double bytes;       /* ss_expand_bytes; not with a caller's allocator */
    double wrong_items; /* new keys that it took for seen so far */
} ss_plan_expand_state;

/* items > 0: keys that it answered "new". Cost: 0.1 ms. */
void ss_plan_expand_at(const uint8_t widths[SS_EXPAND_DEPTHS], uint32_t load,
                       double items, ss_plan_expand_state *out);

#endif
