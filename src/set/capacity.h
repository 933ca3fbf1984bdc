/*
 * capacity.h - the moment when a set has the keys it was planned for.
 *
 * A set that degrades or refuses keeps its promise up to then. Whoever asked to
 * be told is told once, by the call that added the key, after it. Until then
 * adds of single keys pass by here (fast_path_items); after that, and in sets
 * that tell nobody, adding costs nothing more.
 */
#ifndef SS_SET_CAPACITY_H
#define SS_SET_CAPACITY_H

#include "base/export.h"
#include "set/set.h"

/* Has it capacity_items keys, and breaks its promise or refuses from there on?
 */
static inline bool ss_capacity_is_reached(const seenset *set)
{
    const ss_generation *only = set->generations;
    return (set->on_full == SEENSET_ON_FULL_DEGRADE ||
            set->on_full == SEENSET_ON_FULL_REFUSE) &&
           !ss_set_is_sealed(set) &&
           ss_set_added_items(only) >= only->capacity_items;
}

/* Who is to be told, or NULL. Does nothing to a view or a set that keeps its
 * promise. No other call may use the set meanwhile. */
SS_EXPORT void ss_capacity_watch(seenset *set, ss_capacity_function *tell,
                                 void *context);

/* The same where somebody is to be told. */
SS_EXPORT void ss_capacity_tell_watcher(seenset *set);

/* Tells, if it is time and nobody has told: exactly one of any number of
 * threads. To be called when keys were added, or one was refused. */
static inline void ss_capacity_tell(seenset *set)
{
    if (__atomic_load_n(&set->at_capacity, __ATOMIC_RELAXED) != NULL)
        ss_capacity_tell_watcher(set);
}

#endif
