/*
 * replay_lanes.h - the priority of each item that replay has read.
 *
 * An ack says of which priority its items are. If that is another than the
 * pushes had, an item would be taken for acked where it is not, and the count
 * of another priority would end before its last item does. So the two are
 * compared where both are known: for items read on the way to the ack, and for
 * those that were handed out as of the state.
 *
 * Numbers of items ascend by one, so the list has one entry for each run of
 * items of one priority: 8 bytes. After a gap, which only a repair leaves, it
 * begins anew.
 */
#ifndef SS_QUEUE_RECOVER_REPLAY_LANES_H
#define SS_QUEUE_RECOVER_REPLAY_LANES_H

#include "items/state.h"

/* What a report says if they differ. */
#define SS_OTHER_LANE "an ack of an item of another priority"

typedef struct ss_lane_runs {
    uint64_t *at; /* each run's first item and, in the lowest byte, its lane */
    size_t count, room;
    uint64_t end; /* the item after the last run */
} ss_lane_runs;

void ss_lane_runs_free(ss_lane_runs *runs, const ss_memory *memory);

/* An item was read. False: no memory. */
bool ss_lane_runs_note(ss_lane_runs *runs, const ss_memory *memory,
                       uint64_t item, unsigned lane);

/* Are those of the items first to end - 1 that are known all of this lane? */
bool ss_lane_runs_agree(const ss_lane_runs *runs, uint64_t first, uint64_t end,
                        unsigned lane);

/* The same of the state's entries; those in `done` were compared before. */
bool ss_lane_entries_agree(const ss_state *state, const ss_ranges *done,
                           uint64_t first, uint64_t end, unsigned lane);

#endif
