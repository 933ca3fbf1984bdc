/*
 * lines.h - reads lines of any length and any bytes, a batch at a time.
 *
 * read(2) writes into the batch, which is then split. The bytes after the last
 * whole line, mostly part of a line, are copied to `rest` and begin the next
 * batch; nothing else is copied. A line longer than BATCH_LINE_BYTES goes
 * through the memory of the batch into a spill.
 */
#ifndef LINES_H
#define LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stream/batch.h"
#include "stream/split.h"

/*
 * Called before each read. Waits until fd has input and returns 0, or returns
 * another number if the reader must stop waiting now.
 */
typedef int lines_waiter(void *context, int fd);

#define LINES_LATER 2 /* lines_next was stopped by the waiter */

typedef struct lines {
    int fd; /* -1: nothing is open */
    char separator;
    bool is_at_end;
    bool has_line; /* the rest holds a whole line, at least */
    split_function *split;
    char *rest;
    size_t rest_bytes, rest_room;
    spill *growing;      /* a long line that is being read, or NULL */
    uint64_t given;      /* lines of this file so far */
    bool is_spill_error; /* what failed last was a spill */
    /* Defaults that may be changed after lines_init: */
    bool wants_bytes; /* true: of long lines, too, not only their hashes */
    lines_waiter *wait;
    void *wait_context;
} lines;

/* Returns 0, or -1 and errno. lines_free undoes it. */
int lines_init(lines *reader, char separator);
void lines_free(lines *reader);

/*
 * Opens the next file, "-" being standard input, and closes the one before.
 * Returns 0, or -1 and errno.
 */
int lines_open(lines *reader, const char *path);

/* The value of errno if the input is a set file, and not text. */
#define LINES_ARE_A_SET 0x10000

/*
 * Stores the next lines in *out, as many as are available and fit. They stay
 * valid until the batch is used again, whatever the reader does. Waits only if
 * no whole line is available. A last line without a separator gets one.
 * Returns 1; 0 at the end; -1 and errno; or LINES_LATER and no line: the part
 * of a line that was read is kept for the next call.
 */
int lines_next(lines *reader, batch *out);

/*
 * The error of lines_next or lines_open in words. `error` is their errno. The
 * text names the line and the folder if a long line cannot be spilled, and says
 * what to do with a set file.
 */
typedef struct lines_text {
    char text[512];
} lines_text;
lines_text lines_error(const lines *reader, int error);

/* Would lines_next have to wait for input? */
bool lines_would_wait(const lines *reader);

#endif
