/*
 * asked.h - is a set that exists what was asked for?
 *
 * Options cannot change it: those that are given must be what it has. Only -n
 * may be anything for a set that grows, which it does not bind.
 */
#ifndef ASKED_H
#define ASKED_H

#include <stdbool.h>
#include <stdint.h>

#include "seenset/seenset.h"

typedef struct asked {
    const char *path; /* of the set */
    uint64_t capacity_items;
    double fp_rate; /* 0 in either: not given */
    bool is_keyed;  /* --keyed */
    const seenset_options
        *window; /* on_full: SEENSET_ON_FULL_ROTATE, if given */
} asked;

/* 0, or COMMAND_ERROR after a complaint that says what differs. */
int asked_check(const asked *what, const seenset *set);

#endif
