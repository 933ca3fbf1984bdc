/* algebra.h - what union is made of, for windows (window_merge.c) */
#ifndef SS_SET_ALGEBRA_H
#define SS_SET_ALGEBRA_H

#include "set/set.h"

/* Adds the keys of a table that is alike to a table's own. */
void ss_algebra_unite(ss_generation *into, const ss_generation *from);

#endif
