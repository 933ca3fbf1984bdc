/*
 * replay.h - what a record of the log means to a queue that is being opened.
 */
#ifndef SS_QUEUE_RECOVER_REPLAY_H
#define SS_QUEUE_RECOVER_REPLAY_H

#include "queue/recover/recovery.h"

/* The log's next record is here, or there is none before this end: keeps the
 * item at the state's position. Returns 0, or in a polite queue SEENSET_ENOMEM
 * or SEENSET_EIO. */
int ss_replay_meet_state(ss_recovery *run, uint64_t at);

/* Brings a record into the handle. Returns 0, SEENSET_ENOMEM,
 * SEENSET_EDAMAGED, or in a polite queue SEENSET_EIO. */
int ss_replay(ss_recovery *run, const ss_record *record, uint64_t at);

/* A record before the part that is replayed: counts an item that waits there,
 * and notes its lane. Returns as ss_replay. */
int ss_replay_before(ss_recovery *run, const ss_record *record, uint64_t at);

/* Items first to end - 1 of a lane are done. 0 or SEENSET_ENOMEM. */
int ss_replay_done(ss_recovery *run, unsigned lane, uint64_t first,
                   uint64_t end);

#endif
