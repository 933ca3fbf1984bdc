/*
 * unions.h - tables that grow in place, united before any is changed.
 *
 * A merge that fails leaves its set as it was. Uniting two such tables needs
 * memory, so unions are made beside them first, and put in their places when
 * nothing can fail any more.
 */
#ifndef SS_SET_UNIONS_H
#define SS_SET_UNIONS_H

#include "set/set.h"

typedef struct ss_union {
    struct ss_expand *expand; /* NULL: the generation stays as it is */
    uint64_t added_items;
} ss_union;

/* Of the generations of a set. All zero: none. */
typedef struct ss_unions {
    ss_union of[SS_MAX_TABLES];
} ss_unions;

/*
 * Unites generation `target` of a set, or the union made for it, with `from`;
 * both tables are expandable. 0, or SEENSET_ENOMEM and no change.
 * Cost: that of a copy of the larger, and of adding the slots of the smaller.
 */
int ss_unions_add(ss_unions *made, const seenset *set, uint32_t target,
                  const ss_generation *from);

/*
 * Does what needs memory for taking in `source`: a union with generation
 * `target` if both grow in place; or, if target is `most`, a copy of it as one
 * more generation, of `most` at the most. 0, SEENSET_ENOMEM or SEENSET_ETOOBIG.
 */
int ss_unions_ready(ss_unions *made, seenset *into, const ss_generation *source,
                    uint32_t target, uint32_t most);

/* Puts all in the places of the set's tables. */
void ss_unions_take(ss_unions *made, seenset *set);

/* Frees them. */
void ss_unions_drop(ss_unions *made);

#endif
