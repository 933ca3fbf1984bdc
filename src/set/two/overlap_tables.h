/*
 * overlap_tables.h - how many keys two tables share.
 *
 * Between two that grow in place, slots that match say so (expand/overlap.h).
 * Between one and a table of bits, a slot's prefix tells the line where its
 * key's first bits would be. Lines with many of its slots have many bits set
 * only if keys are in both: with y the keys that a line's bits show, the sum
 * over all slots of y less its mean over all lines is the number of those keys,
 * as both are Poisson in a line. Its variance is the number of slots times that
 * of y. In the classic filter a line is a bit, and y is a set bit above what
 * chance sets. A small table has few lines, which show little: so the number is
 * weighed against what is expected before (ss_overlap_guess).
 */
#ifndef SS_SET_TWO_OVERLAP_TABLES_H
#define SS_SET_TWO_OVERLAP_TABLES_H

#include <math.h>

#include "set/set.h"

typedef struct ss_overlap_estimate {
    double items, variance;
} ss_overlap_estimate;

/* What is known of a number of keys before bits are looked at: it is anything
 * up to `most`, and `mean` if the sets got their keys in random order. */
typedef struct ss_overlap_guess {
    double mean, most;
} ss_overlap_guess;

/* Nothing. */
#define SS_OVERLAP_NO_GUESS ((ss_overlap_guess){-1.0, INFINITY})

/* The keys of table i, which grows in place, of a set: those that the tables
 * before it took for seen are among them. */
ss_overlap_estimate ss_overlap_of_expanded(const seenset *set, uint32_t i);

/* The keys that two tables of bits share; an empty one shares none. They are
 * counted in overlap_bits.c. */
ss_overlap_estimate ss_overlap_of_bits(const ss_table *x, const ss_table *y);

/* The keys that two tables share, one of which at least grows in place. */
ss_overlap_estimate ss_overlap_of_tables(const ss_table *x, const ss_table *y,
                                         ss_overlap_guess guess);

/* The same of table i of a set and j of another: those that the tables before
 * these took for seen are among them. */
ss_overlap_estimate ss_overlap_with_expanded(const seenset *a, uint32_t i,
                                             const seenset *b, uint32_t j,
                                             ss_overlap_guess guess);

#endif
