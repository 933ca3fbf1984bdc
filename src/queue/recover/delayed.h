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
 * Those of a polite queue are in away.h, and what is said of both in runs.h.
 */
#ifndef SS_QUEUE_RECOVER_DELAYED_H
#define SS_QUEUE_RECOVER_DELAYED_H

#include "queue/recover/recovery.h"

/* Before the replay: what is done of a lane that has runs. Returns 0 or an
 * error. */
int ss_recover_delayed_done(ss_recovery *run, unsigned lane);

/* After it, if leases go on: the items in runs do. Returns 0 or an error. */
int ss_recover_delayed(ss_recovery *run);

#endif
