/*
 * replay.h - what a record of the log means to a queue that is being opened.
 */
#ifndef SS_QUEUE_RECOVER_REPLAY_H
#define SS_QUEUE_RECOVER_REPLAY_H

#include "items/state.h"
#include "queue/handle.h"
#include "queue/recover/replay_lanes.h"

/* What is known on the way. */
typedef struct ss_recovery {
    seenset_queue *queue;
    const ss_listing *listing;
    seenset_queue_report *report;
    ss_state state; /* the newest, or of an empty queue */
    uint64_t set_position;
    uint64_t durable_end; /* the log was durable up to here */
    uint64_t end;         /* of the last segment's file, without a torn end */
    ss_purpose purpose;
    bool knows_item; /* log.next_item is right */
    bool is_past_state;
    uint64_t item_at_state; /* the log's next item there, once it is past */
    uint64_t
        waiting[SS_LANES]; /* items read before the state that wait there */
    ss_lane_runs lanes;    /* of a queue with priorities: of the items read */
} ss_recovery;

/* Reports damage at a position of the log, by file and offset. */
int ss_replay_refuse(const ss_recovery *run, uint64_t position,
                     const char *reason);

/* The log's next record is here, or there is none before this end: keeps the
 * item at the state's position. */
void ss_replay_meet_state(ss_recovery *run, uint64_t at);

/* Brings a record into the handle. Returns 0, SEENSET_ENOMEM or
 * SEENSET_EDAMAGED. */
int ss_replay(ss_recovery *run, const ss_record *record, uint64_t at);

/* A record before the part that is replayed: counts an item that waits there,
 * and notes its lane. Returns as ss_replay. */
int ss_replay_before(ss_recovery *run, const ss_record *record, uint64_t at);

/* Items first to end - 1 of a lane are done. 0 or SEENSET_ENOMEM. */
int ss_replay_done(ss_recovery *run, unsigned lane, uint64_t first,
                   uint64_t end);

#endif
