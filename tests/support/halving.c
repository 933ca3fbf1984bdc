/* halving.c - sets as older versions grew them; see halving.h */
#include "halving.h"

#include <math.h>

#include "set/generations.h"

static void append_halving(seenset *set, seenset_layout layout,
                           uint64_t capacity_items)
{
    seenset_plan plan = {
        .layout = layout,
        .capacity_items = capacity_items,
        .fp_rate = ldexp(set->fp_rate, -(int)set->generation_count - 1)};
    assert_int_equal(seenset_plan_solve(&plan), SEENSET_OK);
    assert_int_equal(ss_set_append(set, &plan, 1), SEENSET_OK);
}

seenset *test_make_halving(seenset_options options)
{
    seenset *set = test_make(options);
    seenset_layout layout = set->generations[0].table.layout->traits->id;
    ss_set_drop_newest(set);
    append_halving(set, layout, set->capacity_items);
    return set;
}

void test_grow_halving(seenset *set)
{
    const ss_generation *newest = ss_set_newest(set);
    if (newest->added_items >= newest->capacity_items)
        append_halving(set, newest->table.layout->traits->id,
                       newest->capacity_items * 2);
}

void test_grow_list(seenset *set)
{
    const ss_generation *newest = ss_set_newest(set);
    seenset_plan plan;
    if (newest->added_items < newest->capacity_items)
        return;
    assert_int_equal(ss_generations_plan_next(set, &plan), SEENSET_OK);
    assert_int_equal(ss_set_append(set, &plan, 1), SEENSET_OK);
}
