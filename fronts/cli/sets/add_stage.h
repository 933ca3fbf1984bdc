/*
 * add_stage.h - adds keys to a set, batch after batch.
 *
 * This is the filter stage of `dedup` and `add`: it counts the new keys, warns
 * once when the set passes its capacity and once when its rate is too high, and
 * stops at the first refused key.
 */
#ifndef ADD_STAGE_H
#define ADD_STAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "report/left_out.h"
#include "sets/rate_watch.h"
#include "sets/replay.h"
#include "seenset/seenset.h"
#include "sets/set_batch.h"
#include "stream/batch.h"

typedef struct add_stage {
    seenset *set;
    const char *name;        /* of the set, in messages */
    uint64_t capacity_items; /* 0: the set keeps its rate at any number */
    uint64_t added_items;    /* in the set, from all runs */
    uint64_t key_count;      /* of this run */
    uint64_t new_count;      /* of this run */
    left_out left_out;       /* lines without a key */
    double wrong_before;     /* keys wrongly seen by sets before this one */
    replay replay;           /* by the times of lines, if they have some */
    uint32_t times;          /* a key is new so often; 0: once */
    set_batch_question *add; /* adds one key in its own way, and has then
                                reported what it could not; or NULL */
    void *add_context;
    bool wants_keys;   /* the set needs keys, not hashes */
    bool is_in_memory; /* the set is in no file; set after a start */
    bool is_over;      /* past its capacity, which was reported */
    rate_watch rate;   /* whether it is too full to be of use */
    bool is_unsure;    /* keys were added without an answer for each */
} add_stage;

/* Starts with a set, empty or not. */
void add_stage_start(add_stage *into, seenset *set, const char *name);

/*
 * Each key is new `times` times: until the set has as many copies of it. For a
 * counting set whose counters count so far. Call after a start; 0 and 1 change
 * nothing.
 */
void add_stage_set_times(add_stage *into, uint32_t times);

/*
 * Adds the lines of the batch, which was prepared (set_batch.h), and sets
 * their answers to 1 (new) or 0 (seen). A line that is kept without a key is
 * new. Returns 0, or COMMAND_ERROR after a message; if a line was refused, or
 * the rule of the batch makes one an error, the batch then ends before it.
 */
int add_stage_run(add_stage *into, batch *keys);

#endif
