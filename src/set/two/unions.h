/*
 * unions.h - tables that grow in place, united before any is changed.
 *
 * A merge that fails leaves its set as it was. Uniting two such tables needs
 * memory, so unions are made beside them first, and put in their places when
 * nothing can fail any more.
 */
#ifndef SS_SET_TWO_UNIONS_H
#define SS_SET_TWO_UNIONS_H

#include "set/set.h"

typedef struct ss_union {
    struct ss_expand *expand; /* NULL: the generation stays as it is */
    uint64_t added_items;
    double fp_rate; /* promised */
    bool is_first;  /* the same as the first of the two it was made of */
} ss_union;

/* Of the generations of a set. All zero: none. */
typedef struct ss_unions {
    ss_union of[SS_MAX_TABLES];
} ss_unions;

/*
 * Does what needs memory for taking in `source`: a union with generation
 * `target` if both grow in place; or, if that is SS_UNITING_NOWHERE, a copy of
 * it as one more generation. 0 or SEENSET_ENOMEM.
 */
int ss_unions_ready(ss_unions *made, seenset *into, const ss_generation *source,
                    uint32_t target);

/* Puts all in the places of the set's tables. Returns whether there is any. */
bool ss_unions_take(ss_unions *made, seenset *set);

/* Frees them. */
void ss_unions_drop(ss_unions *made);

#endif
