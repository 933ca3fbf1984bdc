/* saturation.h - what is taken down of each set, at each fill. */
#ifndef TEST_SATURATION_H
#define TEST_SATURATION_H

#include "support.h"

enum {
    SEEDS = 4,
    CAPACITY = 1000,    /* keys that each set is planned for */
    STRANGERS = 100000, /* other keys that are asked for at each look */
    FILL_COUNT = 8,
    MOST_ROWS = 80
};

#define DEVIATIONS 6.0

/* Keys offered, in capacities. Long before the last one, all bits of a table
 * that keeps its size are set. */
extern const double fills[FILL_COUNT];

typedef struct look {
    double items, rate, wrong; /* reported */
    double items_error;        /* a standard deviation */
    bool is_at_least;
    bool is_all_set;
    bool is_cut;     /* slots of fingerprints were: full_counters */
    bool is_refused; /* keys were refused by then */
    bool is_same;    /* the audit and the estimate report the same, and
                        refused keys changed nothing */
    /* and in truth: */
    double least_items, most_items; /* answered "new", and offered */
    double true_wrong;
    uint64_t hits; /* of strangers */
} look;

typedef struct row {
    char name[64];
    look looks[SEEDS][FILL_COUNT];
} row;

/* Fills in a row for each set that there can be; returns how many. */
size_t saturation_take(row rows[MOST_ROWS]);

/* The sets that there cannot be get the error that the headers state. */
void refusals_are_as_stated(void **state);

/* All bits are set, and nothing is known of who set them. */
void ones_are_unknown(void **state);

#endif
