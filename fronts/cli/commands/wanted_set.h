/*
 * wanted_set.h - is a set that exists what was asked for?
 *
 * Options cannot change it: those that are given must be what it has. Only -n
 * may be anything for a set that grows, which it does not bind.
 */
#ifndef WANTED_SET_H
#define WANTED_SET_H

#include <stdbool.h>
#include <stdint.h>

#include "seenset/seenset.h"

typedef struct wanted_set {
    const char *path; /* of the set */
    uint64_t capacity_items;
    double fp_rate; /* 0 in either: not given */
    bool is_keyed;  /* --keyed */
    const seenset_options
        *window; /* on_full: SEENSET_ON_FULL_ROTATE, if given */
} wanted_set;

/* 0, or COMMAND_ERROR after a complaint that says what differs. */
int wanted_set_check(const wanted_set *what, const seenset *set);

#endif
