/*
 * read_pause.h - when a command that reads a stream stops reading to save.
 *
 * Either a signal asked it to stop (stop.h), or a save is due: so many lines
 * were read, or so much time has passed, since the last save. No save is due
 * while no line was read since the last one. The check is made before each
 * read, also while the input is quiet, and all lines that were read go through
 * all stages before the save.
 */
#ifndef READ_PAUSE_H
#define READ_PAUSE_H

#include <stdint.h>

typedef struct read_pause {
    /* --save-every; 0: not given */
    uint64_t every_lines;
    uint64_t every_seconds;
    /* the reader counts these */
    uint64_t line_count;
    /* at the last save */
    uint64_t saved_lines;
    double saved_seconds; /* of the steady clock */
} read_pause;

/* Call at the start and after each save. */
void read_pause_restart(read_pause *when);

/* A lines_waiter (lines.h), whose context is a read_pause. */
int read_pause_wait(void *context, int fd);

#endif
