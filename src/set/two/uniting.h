/*
 * uniting.h - which tables of a list become one when two sets are merged.
 *
 * The union of two tables of bits can be kept in two ways. As a list of both it
 * answers "seen" where either does: the rates add up, nothing else is lost, and
 * each further table costs its memory and a look at every lookup. Place by
 * place in one table of their shape it costs nothing, but the table has the
 * keys of both, and the rate of so many keys. So tables become one
 *
 * - if one has all bits of the other: then nothing changes;
 * - if their distinct keys are no more than the table was planned for: then it
 *   keeps its promise;
 * - or if the rate is not above that of the list. That is so when most keys are
 *   in both.
 *
 * All else joins the list, and a list that is full folds: the pair of its
 * tables that costs the least becomes one, whatever their sizes
 * (table/project.h).
 */
#ifndef SS_SET_TWO_UNITING_H
#define SS_SET_TWO_UNITING_H

#include "set/set.h"

enum {
    SS_UNITING_NOWHERE = SS_MAX_TABLES
};

/* Of the tables that are to take in others, before any is changed. */
typedef struct ss_uniting_plan {
    double more_items[SS_MAX_TABLES];    /* keys that go there already */
    uint32_t taken_count[SS_MAX_TABLES]; /* tables that do, and change it */
} ss_uniting_plan;

/* Distinct keys of two tables of one shape, as bits show them. */
typedef struct ss_uniting_keys {
    double into, from, either;
} ss_uniting_keys;

/* Where a table goes. */
typedef struct ss_uniting_place {
    uint32_t target;      /* the generation, or SS_UNITING_NOWHERE */
    bool is_covered;      /* that has all of its bits already */
    ss_uniting_keys keys; /* of the two, if it is not covered */
} ss_uniting_place;

/*
 * Which of the first `count` generations of `into` takes in `from`. is_open:
 * which of them may; NULL: all. Where `from` grows in place, it is any other
 * that does. Cost: a look at all bits of `from` and of the tables that are like
 * it, until one is found.
 */
ss_uniting_place ss_uniting_find(ss_uniting_plan *plan, const seenset *into,
                                 uint32_t count, const bool *is_open,
                                 const ss_generation *from);

/* Adds the bits of a table of bits to those of the place that was found for it,
 * after all places were found. Returns whether that changed any. */
bool ss_uniting_add(const ss_uniting_plan *plan, const ss_uniting_place *place,
                    seenset *into, const ss_generation *from);

/* How many tables of a list could be folded away. */
uint32_t ss_uniting_foldable(const seenset *set);

/*
 * Folds a list until it has at most so many tables, or nothing is left to be
 * folded: all but the newest, where that is one of bits, and of windows by age
 * each span by itself. Returns whether it has so few. Cost: a look at all bits
 * of the set.
 */
bool ss_uniting_fold(seenset *set, uint32_t most);

#endif
