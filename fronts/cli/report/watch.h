/*
 * watch.h - how far a stream of lines has come, for those who wait.
 *
 * A thread of its own looks at the counts, so that there is an answer also
 * while the input is quiet or the output is not read:
 *
 *     12,345,678 lines, 31 % new, 512 MB/s, 42 %, 4 s left
 *
 * On a terminal that is one line, which is written again ten times a second
 * from the second second on, and erased in the end; messages go above it
 * (complain.h). SIGUSR1 asks for it once, anywhere, as a message. The last two
 * figures need a known size; of compressed files they are those of the
 * compressed bytes, and the others those of the text.
 */
#ifndef WATCH_H
#define WATCH_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "stream/batch.h"

typedef enum watch_mode {
    WATCH_TERMINAL = 0, /* on a terminal on which nothing else is printed */
    WATCH_ALWAYS, /* elsewhere as messages, every 10 seconds and in the end */
    WATCH_ASKED   /* by SIGUSR1 only */
} watch_mode;

typedef struct watch {
    const char *name; /* of the command */
    watch_mode mode;
    uint64_t total_bytes; /* of the input; 0: unknown */
    atomic_uint_fast64_t input_bytes, text_bytes, line_count, new_count;
    bool is_bar;
    double started; /* of clock_steady_seconds */
    bool is_running;
    atomic_bool is_over;
    pthread_t thread;
} watch;

/* Starts the thread. name, mode and total_bytes are set. prints_lines: lines go
 * to standard output meanwhile. Without threads there is no report. */
void watch_start(watch *on, bool prints_lines);

/* A batch, with its answers, is done. For one thread at a time. */
void watch_count(watch *on, const batch *done);

/* Ends the thread, and erases the line. Does nothing if it was not started. */
void watch_end(watch *on);

#endif
