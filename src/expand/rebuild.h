/*
 * rebuild.h - a segment's slots in more pages, in narrower slots, in two.
 *
 * The units of a segment are in order and stay so. So a segment that grows by
 * a page changes no slot and no unit's length: only where the row of slots is
 * cut into lines. One that parts cuts each unit in two by its slots' first
 * bits, and the row is in order again. New pages are written from the first on
 * while old ones are read, and a page that was read goes back to the pool: a
 * rebuild takes few pages more than it leaves behind.
 *
 * All memory is taken before the first slot moves, so a rebuild fails whole.
 */
#ifndef SS_EXPAND_REBUILD_H
#define SS_EXPAND_REBUILD_H

#include "expand/state.h"

enum {
    SS_SPARE_PAGES = 5 /* that a rebuild may need before it gives one back */
};

/* Fills in the steps of tables whose segments have 2^u units. */
void ss_rebuild_steps(ss_step steps[SS_PAGES_MAX + 1], uint32_t u);

/* The slots with which a segment is full. */
uint32_t ss_rebuild_limit(uint32_t load, uint32_t homes, uint32_t width);

/* The most bits of a segment's prefix in a table of so many. With random hashes
 * none has more than a bit or two beyond what segments of one length would
 * have. So the directory takes memory as the segments do, also where hashes
 * were chosen, or a file says how long prefixes are. */
uint32_t ss_rebuild_most_depth(uint64_t segments, uint32_t u);

/* Makes room in the segment of a hash. False: no memory; all is as it was. */
bool ss_rebuild_grow(ss_expand *expand, uint64_t hash);

#endif
