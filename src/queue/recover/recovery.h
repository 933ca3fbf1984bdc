/*
 * recovery.h - what is known of a queue while it is being opened.
 */
#ifndef SS_QUEUE_RECOVER_RECOVERY_H
#define SS_QUEUE_RECOVER_RECOVERY_H

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
    bool keeps_leases;
    uint64_t gone_items[SS_LANES];     /* by the state, in runs and done */
    ss_delay oldest_delayed[SS_LANES]; /* if leases end: of the state's runs */
    bool has_delayed[SS_LANES];
    bool knows_item; /* log.next_item is right */
    bool is_past_state;
    uint64_t item_at_state; /* the log's next item there, once it is past */
    uint64_t
        waiting[SS_LANES]; /* items read before the state that wait there */
    ss_lane_runs lanes;    /* of a queue with priorities: of the items read */
    bool is_handed; /* polite: hosts were asked since the state, or may have
                       been */
    bool is_state_wrong; /* polite: the log has other items there */
} ss_recovery;

/* Reports damage at a position of the log, by file and offset. */
int ss_recovery_refuse(const ss_recovery *run, uint64_t position,
                       const char *reason);

#endif
