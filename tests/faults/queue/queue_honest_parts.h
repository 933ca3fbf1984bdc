/*
 * queue_honest_parts.h - what the oracle and the judge of queue_honest.h share:
 * what a script answers, and what its queue holds.
 */
#ifndef QUEUE_HONEST_PARTS_H
#define QUEUE_HONEST_PARTS_H

#include "queue_honest.h"

typedef struct honest_answer {
    int result;
    uint64_t digest;
} honest_answer;

/* What a queue holds, as the next process that opens it finds it. */
typedef struct honest_holding {
    int verified, error;        /* of verify and of the opening */
    uint32_t out[HONEST_URLS];  /* is handed out: its data's length, plus 1 */
    int8_t pushed[HONEST_URLS]; /* what pushing it again answers */
} honest_holding;

struct honest_oracle {
    const honest_script *script;
    honest_step steps[HONEST_STEPS];
    int count, url_count; /* url_count: of the world */
    disk *base;           /* where the steps begin */
    honest_run left;      /* what is known of what was done before */
    honest_answer answers[HONEST_STEPS];
    honest_holding
        holdings[HONEST_STEPS + 1]; /* before each step, and at the end */
    int safe[HONEST_STEPS + 1]; /* the holding that no kill undoes by then */
};

/* Is each answer a promise? */
bool honest_is_each(const honest_oracle *oracle);

/* Puts a run where the script's steps begin. */
void honest_begin(honest_run *run, const honest_oracle *oracle);

honest_answer honest_make(honest_run *run, const honest_step *step);

/* Looks at what a queue holds, and uses the disk up. */
void honest_look(honest_holding *of, const honest_oracle *oracle, disk *on);

bool honest_is_equal(const honest_holding *a, const honest_holding *b);

/* Does it have, of each URL, what one or the other of both has? */
bool honest_is_between(const honest_holding *a, const honest_holding *b,
                       const honest_holding *got);

/* Is here what was pushed and acked there? */
bool honest_has_all_of(const honest_holding *got, const honest_holding *safe);

#endif
