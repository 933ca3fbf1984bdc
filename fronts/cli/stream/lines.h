/*
 * lines.h - reads lines of any length and any bytes, a batch at a time.
 *
 * read(2) goes straight into the batch, which is then split. What follows its
 * last whole line, seldom more than a part of a line, waits in `rest` and
 * becomes the start of the next batch; that is all that is ever copied. A line
 * longer than BATCH_LINE_BYTES goes through the batch's memory to a spill.
 */
#ifndef LINES_H
#define LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stream/batch.h"
#include "stream/split.h"

/*
 * Is called before anything is read. Waits until there is something to read
 * from fd and returns 0, or not 0: the reader must not wait any more now.
 */
typedef int lines_waiter(void *context, int fd);

#define LINES_LATER 2 /* of lines_next: the waiter said so */

typedef struct lines {
    int fd; /* -1: nothing is open */
    char separator;
    bool is_at_end;
    bool has_line; /* the rest holds a whole line, at least */
    split_function *split;
    char *rest;
    size_t rest_bytes, rest_room;
    spill *growing;      /* a long line that is being read, or NULL */
    uint64_t given;      /* lines given out of this file */
    bool is_spill_error; /* what failed last was a spill */
    /* To be set by those who know better, after lines_init: */
    bool wants_bytes; /* also of long lines: not only their hashes (true) */
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

/* Input that is a set file, which is no text: what errno then is. */
#define LINES_ARE_A_SET 0x10000

/*
 * The next lines, as many as are there and fit, into *out; they stay valid
 * until the batch is used again, whatever the reader does meanwhile. Waits
 * only if there is no line at all. A last line without a separator is given
 * one. Returns 1, or 0 at the end, or -1 and errno, or LINES_LATER and no
 * line: what was read of one is kept, and the next call goes on.
 */
int lines_next(lines *reader, batch *out);

/*
 * What is wrong, in words, after lines_next or lines_open left `error` in
 * errno: which line and which folder, if a long line cannot be spilled; what
 * to do with a set file.
 */
typedef struct lines_text {
    char text[512];
} lines_text;
lines_text lines_error(const lines *reader, int error);

/* True if lines_next would have to wait for input that is not there yet. */
bool lines_would_wait(const lines *reader);

#endif
