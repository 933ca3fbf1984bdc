/*
 * overlap_expanded.h - keys in common where a table grows in place.
 *
 * Between two such tables, slots that match tell (expand/matches.h). Between
 * one and a table of bits, a slot's prefix tells the line where its key's first
 * bits would be. Lines with many of its slots have many bits set only if keys
 * are in both: with y the keys that a line's bits show, the sum over all slots
 * of y less its mean over all lines is the number of those keys, as both are
 * Poisson in a line. Its variance is the number of slots times that of y. In
 * the classic filter a line is a bit, and y is a set bit above what chance
 * sets. A small table has few lines, which show less than that it has few keys:
 * so the number is weighed against any that is possible.
 */
#ifndef SS_SET_OVERLAP_EXPANDED_H
#define SS_SET_OVERLAP_EXPANDED_H

#include "set/set.h"

typedef struct ss_overlap_estimate {
    double items, variance;
} ss_overlap_estimate;

/* The keys of table i, which grows in place, of a set: those that the tables
 * before it took for seen are among them. */
ss_overlap_estimate ss_overlap_of_expanded(const seenset *set, uint32_t i);

/* The keys of table i of a set and j of another, one of which at least grows in
 * place. */
ss_overlap_estimate ss_overlap_with_expanded(const seenset *a, uint32_t i,
                                             const seenset *b, uint32_t j);

#endif
