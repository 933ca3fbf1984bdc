/*
 * lines.h - reads lines of any length and any bytes, a batch at a time.
 *
 * read(2) goes straight into the batch, which is then split. What follows its
 * last whole line, seldom more than a part of a line, waits in `rest` and
 * becomes the start of the next batch; that is all that is ever copied.
 */
#ifndef LINES_H
#define LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "batch.h"
#include "split.h"

typedef struct lines {
    int fd; /* -1: nothing is open */
    char separator;
    bool is_at_end;
    bool has_line; /* the rest holds a whole line, at least */
    split_function *split;
    char *rest; /* at most BATCH_BYTES */
    size_t rest_bytes;
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
 * The next lines, as many as are there and fit, into *out; they stay valid
 * until the batch is used again, whatever the reader does meanwhile. Waits
 * only if there is no line at all. A last line without a separator is given
 * one. Returns 1, or 0 at the end, or -1 and errno.
 */
int lines_next(lines *reader, batch *out);

/* True if lines_next would have to wait for input that is not there yet. */
bool lines_would_wait(const lines *reader);

#endif
