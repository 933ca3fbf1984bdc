/* halving.c - sets as older versions grew them; see halving.h */
#include "halving.h"

#include <math.h>

#include "plan/shape.h"
#include "set/promise.h"

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

/* Half of what the tables leave, if its bound takes five eighths at most. */
static seenset_plan plan_of_list(seenset_layout layout, uint64_t items,
                                 double left)
{
    double least = (double)items * 0x1p-64, most = left * 0.625;
    double rate = left / 2.0;
    for (;;) {
        seenset_plan plan = {
            .layout = layout, .capacity_items = items, .fp_rate = rate};
        assert_int_equal(seenset_plan_solve(&plan), SEENSET_OK);
        double bound =
            ss_plan_bound(layout, items, plan.size_bits, plan.hash_count);
        if (bound <= most)
            return plan;
        most = least + (left * 0.625 - least) / 2.0;
        double part = (most - least) / (bound - least);
        rate = least + (rate - least) * fmin(part, 0.99);
    }
}

void test_grow_list(seenset *set)
{
    const ss_generation *newest = ss_set_newest(set);
    double left = set->fp_rate;
    if (newest->added_items < newest->capacity_items)
        return;
    for (uint32_t i = 0; i < set->generation_count; i++)
        left -= ss_promise_of(&set->generations[i]);
    seenset_plan plan = plan_of_list(newest->table.layout->traits->id,
                                     newest->capacity_items * 2, left);
    assert_int_equal(ss_set_append(set, &plan, 1), SEENSET_OK);
}
