/* capacity.c - a set at its capacity, told once; see capacity.h */
#include "set/capacity.h"

void ss_capacity_watch(seenset *set, ss_capacity_function *tell, void *context)
{
    bool keeps_promise = set->on_full == SEENSET_ON_FULL_GROW ||
                         set->on_full == SEENSET_ON_FULL_ROTATE;
    if (set->is_view || keeps_promise)
        return;
    set->at_capacity = tell;
    set->at_capacity_context = context;
    ss_set_update_fast_path(set);
}

static SS_NOINLINE void tell(seenset *set)
{
    ss_capacity_function *function =
        __atomic_exchange_n(&set->at_capacity, NULL, __ATOMIC_RELAXED);
    if (function == NULL)
        return; /* another thread was first */
    if (!set->is_shared)
        ss_set_update_fast_path(set);
    function(set->at_capacity_context, set);
}

void ss_capacity_tell(seenset *set)
{
    if (__atomic_load_n(&set->at_capacity, __ATOMIC_RELAXED) != NULL &&
        ss_capacity_is_reached(set))
        tell(set);
}
