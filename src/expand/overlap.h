/*
 * overlap.h - what two tables that grow in place have in common.
 *
 * A key of both has a slot in each, and these two match: one's prefix begins
 * with the other's, however differently the tables grew. A key of both that one
 * table took for seen has a match too, with the slot that it was taken for. And
 * of keys that are in one table only, slots match by chance, as often as their
 * lengths have it; slots of keys that are in one table never do, as it would
 * not have stored the second. So of n_a and n_b slots, of which E pairs would
 * match by chance if no key were in both, c keys of both make
 *
 *     c + E (1 - c / n_a) (1 - c / n_b)
 *
 * pairs that match.
 */
#ifndef SS_EXPAND_OVERLAP_H
#define SS_EXPAND_OVERLAP_H

#include "expand/expand.h"

typedef struct ss_matches {
    double items;    /* of both: c */
    double variance; /* of it: the pairs that match by chance */
} ss_matches;

/* Cost: a look at each unit of the table with more units, in both. */
ss_matches ss_expand_matches(const ss_expand *a, const ss_expand *b);

#endif
