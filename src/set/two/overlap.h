/* overlap.h - the keys that two sets share, for unions; see overlap.c */
#ifndef SS_SET_TWO_OVERLAP_H
#define SS_SET_TWO_OVERLAP_H

#include "set/two/overlap_tables.h"
#include "set/set.h"

/* Keys of two sets. */
typedef struct ss_overlap_found {
    ss_overlap_estimate all;
    ss_overlap_estimate alike; /* in tables of one kind, which show most: both
                                  of bits, or both grow in place */
} ss_overlap_found;

/*
 * The keys that both have. *is_any_merged: some keys of a or of b are in
 * several of its tables, as it took in others. Both have bits, in one layout,
 * and hash keys in the same way. 0, or SEENSET_ENOMEM and no change.
 */
int ss_overlap_common(const seenset *a, const seenset *b, uint64_t now,
                      ss_overlap_found *common, bool *is_any_merged);

#endif
