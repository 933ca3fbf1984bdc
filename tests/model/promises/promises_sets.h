/* promises_sets.h - a cell of sets while it runs; see promises.h */
#ifndef TEST_PROMISES_SETS_H
#define TEST_PROMISES_SETS_H

#include "promises.h"

enum {
    STEPS = 100,
    HALFWAY = 50,
    JUMP_AT = 34,   /* the clock is set, */
    RETURN_AT = 42, /* and is right again */
    WINDOW_SECONDS = 7200,
    QUESTIONS = 20000,
    BATCH = 64
};

/* A key, as it truly is. */
typedef struct record {
    uint64_t added_seconds; /* by the true clock; last, if it is renewed */
    bool is_held;           /* answered "new" or "seen", not refused */
    bool was_new;
    bool is_kept; /* for the window: not an older table's mistake */
    uint8_t copies;
} record;

typedef struct world {
    const promise_cell *cell;
    test_memory memory;
    seenset_options options;
    test_folder folder;
    char path[TEST_PATH_BYTES];
    ss_clock clock;
    uint64_t true_seconds, wall_seconds;
    uint64_t jumped_seconds, returned_seconds; /* true times; 0: not yet */
    seenset *set, *other; /* other: until they are merged */
    record *records;
    uint64_t record_count, record_room;
    uint64_t capacity_items;
    double fp_rate;
    uint64_t news, first_seen; /* of keys offered first: "new", and "seen" */
    uint64_t renewals;         /* of keys offered again: "seen" */
    uint64_t settled_bytes;    /* of memory, when it was made, opened, merged */
    bool forgot;               /* seen on the way */
} world;

static inline bool promise_is_aged(const world *of)
{
    return of->options.window_seconds > 0;
}

static inline uint64_t promise_span_seconds(const world *of)
{
    uint32_t tables = of->options.window_generations;
    return WINDOW_SECONDS / ((tables == 0 ? 5 : tables) - 1);
}

/* The bytes of key n. */
static inline uint64_t promise_number(const world *of, uint64_t n)
{
    return test_mix((of->cell->seed << 40) + n);
}

bool promise_has(const world *of, const seenset *set, uint64_t n);

/* Saves the set, and opens the file with SEENSET_OPEN_VIEW or _COPY. */
seenset *promise_open_file(world *of, uint32_t flags);

/* Must key n still be there? */
bool promise_is_owed(const world *of, uint64_t n);

/* NULL, or what is wrong. */
const char *promise_judge(world *of, promise which);

#endif
