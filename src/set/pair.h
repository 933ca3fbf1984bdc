/*
 * pair.h - a set that has grown: a table of fixed size, and one beside it that
 * grows in place. What is asked of both goes from the one to the other without
 * what lists of tables need (generations.h). Only where set->is_pair.
 */
#ifndef SS_SET_PAIR_H
#define SS_SET_PAIR_H

#include "expand/expand.h"
#include "expand/twins.h"
#include "set/set.h"
#include "table/batch.h"

/* Does the second have more keys? Then it is asked first. */
static inline bool ss_pair_is_grown(const seenset *set)
{
    return set->generations[1].added_items >= set->generations[0].added_items;
}

static inline bool ss_pair_has(const seenset *set, uint64_t hash)
{
    const ss_table *first = &set->generations[0].table;
    const ss_expand *second = set->generations[1].table.expand;
    if (!ss_pair_is_grown(set))
        return first->layout->has(first, hash) ||
               second->twin->has(second, hash);
    return second->twin->has(second, hash) || first->layout->has(first, hash);
}

/* May keys be added here, so many? Else they go through generations.c. */
static inline bool ss_pair_takes(const seenset *set, uint64_t count)
{
    const ss_generation *second = &set->generations[1];
    return set->is_pair && set->on_full == SEENSET_ON_FULL_GROW &&
           !set->is_view &&
           second->added_items + count < second->capacity_items;
}

/* 1, 0, or SEENSET_ENOMEM */
static inline int ss_pair_add(seenset *set, uint64_t hash)
{
    const ss_table *first = &set->generations[0].table;
    ss_generation *second = &set->generations[1];
    if (first->layout->has(first, hash))
        return 0;
    int is_new = ss_expand_add(second->table.expand, hash);
    second->added_items += is_new > 0;
    return is_new;
}

/* Answers as ss_generations_add_many. */
int ss_pair_add_many(seenset *set, const ss_batch *batch, uint8_t *is_new);

void ss_pair_has_many(const seenset *set, const ss_batch *batch,
                      uint8_t *is_seen);

#endif
