/*
 * read_pause.h - when a command that reads a stream for a set stops reading, to
 * save: because it was told to stop (stop.h), or because a save is due.
 *
 * A save is due once so many lines were read, or so much time has passed,
 * since the last one; never while nothing was read since. A pause is asked for
 * before each read, so that it comes while the input is quiet, too, and all
 * lines that were read can go all their way before the save.
 */
#ifndef READ_PAUSE_H
#define READ_PAUSE_H

#include <stdint.h>

typedef struct read_pause {
    /* --save-every; 0: not given */
    uint64_t every_lines;
    uint64_t every_seconds;
    /* to be counted by the one who reads */
    uint64_t line_count;
    /* at the last save */
    uint64_t saved_lines;
    double saved_seconds; /* of the steady clock */
} read_pause;

/* Now it is saved, or begun. */
void read_pause_restart(read_pause *when);

/* A lines_waiter, with the read_pause as its context. */
int read_pause_wait(void *context, int fd);

#endif
