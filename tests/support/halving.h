/*
 * halving.h - sets that grow as they did up to version 2 of the format: table g
 * of the list is planned for a rate of p / 2^(g+1), whatever the others keep;
 * or as in versions 3 and 4, where the list keeps p whatever its tables took.
 */
#ifndef TEST_HALVING_H
#define TEST_HALVING_H

#include "support.h"

seenset *test_make_halving(seenset_options options);

/* Makes room for more keys if the newest table is full: before each add. */
void test_grow_halving(seenset *set);

/* The same as sets grew before version 5: a table more, of twice the size. */
void test_grow_list(seenset *set);

#endif
