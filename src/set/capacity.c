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

void ss_capacity_tell_watcher(seenset *set)
{
    if (!ss_capacity_is_reached(set))
        return;
    ss_capacity_function *tell =
        __atomic_exchange_n(&set->at_capacity, NULL, __ATOMIC_RELAXED);
    if (tell == NULL)
        return; /* another thread was first */
    if (!set->is_shared)
        ss_set_update_fast_path(set);
    tell(set->at_capacity_context, set);
}
