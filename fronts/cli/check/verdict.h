/*
 * verdict.h - is a filter of the right size for what is in it?
 *
 *     sound       it is
 *     too full    more than twice the rate promised or, where none is, more
 *                 than SEENSET_MOST_RATE
 *     too large   it was not made for a number of keys, so it has all that it
 *                 will have, and half of it would do for them at 1 %
 *     empty       no bit is set
 *
 * Keys are estimated from the bits: what a file says of itself is beside the
 * point.
 */
#ifndef VERDICT_H
#define VERDICT_H

#include "seenset/seenset.h"

typedef enum verdict {
    VERDICT_SOUND,
    VERDICT_TOO_FULL,
    VERDICT_TOO_LARGE,
    VERDICT_EMPTY
} verdict;

/* What it follows from. */
typedef struct verdict_figures {
    seenset_layout layout;
    uint32_t hash_count;
    uint64_t size_bits, set_bits;
    uint64_t capacity_items; /* 0: not known */
    double promised;         /* 0: nothing is */
    double estimated_items, rate;
    bool keeps_promise; /* its rate is that promised however many keys */
} verdict_figures;

/* Those of a set. */
verdict_figures verdict_of_set(const seenset_stats *stats);

verdict verdict_find(const verdict_figures *of);

/* "too full" */
const char *verdict_name(verdict found);

/* A sentence: "sized for 1.0 million, holds about 5.0 million: 1 answer in 3 is
 * wrong" */
typedef struct verdict_text {
    char text[288];
} verdict_text;

verdict_text verdict_say(const verdict_figures *of, verdict found);

/* The bytes that its keys need; 0: not known. */
uint64_t verdict_needed_bytes(const verdict_figures *of);

#endif
