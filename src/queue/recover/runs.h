/*
 * runs.h - the files of delayed items when a queue is opened: which are there,
 * and whether those that a state names are sound.
 *
 * A run of a queue whose leases end is read whole. In a polite queue it is read
 * if they go on, and only for the newest state: else no item of it is needed.
 */
#ifndef SS_QUEUE_RECOVER_RUNS_H
#define SS_QUEUE_RECOVER_RUNS_H

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

/* Opens the runs of a lane, as of the newest state, in the time of now. Returns
 * 0 or an error. */
int ss_recover_open_runs(ss_recovery *run, unsigned lane);

/* Reports that a run is damaged that was sound a moment ago. */
int ss_recover_refuse_run(const ss_recovery *run, uint64_t number,
                          const char *reason);

#endif
