/* expanded.c - sets that go on in a table that grows in place; see expanded.h
 */
#include "set/expanded.h"

#include "plan/expand.h"
#include "set/promise.h"
#include "table/expandable.h"

int ss_expanded_append(seenset *set, double budget, uint32_t older)
{
    if (ss_set_is_expanded(set))
        return SEENSET_ERATE;
    ss_generation *tables = set->generations + set->generation_count - older;
    ss_expand_options options = {.allocator = ss_set_allocator(set)};
    double left;
    int error =
        ss_promise_plan_expand(budget, tables, older, &left, options.widths);
    if (error != SEENSET_OK)
        return error;
    ss_expand *expand;
    if (ss_expand_new(&expand, &options) != SEENSET_OK)
        return SEENSET_ENOMEM;
    ss_generation added = {.table = ss_expandable_table(expand),
                           .capacity_items = ss_plan_expand_items(left),
                           .fp_rate = left};
    error = ss_set_append_table(set, &added);
    if (error != SEENSET_OK)
        ss_expand_free(expand);
    return error;
}

double ss_expanded_wrong_items(const ss_generation *generation)
{
    const ss_expand *expand = generation->table.expand;
    uint64_t added = ss_set_added_items(generation);
    ss_plan_expand_state expected;
    if (added == 0)
        return 0.0;
    ss_plan_expand_at(expand->widths, expand->load, (double)added, &expected);
    return expected.wrong_items;
}
