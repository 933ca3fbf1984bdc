/* expected_items.c - see expected_items.h */
#include "set/expected_items.h"

#include "set/kinds/kind.h"
#include "set/promise.h"

bool ss_expected_append(seenset *set)
{
    uint64_t added_items = 0;
    for (uint32_t i = 0; i < set->generation_count; i++)
        added_items += ss_set_added_items(&set->generations[i]);
    if (ss_set_is_expanded(set) || set->expected_items <= added_items)
        return false;
    const ss_table *newest = &ss_set_newest(set)->table;
    seenset_plan plan = {.layout = newest->layout->traits->id,
                         .capacity_items = set->expected_items - added_items};
    return ss_promise_plan_next(&plan, set->fp_rate, set->generations,
                                set->generation_count) == SEENSET_OK &&
           ss_set_append(set, &plan, newest->cell_bits) == SEENSET_OK;
}

int seenset_expect(seenset *set, uint64_t items)
{
    if (set == NULL || items > SEENSET_MAX_SIZE_BITS)
        return SEENSET_EINVAL;
    if (set->on_full != SEENSET_ON_FULL_GROW)
        return SEENSET_EUNSUPPORTED;
    if (set->kind->add_error != SEENSET_OK)
        return set->kind->add_error;
    set->expected_items = items;
    return SEENSET_OK;
}
