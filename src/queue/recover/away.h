/*
 * away.h - the runs of delayed items when a polite queue is opened.
 *
 * The log is read from the oldest pending item on, so by the state's position
 * each item of a run has a link (delayed/away.h), or was acked before. Records
 * after that position may ack an item that the state's runs still have. Either
 * is gone: it is skipped when the run comes to it.
 *
 * If leases end, all items wait as the log has them, and runs are not needed.
 */
#ifndef SS_QUEUE_RECOVER_AWAY_H
#define SS_QUEUE_RECOVER_AWAY_H

#include "queue/recover/recovery.h"

/* The log has come to the state's position. *agrees: it has the items that the
 * state says are in runs. Returns 0, an error of scratch, SEENSET_EDAMAGED or
 * SEENSET_ENOMEM. */
int ss_recover_away(ss_recovery *run, bool *agrees);

/* An item that is away was acked after that. 0 or SEENSET_ENOMEM. */
int ss_recover_away_acked(ss_recovery *run, unsigned lane, uint64_t item);

/* The log was read. */
void ss_recover_away_end(ss_recovery *run);

#endif
