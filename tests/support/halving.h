/*
 * halving.h - sets that grow as they did up to version 2 of the format: table g
 * of the list is planned for a rate of p / 2^(g+1), whatever the others keep.
 */
#ifndef TEST_HALVING_H
#define TEST_HALVING_H

#include "support.h"

seenset *test_make_halving(seenset_options options);

/* Makes room for more keys if the newest table is full: before each add. */
void test_grow_halving(seenset *set);

#endif
