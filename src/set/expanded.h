/*
 * expanded.h - sets that go on in a table that grows in place.
 *
 * When the first table of a set that grows is full, an expandable one
 * (expand/expand.h) takes all further keys, however many they are:
 *
 *     | first: n keys, blocked, p/2 | expandable: all others, what is left |
 *
 * It is the last of its set, or of its span in a window by age. It may share
 * the rate with several tables before it, where these came from an older file
 * or with a merge.
 */
#ifndef SS_SET_EXPANDED_H
#define SS_SET_EXPANDED_H

#include "set/set.h"

/*
 * Appends an expandable table. It takes what the last `older` tables, each at
 * its capacity, leave of the rate `budget`.
 * 0; or, with the set unchanged, SEENSET_ENOMEM or SEENSET_ERATE (the newest is
 * such a table and has as many keys as 64-bit hashes can be told apart at its
 * rate; or what is left is not enough for one key).
 */
int ss_expanded_append(seenset *set, double budget, uint32_t older);

/* How many new keys such a table took for seen, as expected. */
double ss_expanded_wrong_items(const ss_generation *generation);

#endif
