/* algebra.h - parts of two sets together, for window_merge.c and overlap.c */
#ifndef SS_SET_TWO_ALGEBRA_H
#define SS_SET_TWO_ALGEBRA_H

#include "set/set.h"

/* The Jaccard index of two sets of one table each and of one shape, with its
 * standard error, from the bits of both, which are checked already. False, and
 * the outputs unchanged, for other sets. */
bool ss_algebra_jaccard(const seenset *a, const seenset *b, double *jaccard,
                        double *jaccard_error);

#endif
