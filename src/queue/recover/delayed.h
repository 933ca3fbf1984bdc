/*
 * delayed.h - the runs of delayed items when a queue is opened.
 *
 * If leases go on, a run is opened and no item of it is read. So it is not
 * known which items below a lane's reader are done: those that are acked by the
 * log after the state, and no entries of it, are in runs.
 *
 * If leases end, all that is not acked is handed out again, the oldest first.
 * Then the items of all runs are read once, and belong to the log's reader.
 *
 * Those of a polite queue are in away.h.
 */
#ifndef SS_QUEUE_RECOVER_DELAYED_H
#define SS_QUEUE_RECOVER_DELAYED_H

#include "queue/recover/recovery.h"

/* Which files are there. 0 or SEENSET_ENOMEM. */
int ss_recover_run_files(ss_recovery *run);

/* Are all runs of a state there, and those that will be read, sound? A state
 * is nothing without them. Returns 0, SEENSET_EDAMAGED, SEENSET_EIO or
 * SEENSET_ENOMEM. */
int ss_recover_check_runs(const ss_recovery *run, const ss_state *state,
                          bool is_newest);

/* Remembers which runs the newest state needs (1), or the one before (2).
 * Returns 0 or SEENSET_ENOMEM. */
int ss_recover_names(seenset_queue *queue, const ss_state *state,
                     unsigned index);

bool ss_recover_has_runs(const ss_state *state, unsigned lane);

/* Opens the runs of a lane, as of the newest state. Returns 0 or an error. */
int ss_recover_open_runs(ss_recovery *run, unsigned lane);

/* Before the replay: what is done of a lane that has runs. Returns 0 or an
 * error. */
int ss_recover_delayed_done(ss_recovery *run, unsigned lane);

/* After it, if leases go on: the items in runs do. Returns 0 or an error. */
int ss_recover_delayed(ss_recovery *run);

#endif
