/*
 * polite.h - a polite queue that is opened: its frontier, from the log.
 *
 * Segments have the acks of all items that are in them. So what is pending
 * follows from the log alone, from the oldest pending item on, which the state
 * knows; and is compared with what the state has counted. An item that was
 * moved is where its last record is, whether the others are still there or not;
 * no record moves an item that was acked. Hosts follow from the state and the
 * HOST records after it.
 */
#ifndef SS_QUEUE_RECOVER_POLITE_H
#define SS_QUEUE_RECOVER_POLITE_H

#include "queue/recover/recovery.h"

/* The hosts of the state. 0 or SEENSET_ENOMEM. */
int ss_recover_hosts(ss_recovery *run);

/* The records of a polite queue. Returns 0, SEENSET_ENOMEM, SEENSET_EIO or
 * SEENSET_EDAMAGED. */
int ss_replay_polite_push(ss_recovery *run, const ss_record *record,
                          uint64_t at);
int ss_replay_polite_move(ss_recovery *run, const ss_record *pushed,
                          uint64_t at);
int ss_replay_polite_ack(ss_recovery *run, const ss_acked *acked, uint64_t at);
int ss_replay_host(ss_recovery *run, const ss_record *record);

/* The log has come to the state's position. Returns 0 or an error of scratch.
 */
int ss_replay_polite_state(ss_recovery *run);

/* After the log: items handed out go on, or end. Returns 0, SEENSET_ENOMEM or
 * SEENSET_EIO. */
int ss_recover_handed_out(ss_recovery *run, bool keep_leases);

#endif
