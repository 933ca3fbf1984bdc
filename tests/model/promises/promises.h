/*
 * promises.h - each promise, on each kind of set or queue, in each state, in
 * each kind of time.
 *
 * A kind is a line of options. A cell is a kind, a state that it is brought
 * into, and what happens to the clock meanwhile. One engine runs a cell through
 * the public calls, beside a naive table that knows every key, when it was
 * truly added and what was answered; then each promise that the cell makes is
 * judged from that table. Cells that make no sense are left out by a rule,
 * which says why.
 */
#ifndef TEST_PROMISES_H
#define TEST_PROMISES_H

#include "base/clock.h"
#include "support.h"

typedef enum promise {
    PROMISE_RATE,    /* strangers are called seen at the rate, no more */
    PROMISE_NEVER,   /* what was added is never forgotten */
    PROMISE_COUNT,   /* added_items, and copies in a counting set */
    PROMISE_WINDOW,  /* what is older than the window is forgotten */
    PROMISE_MEMORY,  /* it takes the memory that it says, and no more */
    PROMISE_SAVED,   /* a file holds all of it */
    PROMISE_LEASE,   /* an item is one worker's until its lease ends */
    PROMISE_DELAY,   /* a nacked item stays away for its delay */
    PROMISE_AGAIN,   /* it is handed out again when that time has passed */
    PROMISE_DELIVER, /* each item is handed out until it is acked */
    PROMISE_TALLY,   /* the queue's figures add up */
    PROMISES
} promise;

typedef enum promise_state {
    STATE_ALONE,    /* made, and filled to a half */
    STATE_FULL,     /* to its capacity */
    STATE_PAST,     /* to four times that: grown, turned over, refused */
    STATE_REOPENED, /* saved and opened as a copy halfway */
    STATE_VIEWED,   /* saved and opened as a view at the end */
    STATE_MERGED,   /* two sets until halfway, then one */
    STATES
} promise_state;

typedef enum promise_time {
    TIME_STILL,   /* everything in one second */
    TIME_FORWARD, /* some windows pass */
    TIME_BACK,    /* and the clock is set back by a window on the way */
    TIME_AHEAD,   /* or a year ahead for a while, and right again */
    TIME_REBOOT,  /* or the machine starts anew */
    TIMES
} promise_time;

extern const char *const promise_names[PROMISES];
extern const char *const promise_state_names[STATES];
extern const char *const promise_time_names[TIMES];

typedef struct promise_kind {
    const char *name;
    seenset_options options;
    bool is_sealed;
    bool is_large; /* millions of keys */
} promise_kind;

typedef struct promise_cell {
    const promise_kind *kind;
    promise_state state;
    promise_time time;
    uint64_t seed;
    uint64_t capacity_items; /* where the options leave it open */
    promise planted;         /* the promise to be broken, or PROMISES: none */
} promise_cell;

/* What became of a cell: for each promise NULL (kept), what was wrong, or
 * why it was left out. */
typedef struct promise_verdict {
    const char *wrong[PROMISES];
    const char *skipped[PROMISES];
} promise_verdict;

extern const promise_kind promise_set_kinds[];
extern const size_t promise_set_kind_count;

/* Why the whole cell makes no sense, or NULL. */
const char *promise_skip(const promise_cell *cell);
void promise_run_set(const promise_cell *cell, promise_verdict *verdict);

/* Queues: of each durability, in states of their own. */
typedef enum promise_queue_state {
    QUEUE_ALONE,    /* a few items */
    QUEUE_GROWN,    /* many segments, and checkpoints on the way */
    QUEUE_REOPENED, /* by each command, as it were */
    QUEUE_KILLED,   /* the process ends */
    QUEUE_CUT,      /* the machine loses its power */
    QUEUE_STATES
} promise_queue_state;

enum {
    PROMISE_DURABILITIES = 3
};

extern const char *const promise_queue_state_names[QUEUE_STATES];
const char *promise_skip_queue(promise_queue_state state, promise_time time);
void promise_run_queue(unsigned kind, promise_queue_state state,
                       promise_time time, promise planted,
                       promise_verdict *verdict);

#endif
