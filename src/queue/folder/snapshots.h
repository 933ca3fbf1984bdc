/*
 * snapshots.h - the files from which a queue is opened quickly: the last two
 * states and the last two sets, and when the next ones are due.
 *
 * A snapshot of position P has exactly what follows from the log up to P. Two
 * of each kind are kept, so that the older serves if the newer turns out to be
 * unreadable; index 0 is the newer. Log before `floor` is not needed to go on
 * from a snapshot.
 *
 * An older one may be left over: it could not be removed, or the process was
 * killed just before. The log is kept for it as long as it is there, since a
 * state without its log would be taken for damage:
 *
 *     state-1000   state-2000   state-3000     log from 1000 on
 *     (left over)   at[1]        at[0]
 */
#ifndef SS_QUEUE_FOLDER_SNAPSHOTS_H
#define SS_QUEUE_FOLDER_SNAPSHOTS_H

#include "log/folder.h"

typedef struct ss_snapshot {
    uint64_t position, floor;
} ss_snapshot;

/* Up to two files of one kind, log positions in descending order. */
typedef struct ss_snapshot_pair {
    ss_snapshot at[2];
    unsigned count;
    bool has_leftover; /* there may be files of older positions */
} ss_snapshot_pair;

typedef struct ss_snapshots {
    ss_snapshot_pair states, sets;
    uint64_t set_interval_bytes; /* of log between two snapshots of the set */
    bool is_due;                 /* a segment was ended since the last one */
    bool is_running;             /* one thread writes; others wait for it */
    bool is_dirty;   /* something changed that the newest state does not have */
    bool has_counts; /* likewise, of the figures that only states have */
    bool has_ended;  /* the newest state has leases that opening has ended; an
                        open alone writes nothing */
    uint64_t failed_count;
} ss_snapshots;

/* The newest snapshot becomes the first of the pair; the file of the one that
 * drops out of it is removed if it can be. Prefix: SS_FOLDER_STATE or
 * SS_FOLDER_SET. */
void ss_snapshots_remember(ss_snapshot_pair *pair, const ss_folder *folder,
                           const char *prefix, ss_snapshot newest);

/* Removes what is left over, if it can. errno stays as it was. */
void ss_snapshots_tidy(ss_snapshots *snapshots, const ss_folder *folder,
                       const ss_memory *memory);

bool ss_snapshots_has_leftover(const ss_snapshots *snapshots);

/* The position of the newest set, or 0. */
uint64_t ss_snapshots_set_position(const ss_snapshots *snapshots);

/* The oldest position of the log that opening could have to read, from any of
 * the snapshots; 0 while one is left over. */
uint64_t ss_snapshots_needed_from(const ss_snapshots *snapshots);

#endif
