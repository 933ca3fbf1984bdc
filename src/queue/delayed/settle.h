/*
 * settle.h - leases and delays of a polite queue that have ended by the clock.
 *
 * Nothing happens when one ends. So each call that asks what is whose turn
 * settles first: what is due, in memory or in files, waits in the chains of its
 * hosts from then on.
 */
#ifndef SS_QUEUE_DELAYED_SETTLE_H
#define SS_QUEUE_DELAYED_SETTLE_H

#include "queue/handle.h"

/* What has ended by now waits for its host's turn, and so does what can be read
 * by now. Returns 0, or an error of scratch or of a file of delayed items: then
 * some of it does by the next call. */
int ss_settle_due(seenset_queue *queue, uint64_t now_ns);

#endif
