/*
 * queue_inspect.h - walking through a queue that nobody has open, from the
 * first byte to the last, past every damage. verify reports what is found,
 * repair mends it.
 */
#ifndef SS_QUEUE_INSPECT_H
#define SS_QUEUE_INSPECT_H

#include "queue/recover.h"

/* A stretch of the log without sound records. */
typedef struct ss_damage {
    uint64_t segment;  /* the file it is in, or belongs to */
    uint64_t from, to; /* positions */
    uint64_t item;     /* the number of the next PUSH behind it */
    bool is_header;    /* only the segment's header: 32 bytes */
} ss_damage;

typedef struct ss_verification {
    ss_memory memory;
    ss_directory folder;
    int lock_fd;
    ss_listing listing;
    ss_manifest manifest;
    ss_log_reader reader;
    seenset_queue_report *report;
    ss_positions bad_states, bad_sets;
    ss_damage *damages;
    size_t damage_count, damage_room;
    size_t open_damages; /* from this one on, `item` is not known yet */
    uint64_t files_end;  /* of the last file of the log */
    uint64_t gap_room;   /* what may be missing between its files, and behind */
    uint64_t safe;       /* the log was durable up to here */
    uint64_t next_item, state_next_item;
    /* of the newest snapshots that can be read */
    uint64_t state_floor, state_position, set_position;
    uint64_t read_item, read_position; /* of the state's reader */
    bool is_past_state;                /* a record behind the state was met */
    bool is_state_denied; /* by the log, or by a repair: states go */
    bool is_set_denied;   /* there is no record at its position */
    uint64_t log_end;     /* of what can be read */
    bool knows_item;
} ss_verification;

/*
 * Locks the queue in `dir` and looks at every file. *report, not NULL, is
 * filled in. 0 (whatever was found is in the inspection) or why it could not
 * be looked at. To be freed in any case.
 */
int ss_verify(ss_verification *inspection, const ss_io *io, const char *dir,
              seenset_queue_report *report);
void ss_verification_free(ss_verification *inspection);

/* Anything wrong? */
bool ss_verification_is_bad(const ss_verification *inspection);

/*
 * The step of it that walks through the log, when manifest and snapshots have
 * been read. 0, or why it could not be.
 */
int ss_verify_log(ss_verification *inspection);

/* The first thing that is wrong is what the report names: in a file, or at a
 * position of the log. */
void ss_verify_note(ss_verification *inspection, const char *file,
                    uint64_t offset, const char *reason);
void ss_verify_note_at(ss_verification *inspection, uint64_t segment,
                       uint64_t position, const char *reason);

static inline uint64_t ss_verify_higher(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

#endif
