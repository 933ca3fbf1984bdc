/*
 * expected_items.h - keys that are still expected get a table of their own.
 *
 * A set that grows does not know for how many keys. Its caller may: not when
 * the set was made, but when it has to grow (seenset_expect). Then the rest of
 * them need no table that grows in place:
 *
 *     | first: n keys | as many as are expected | all others, in place ...
 *
 * Each table takes half of what those before it left of the rate. A number that
 * was too low costs nothing but a table more to be asked.
 */
#ifndef SS_SET_EXPECTED_ITEMS_H
#define SS_SET_EXPECTED_ITEMS_H

#include "set/set.h"

/* Appends a table for the keys that are expected besides those in the set.
 * Returns whether it did: more are expected, and there is memory for them. */
bool ss_expected_append(seenset *set);

#endif
