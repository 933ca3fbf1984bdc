/*
 * wanted_set.h - does an existing set match the options that were given?
 *
 * Options cannot change an existing set, so those that are given must be the
 * ones it was made with. Only -n may differ, for a set that grows.
 */
#ifndef WANTED_SET_H
#define WANTED_SET_H

#include <stdbool.h>
#include <stdint.h>

#include "seenset/seenset.h"

typedef struct wanted_set {
    const char *path; /* of the set */
    uint64_t capacity_items;
    double fp_rate;                /* 0 in either: not given */
    seenset_on_full on_full;       /* SEENSET_ON_FULL_DEFAULT: not given */
    bool is_keyed;                 /* --keyed */
    const seenset_options *window; /* its on_full: SEENSET_ON_FULL_ROTATE, if
                                      --window was given */
} wanted_set;

/* Returns 0, or COMMAND_ERROR after a message that says what differs. */
int wanted_set_check(const wanted_set *what, const seenset *set);

#endif
