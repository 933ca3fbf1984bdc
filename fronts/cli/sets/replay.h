/*
 * replay.h - a window goes by the times of its records, which may be late or
 * wrong.
 *
 * Time never goes back in a replay: a record that is older than one before it
 * counts as of the latest time so far, as it would in a live run that got it
 * then. So one wrong time that is far ahead makes all records after it late. It
 * can be refused (most_jump_seconds), and is reported if it happens.
 */
#ifndef REPLAY_H
#define REPLAY_H

#include <stdbool.h>
#include <stdint.h>

#include "fields/fields.h"
#include "seenset/seenset.h"
#include "stream/batch.h"

typedef struct replay {
    bool is_used;
    bool has_stopped;                           /* a time was too far ahead */
    uint64_t window_seconds, most_jump_seconds; /* 0: any */
    uint64_t now;          /* the latest time so far; 0: none */
    uint64_t late_count;   /* records late by more than a window, */
    uint64_t first_number; /* and the first of them: its number, */
    const char *first_input;
    uint64_t first_seconds; /* and how late it is */
} replay;

/* What these fields ask for, of a set, whose time goes on from its newest part.
 * Returns 0, or COMMAND_ERROR after a message: it is not a window by time. */
int replay_start(replay *of, const fields *from, const seenset *set,
                 const char *name);

/* Makes the times of the batch, if it has some, never go back. If one is too
 * far ahead, ends the batch before it and reports it. Returns whether that is
 * so. */
bool replay_follow(replay *of, batch *keys, const char *name);

/* Reports records that came much too late. */
void replay_finish(const replay *of, const char *name);

#endif
