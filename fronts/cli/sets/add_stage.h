/*
 * add_stage.h - keys go into a set, batch after batch.
 *
 * What `dedup` and `add` share: the count of what was new, one warning when
 * the set passes its capacity, and a stop at the first key that is refused.
 */
#ifndef ADD_STAGE_H
#define ADD_STAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "seenset/seenset.h"
#include "stream/batch.h"

typedef struct add_stage {
    seenset *set;
    const char *name;        /* what messages call the set */
    uint64_t capacity_items; /* 0: however many, it keeps its rate */
    uint64_t added_items;    /* in the set, from all runs */
    uint64_t key_count;      /* of this run */
    uint64_t new_count;      /* of this run */
    bool wants_keys;         /* the set takes keys, not their hashes */
    bool is_over;            /* it was said that the capacity is passed */
    bool is_unsure; /* keys went in of which nobody knows which were new */
} add_stage;

/* Starts with a set that was opened from a file. */
void add_stage_start(add_stage *into, seenset *set, const char *name);

/* The same with an empty set, without the cost of reading it. */
void add_stage_start_empty(add_stage *into, seenset *set, const char *name,
                           uint64_t capacity_items);

/*
 * The filter stage: adds the lines of the batch, which were hashed unless the
 * set wants keys, and sets
 * their answers to 1 (new) or 0 (seen). Returns 0, or COMMAND_ERROR after a
 * message; if a line was refused, the batch is cut short to those before it.
 */
int add_stage_run(add_stage *into, batch *keys);

#endif
