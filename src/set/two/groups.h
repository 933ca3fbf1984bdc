/*
 * groups.h - how many keys the tables of a list have together.
 *
 * In a set that grew by itself no key is in two tables, so their keys add up.
 * After merges a key may be in several. A merge so finds out how many distinct
 * keys there are, and credits each table with those that no other counts for:
 * that is added_items then, and may be far below what the table's bits show.
 *
 * Where bits are compared it is the bits that count. There the tables of one
 * shape are taken as one, a group: their bits together are those of their
 * distinct keys, as long as not nearly all are set. What is left is keys that
 * are in several groups.
 */
#ifndef SS_SET_TWO_GROUPS_H
#define SS_SET_TWO_GROUPS_H

#include "set/two/overlap_tables.h"
#include "set/set.h"

/* A group has no more: bits of which over 98.2 % are set show too little. */
#define SS_GROUPS_MOST_LOAD 4.0

typedef struct ss_groups {
    const seenset *set;
    uint32_t count;
    ss_table tables[SS_MAX_TABLES]; /* of one alone: that table */
    bool owns_words[SS_MAX_TABLES]; /* of several: the group's own */
    uint32_t firsts[SS_MAX_TABLES]; /* its first generation */
    double loads[SS_MAX_TABLES];    /* of its tables, added up */
    bool has_several;               /* any of several? */
} ss_groups;

/* Those of the tables whose keys are remembered. 0 or SEENSET_ENOMEM. Cost:
 * where several tables have one shape, memory for one and a look at each. */
int ss_groups_make(ss_groups *groups, const seenset *set, uint64_t now);

/* Gives its memory back. */
void ss_groups_end(ss_groups *groups);

/* The variance of the key estimate -(m/k) ln(1 - X/m) by the delta method,
 * X the set bits of m after `items` keys: (m/k^2) (e^L - 1 - L), L = k n/m. */
double ss_groups_variance(const ss_table *table, double items);

/* The keys that the bits of a table show. */
ss_overlap_estimate ss_groups_shown_by_bits(const ss_table *table);

/* -ln of the part of a table's bits that are 0: as its keys are, it adds up. */
double ss_groups_load(const ss_table *table);

/* Do the keys of generation i count by what was added to it, or credited, and
 * not by what its bits show? So it is in lists, but for the table that is being
 * filled. */
bool ss_groups_is_credited(const seenset *set, uint32_t i);

/* The keys that a table counts for of which so many adds were answered "new":
 * these, and those that it took for seen, which are no more than as many again
 * (of a table that is over-full nobody can know). */
double ss_groups_credited_keys(const ss_layout_traits *traits,
                               uint64_t added_items, uint64_t size_bits,
                               uint32_t hash_count);

/* The distinct keys that generation i counts for. */
ss_overlap_estimate ss_groups_keys_of(const seenset *set, uint32_t i);

/* The same of all tables that are remembered. */
ss_overlap_estimate ss_groups_keys(const seenset *set, uint64_t now);

/*
 * The part of the keys that the groups show together which the set has: a key
 * in two groups is shown by both. 1: as far as bits can tell no key is.
 */
double ss_groups_part(const ss_groups *groups, uint64_t now);

/* The keys that group i shows, whatever its tables count for. */
ss_overlap_estimate ss_groups_keys_shown(const ss_groups *groups, uint32_t i);

#endif
