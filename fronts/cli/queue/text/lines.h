/*
 * lines.h - lines of standard input or a file, in memory that is fixed.
 *
 * An item of a queue has a longest length, so this reader, unlike that of
 * lines.h, does not hold lines of any length: of one that is longer than an
 * item can be it gives the beginning, drops what follows up to the end of the
 * line as it comes, and goes on. A line without any end takes no memory. The
 * input may be compressed.
 */
#ifndef QUEUE_TEXT_LINES_H
#define QUEUE_TEXT_LINES_H

#include <stdbool.h>
#include <stddef.h>

#include "input/input.h"

typedef struct queue_line {
    const char *bytes; /* without its end; valid until the next read */
    size_t length;
    bool is_cut; /* it is longer than that, and than any item */
} queue_line;

typedef struct queue_lines {
    input_stream input; /* decompressed */
    int fd;
    const char *name; /* in messages */
    char *block;
    size_t at, held;  /* block[at..held) was not given out yet */
    bool is_skipping; /* what comes belongs to a line that was cut */
    bool is_begun;    /* the input's first bytes were looked at */
    bool is_at_end;
} queue_lines;

/* Of standard input. Returns 0, or -1: out of memory. queue_lines_free undoes
 * it. */
int queue_lines_init(queue_lines *lines, input_mode mode);
/* Of the file at `path`, or with "-" of standard input. Returns 0, or
 * COMMAND_ERROR after a message. */
int queue_lines_open(queue_lines *lines, const char *path, input_mode mode);
void queue_lines_free(queue_lines *lines);

/*
 * Waits for input for as long as it takes, or, with milliseconds >= 0, no
 * longer than that. Returns whether a read would not wait now.
 */
bool queue_lines_await(const queue_lines *lines, int milliseconds);

/*
 * At most one read(2), which may wait, and need not bring a line. To be called
 * when queue_lines_next has no line left. At the end, is_at_end is set, and a
 * last line without an end has one. Returns 0, or COMMAND_ERROR after saying
 * why: input that is a set file, and no lines, is an error too, and so is
 * compressed input that is damaged. The whole lines before the damage were
 * given out.
 */
int queue_lines_read(queue_lines *lines);

/* The next whole line, or the beginning of one that is too long; false if
 * there is none before the next read. */
bool queue_lines_next(queue_lines *lines, queue_line *out);

#endif
