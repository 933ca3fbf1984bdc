/* figures.c - the arithmetic of a set's figures; see figures.h */
#include "set/figures.h"

#include <math.h>

/* What is added up, table by table, oldest first. */
typedef struct sums {
    seenset_estimate all;
    double log_missed;    /* by every table so far */
    double rate_variance; /* of the sum of their rates */
} sums;

/*
 * What was offered to a table had to get past those before it first. `older` is
 * the chance that one of these took a new key for seen: of the keys that were
 * offered to this one, added / (1 - older) had to be offered to the set.
 */
static double wrong_items(const ss_table_state *table, double older)
{
    double own = seenset_plan_wrong_items(table->traits->id, table->added_items,
                                          table->size_bits, table->hash_count);
    return (own + (double)table->added_items * older) / (1.0 - older);
}

static void add_table(sums *to, const ss_table_state *table)
{
    double error = table->rate * table->rate_error;
    to->all.set_bits += table->set_bits;
    to->all.is_counted &= table->is_counted;
    if (table->traits->is_built_once) {
        to->all.estimated_items += (double)table->added_items; /* known */
    } else {
        to->all.estimated_items += seenset_plan_item_estimate(
            table->set_bits, table->size_bits, table->hash_count);
        to->all.wrong_items += wrong_items(table, -expm1(to->log_missed));
    }
    to->log_missed += log1p(-table->rate);
    to->rate_variance += error * error;
}

seenset_estimate ss_figures_of(const ss_set_state *state)
{
    const seenset_info *info = &state->info;
    sums sum = {.all = {.capacity_items = info->capacity_items,
                        .added_items = info->added_items,
                        .size_bits = state->size_bits,
                        .fp_rate = info->fp_rate,
                        .is_counted = 1}};
    for (uint32_t i = 0; i < state->count; i++)
        add_table(&sum, &state->tables[i]);
    double rate = fabs(expm1(sum.log_missed));
    sum.all.fill = (double)sum.all.set_bits / (double)state->size_bits;
    sum.all.current_fp_rate = rate;
    if (rate > 0.0)
        sum.all.fp_rate_error = sqrt(sum.rate_variance) / rate;
    return sum.all;
}
