/*
 * cleaner.h - where the cleaning of the log is (clean.h), and the items that
 * were written again and are still used where they were.
 *
 *     log  | . 4 . 7 | . . 9 . | . . . . 4 7 9 . .
 *            |   |       |               | | |
 *            +---+-------+-- from -> to -+-+-+   until `to` can be read
 *
 * A record that is appended may be rolled back, and cannot be read before it
 * is durable (or, if answers do not wait for the disk, written). Until then
 * the old one is the item's.
 */
#ifndef SS_QUEUE_CLEAN_CLEANER_H
#define SS_QUEUE_CLEAN_CLEANER_H

#include "frontier/frontier.h"
#include "log/log_reader.h"

/* An item on its way. */
typedef struct ss_move {
    uint64_t item;
    ss_span from, to; /* its records */
} ss_move;

typedef struct ss_cleaner {
    bool is_on;            /* the queue is open, and has a folder */
    bool is_running;       /* a thread takes a step */
    bool has_left;         /* an item before the position was not moved */
    bool has_failed;       /* the last step met an error of the disk */
    uint64_t failed_after; /* when the newest state was of this position */
    uint64_t position;     /* what is before it was looked at; 0: nothing was */
    uint64_t number;       /* of the next item there */
    uint64_t tail, done;   /* the log's end, and bytes of items acked, as of the
                              last step */
    uint64_t left;         /* bytes that changed before, for which no step was
                              taken yet */
    ss_log_reader reader;  /* {0} until it is needed */
    ss_move *moves;        /* by `to`, ascending */
    size_t count, room;
} ss_cleaner;

void ss_cleaner_free(ss_cleaner *cleaner, const ss_memory *memory);

/* Room for one more. False: no memory. */
bool ss_cleaner_reserve(ss_cleaner *cleaner, const ss_memory *memory);

/* Looks at all of the log again. */
void ss_cleaner_restart(ss_cleaner *cleaner);

/* The first moves are over. */
void ss_cleaner_drop(ss_cleaner *cleaner, size_t count);

/* The log ends here again: records after it are gone. */
void ss_cleaner_roll_back(ss_cleaner *cleaner, uint64_t end);

#endif
