/*
 * lines.h - reads lines of any length and any bytes, a batch at a time.
 *
 * The pipeline of every command that takes keys is
 *
 *     read + split (lines.c) -> filter (intake.c, has.c) -> write (output.c)
 *
 * and what flows through it is a batch: keys that point into the reader's
 * block, with room for an answer to each. No line is copied on the way.
 */
#ifndef LINES_H
#define LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "seenset/seenset.h"

#define BATCH_ROOM 4096

typedef struct batch {
    size_t count;
    uint64_t first_number; /* of keys[0] in its input, from 1 */
    uint64_t input_bytes;  /* read for these keys, separators included */
    bool is_terminated;    /* the separator follows each key in memory */
    seenset_key keys[BATCH_ROOM];
    uint8_t answers[BATCH_ROOM];
} batch;

/*
 * One block of memory, refilled by read(2):
 *
 *     0         begin        scanned      end         room
 *     | given out | not yet given out ... | to be read | one byte spare
 *
 * There is no separator between begin and scanned. The spare byte lets the
 * last line of a file get the separator that it lacks, so that every line is
 * followed by one.
 */
typedef struct lines {
    int fd; /* -1: nothing is open */
    char separator;
    bool is_at_end;
    char *block;
    size_t begin, scanned, end, room;
    uint64_t given; /* lines given out of this file */
} lines;

/* Returns 0, or -1 and errno. lines_free undoes it. */
int lines_init(lines *reader, char separator);
void lines_free(lines *reader);

/*
 * Opens the next file, "-" being standard input, and closes the one before.
 * Returns 0, or -1 and errno.
 */
int lines_open(lines *reader, const char *path);

/*
 * The next lines, without their separators, into *out; they stay valid until
 * the next call. Returns 1, or 0 at the end, or -1 and errno.
 */
int lines_next(lines *reader, batch *out);

/* True if lines_next would have to wait for input that is not there yet. */
bool lines_would_wait(const lines *reader);

#endif
