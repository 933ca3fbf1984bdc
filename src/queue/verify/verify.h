/*
 * verify.h - reading a queue from the first byte to the last, past every
 * damage. verify reports what is found, repair repairs it.
 */
#ifndef SS_QUEUE_VERIFY_VERIFY_H
#define SS_QUEUE_VERIFY_VERIFY_H

#include "base/order.h"
#include "queue/recover/recover.h"
#include "queue/recover/replay_lanes.h"

/* A stretch of the log without sound records. */
typedef struct ss_damage {
    uint64_t segment;  /* the file it is in, or belongs to */
    uint64_t from, to; /* positions */
    uint64_t item;     /* the number of the next PUSH after it */
    bool is_header;    /* only the segment's header: 32 bytes */
} ss_damage;

/* An item that the newest state knows, among the records that were read. */
typedef struct ss_met_entry {
    uint64_t host; /* the hash of its host, once a record was met */
    bool is_met;
    bool is_there; /* the last one is where the state says */
} ss_met_entry;

/*
 * What is known so far. The positions and item numbers grow as files are read:
 * manifest, then states, then sets, then the log.
 */
typedef struct ss_verification {
    ss_memory memory;
    ss_folder folder;
    int lock_fd;
    ss_listing listing;
    ss_manifest manifest;
    ss_url_set set; /* set up, and empty */
    ss_log_reader reader;
    seenset_queue_report *report; /* the caller's, or: */
    seenset_queue_report own_report;
    ss_positions bad_states, bad_sets;
    ss_damage *damages;
    size_t damage_count, damage_room;
    size_t open_damages;  /* from this one on, `item` is not known yet */
    uint64_t files_end;   /* of the last file of the log */
    uint64_t gap_budget;  /* bytes that may be missing from the log, yet */
    uint64_t durable_end; /* the log was durable up to here */
    uint64_t next_item, state_next_item;
    /* of the newest snapshots that can be read */
    uint64_t state_floor, state_position, set_position;
    ss_state_lane lanes[SS_LANES]; /* of the state */
    uint64_t waiting[SS_LANES];    /* by the state, less those that were read */
    unsigned lane_count;           /* which have a reader: the first, or all */
    ss_state_entry *entries;       /* of the state */
    size_t entry_count, entries_seen; /* before the record that was read */
    uint64_t lost_before_state;       /* items that are lost by their numbers */
    ss_met_entry *entries_met; /* in a queue whose items may move; else NULL */
    bool is_past_state;        /* a record after the state was read */
    bool is_past_reader[SS_LANES]; /* one at or after its reader was read */
    bool
        state_contradicts_log; /* or a repair was not finished; it is removed */
    bool set_contradicts_log;  /* there is no record at its position */
    uint64_t log_end;          /* of what can be read */
    bool knows_item;
    ss_lane_runs runs; /* of a queue with priorities: of the items read */
    bool is_polite; /* the newest state is; then there are no readers, and: */
    ss_pending pending; /* the items that are not acked, of those read */
    ss_run_files run_files;
    ss_delays delays[SS_LANES];      /* the runs of the newest state, */
    uint64_t delayed_left[SS_LANES]; /* and their items, less those that were
                                        read where they must be */
} ss_verification;

/*
 * Locks the queue in `dir` and checks every file. The options, or NULL, are as
 * for seenset_queue_verify; their report is filled in. Returns 0, whatever
 * was found, or the error because of which it could not be checked. *run must
 * be freed in any case.
 */
int ss_verify(ss_verification *run, const ss_io *io, const char *dir,
              const seenset_queue_options *options);
void ss_verification_free(ss_verification *run);

/* Was anything wrong found? */
bool ss_verification_has_damage(const ss_verification *run);

/* Checks the log, after manifest and snapshots. Returns 0, or the error
 * because of which it could not be checked. */
int ss_verify_log(ss_verification *run);

/* ---- delayed.c ---- */

/* Reads the runs of a state, and keeps them open. *damaged becomes the number
 * of the first that is, or UINT64_MAX. Returns 0, SEENSET_EIO or
 * SEENSET_ENOMEM. */
int ss_verify_runs(ss_verification *run, const ss_state *state,
                   uint64_t *damaged);
void ss_verify_close_runs(ss_verification *run);

/* A record of the log was read: an item of the runs? As ss_verify_runs. */
int ss_verify_delayed(ss_verification *run, const ss_record *record,
                      uint64_t at);

/* The log was read. In a polite queue an item of the runs may be anywhere in
 * it: as many are pending as the state says. As ss_verify_runs. */
int ss_verify_count_delayed(ss_verification *run);

/* All were met where the runs say. */
bool ss_verify_are_delayed_there(const ss_verification *run);

/* The report has the first thing that is wrong: in a file, or at a position of
 * the log. Later ones are not reported. */
void ss_verify_report_first(ss_verification *run, const char *file,
                            uint64_t offset, const char *reason);
void ss_verify_report_at(ss_verification *run, uint64_t segment,
                         uint64_t position, const char *reason);

#endif
