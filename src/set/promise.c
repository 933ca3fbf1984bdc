/*
 * promise.c - a rate that a set keeps, not one that sets keep on average.
 *
 * Tables whose expected rates add up to p are together over p half of the
 * time. So a list is planned by bounds (plan/bound.c). The bound of a table is
 * the rate that 199 of 200 such tables keep; the bounds add up to less than p,
 * and for all tables to be over theirs at once is rarer still.
 */
#include "set/promise.h"

#include <math.h>

#include "plan/expand.h"
#include "plan/shape.h"

double ss_promise_of(ss_generation *generation)
{
    const ss_table *table = &generation->table;
    if (table->expand != NULL) /* its widths were planned for its rate */
        generation->rate_bound = generation->fp_rate;
    if (!(generation->rate_bound > 0.0))
        generation->rate_bound =
            ss_plan_bound(table->layout->traits->id, generation->capacity_items,
                          table->size_bits, table->hash_count);
    return generation->rate_bound;
}

static const double most_taken = 0.625;

/*
 * What the tables, each at its capacity, leave of the budget. The rate that is
 * expected of a few keys is mostly that of the rare table in which many share a
 * block, and so above the bound of nearly all: what such a table promises is
 * left to it.
 */
static double left_of(double budget, ss_generation *tables,
                      uint32_t table_count)
{
    for (uint32_t i = 0; i < table_count; i++)
        budget -= fmax(ss_promise_of(&tables[i]), tables[i].fp_rate);
    return budget;
}

/* The least that a list leaves which older versions planned: each of its tables
 * took most_taken of what there was. */
static double least_left(double budget, uint32_t table_count)
{
    return budget * pow(1.0 - most_taken, table_count);
}

/* What such a list would leave, for those that leave less: half each time. */
static double usual_left(double budget, uint32_t table_count)
{
    return ldexp(budget, -(int)table_count);
}

/*
 * The first table takes half of the rate, as long as its bound takes five
 * eighths at most, so that three eighths remain for all further keys. Large
 * tables are so: their bounds are close to their rates. One of fewer keys, up
 * to some hundreds, gets a rate so low that its bound takes only half of that:
 * it costs little, since it is small, and saves bits in what follows.
 */
int ss_promise_plan_first(seenset_plan *plan, double budget)
{
    /* what bits can lower is what is above the rate of equal hashes */
    double least = (double)plan->capacity_items * 0x1p-64;
    double most = budget * most_taken;
    double rate = budget / 2.0;
    seenset_plan tried;
    for (;;) {
        tried = (seenset_plan){.layout = plan->layout,
                               .capacity_items = plan->capacity_items,
                               .fp_rate = rate};
        if (!(rate > 0.0))
            return SEENSET_ERATE; /* 0 would mean that none is asked for */
        int error = seenset_plan_solve(&tried);
        if (error != SEENSET_OK)
            return error;
        double bound = ss_plan_bound(tried.layout, tried.capacity_items,
                                     tried.size_bits, tried.hash_count);
        if (bound <= most)
            break;
        most = least + (budget * most_taken - least) / 2.0;
        double part = (most - least) / (bound - least);
        rate = least + (rate - least) * fmin(part, 0.99);
    }
    *plan = tried;
    return SEENSET_OK;
}

/* Do the tables of a list promise more than the list, which merges gave them?
 */
static bool is_over(double budget, const ss_generation *tables,
                    uint32_t table_count)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < table_count; i++)
        sum += tables[i].fp_rate;
    return sum > budget;
}

/* What a list leaves to the next table. One that is over its promise already
 * leaves what a single table would: less would cost bits and keep nothing. */
static double budget_of_next(double budget, ss_generation *tables,
                             uint32_t table_count)
{
    if (is_over(budget, tables, table_count))
        return least_left(budget, 1);
    double left = left_of(budget, tables, table_count);
    return left >= least_left(budget, table_count)
               ? left
               : usual_left(budget, table_count);
}

int ss_promise_plan_next(seenset_plan *plan, double budget,
                         ss_generation *tables, uint32_t table_count)
{
    return ss_promise_plan_first(plan,
                                 budget_of_next(budget, tables, table_count));
}

/*
 * The first table takes the half that it always took, so a set that never grows
 * is what it was. The rest is worth less the more the set grows: the first
 * table's keys become few, and their half of the rate is then lost, one bit of
 * each slot. A first table of p/8 would give that bit back and take three more
 * for each of its own keys, in all sets, whether they grow or not.
 */
int ss_promise_plan_expand(double budget, ss_generation *tables,
                           uint32_t table_count, double *fp_rate,
                           uint8_t widths[SS_EXPAND_DEPTHS])
{
    uint64_t items = 0;
    for (uint32_t i = 0; i < table_count; i++)
        items += tables[i].capacity_items; /* each at most 2^53 */
    double left = budget_of_next(budget, tables, table_count);
    int error = ss_plan_expand(left, items, SS_EXPAND_LOAD, widths);
    if (error == SEENSET_OK)
        *fp_rate = left;
    return error;
}
