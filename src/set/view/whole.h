/*
 * whole.h - a set whose tables are sound and have all of its keys, for calls
 * that read all of a set.
 *
 * A view may have hashes beside a table that grows in place (overlay.h). Others
 * may be asking the view, so that table is not changed: the call has a copy of
 * the set, and all other sets as they are.
 */
#ifndef SS_SET_VIEW_WHOLE_H
#define SS_SET_VIEW_WHOLE_H

#include "set/set.h"

typedef struct ss_whole {
    const seenset *set; /* which has all keys in its tables */
    seenset *copy;      /* the same, if it had to be made; or NULL */
} ss_whole;

/* 0, SEENSET_ECORRUPT or SEENSET_ENOMEM. On error there is nothing to end. */
int ss_whole_begin(ss_whole *whole, const seenset *set);

/* Keeps errno. */
void ss_whole_end(const ss_whole *whole);

#endif
