/* leases.h - leases and delays that go on after the queue is opened */
#ifndef SS_QUEUE_RECOVER_LEASES_H
#define SS_QUEUE_RECOVER_LEASES_H

#include "items/state.h"
#include "queue/handle.h"

/* Continues the leases and delays of the state, except those acked since.
 * Returns 0 or SEENSET_ENOMEM. */
int ss_recover_leases(seenset_queue *queue, const ss_state *state);

#endif
