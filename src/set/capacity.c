/* capacity.c - a set at its capacity, told once; see capacity.h */
#include "set/capacity.h"

#include "set/kinds/kind.h"

void ss_capacity_watch(seenset *set, ss_capacity_function *tell, void *context)
{
    if (!set->kind->breaks_promise)
        return;
    set->at_capacity = tell;
    set->at_capacity_context = context;
    ss_set_choose_kind(set);
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
        ss_set_choose_kind(set);
    tell(set->at_capacity_context, set);
}
