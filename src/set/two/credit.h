/*
 * credit.h - the distinct keys of a union, credited to its tables.
 *
 * Two sets have D(A) + D(B) - D(both) keys together, and how many are in both
 * their bits show (overlap.c). After many merges errors would add up. So where
 * one of the sets took in others before, and all tables of bits have one shape,
 * the union's own are counted: the bits of all of them together, and the slots
 * of the table that grows in place, less the keys of both of these.
 *
 * The figures of a set are sums over its tables (figures.c). So once the union
 * is made its tables are credited with fewer keys than they have, those that
 * keys are not added to any more, until the sum is right. Every table with a
 * bit keeps a key: one of none is an empty one.
 */
#ifndef SS_SET_TWO_CREDIT_H
#define SS_SET_TWO_CREDIT_H

#include "set/two/overlap_tables.h"
#include "set/set.h"

typedef struct ss_credit {
    double into_items, from_items, common_items;
    uint64_t now;
    bool is_needed; /* both have keys, and keys can be counted */
    bool is_direct; /* from the union's own tables */
} ss_credit;

/* Before the merge. 0 or SEENSET_ENOMEM. Cost: as seenset_get_overlap. */
int ss_credit_begin(ss_credit *credit, const seenset *into,
                    const seenset *from);

/* After it, if it changed anything. */
void ss_credit_end(const ss_credit *credit, seenset *into);

#endif
