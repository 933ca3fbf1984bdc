/* figures.c - the arithmetic of a set's figures; see figures.h */
#include "set/figures.h"

#include <math.h>

#include "plan/shape.h"

/* What is said of one table. */
typedef struct figures {
    double fill;
    double rate;
    double rate_error; /* standard deviation, as a part of the rate */
} figures;

/* ---- one table ---- */

static const double most_deviations = 6.0;

/* Are there so few keys that a part of the cells may have none of them? */
static bool is_sparse(const ss_look *seen, const ss_plan_state *model,
                      uint32_t hash_count)
{
    return model->fill * (double)seen->cells < 1000.0 * hash_count;
}

/* What chance does to the fill of a part: what it shows itself; of a few keys
 * only, that their number is a Poisson variable. */
static double part_fill_error(const ss_look *seen, const ss_plan_state *model,
                              uint32_t hash_count)
{
    double of_few = sqrt(hash_count * model->fill / (double)seen->cells);
    return seen->fill_error +
           (is_sparse(seen, model, hash_count) ? of_few : 0.0);
}

/* What it does to the rate of a part. That of a table which is nearly empty
 * varies so much that a part shows nothing: infinite. */
static double part_rate_error(const ss_look *seen, const ss_plan_state *model,
                              const ss_table_state *table)
{
    double of_part =
        model->spread * sqrt((double)table->size_bits / (double)seen->cells);
    if (!(of_part < 0.02) || is_sparse(seen, model, table->hash_count))
        return INFINITY;
    return fmax(hypot(of_part, model->doubt) * model->rate,
                seen->rate_error * seen->rate);
}

static bool is_near(double a, double b, double error)
{
    return fabs(a - b) <= most_deviations * error;
}

static figures of_cells(const ss_look *seen)
{
    return (figures){.fill = (double)seen->set_cells / (double)seen->cells,
                     .rate = seen->rate,
                     .rate_error = seen->rate_error};
}

/*
 * How many keys the part shows, within what added_items leaves open
 * (figures.h), and the model of those. Each key leaves the same part of the
 * empty cells empty: so the logarithm of that part is proportional to the keys.
 */
static ss_plan_state of_keys_shown(const ss_table_state *table,
                                   const ss_plan_state *most)
{
    const ss_look *seen = &table->seen;
    double least_keys = (double)table->added_items;
    double fill = (double)seen->set_cells / (double)seen->cells;
    double per_key = log1p(-most->fill) / most->keys;
    double keys = log1p(-fill) / per_key;
    double doubt = part_fill_error(seen, most, table->hash_count) /
                   ((1.0 - fill) * -per_key);
    if (!isfinite(keys) || !isfinite(doubt))
        return *most; /* all cells are set */
    return ss_plan_expect_keys(table->traits->id,
                               fmin(fmax(keys, least_keys), most->keys),
                               fmin(doubt, most->keys - least_keys),
                               table->size_bits, table->hash_count);
}

/* What is expected of the cells, from the keys and, where those leave much
 * open, from a part of the cells. */
static ss_plan_state expect(const ss_table_state *table)
{
    double added = (double)table->added_items;
    ss_plan_state most = ss_plan_expect(table->traits->id, table->added_items,
                                        table->size_bits, table->hash_count);
    ss_plan_state least = ss_plan_expect_keys(
        table->traits->id, added, 0.0, table->size_bits, table->hash_count);
    if (table->seen.cells == 0 ||
        !(least.rate < most.rate * (1.0 - SS_FIGURES_MUCH)))
        return most;
    return of_keys_shown(table, &most);
}

/* What the model and a part of the cells say together. */
static figures of_model(const ss_table_state *table)
{
    const ss_look *seen = &table->seen;
    ss_plan_state model = expect(table);
    figures told = {model.fill, model.rate, hypot(model.spread, model.doubt)};
    if (seen->cells == 0)
        return told;
    figures shown = of_cells(seen);
    if (!is_near(shown.fill, told.fill,
                 part_fill_error(seen, &model, table->hash_count)))
        return shown;
    if (is_near(shown.rate, told.rate, part_rate_error(seen, &model, table)))
        return told;
    shown.fill = told.fill;
    return shown;
}

static figures of_table(const ss_table_state *table)
{
    /* how many copies there are, and what was cut, no model knows */
    if (table->traits->has_slots && table->seen.cells > 0 && !table->is_counted)
        return of_cells(&table->seen);
    if (table->is_counted || table->traits->is_built_once ||
        table->traits->is_expandable) {
        figures shown = of_cells(&table->seen);
        shown.rate_error = 0.0;
        return shown;
    }
    return of_model(table);
}

/* ---- all tables ---- */

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
    double own =
        table->traits->is_expandable
            ? table->wrong_items
            : seenset_plan_wrong_items(table->traits->id, table->added_items,
                                       table->size_bits, table->hash_count);
    return (own + (double)table->added_items * older) / (1.0 - older);
}

/* The distinct keys that a table probably has. */
static double distinct_items(const ss_table_state *table, const figures *own,
                             uint64_t set_bits)
{
    if (table->traits->is_built_once)
        return (double)table->added_items; /* known */
    if (table->traits->is_expandable)
        return (double)table->added_items + table->wrong_items;
    return table->traits->has_slots
               ? ss_plan_items_shown(own->rate, own->fill, table->size_bits,
                                     table->hash_count)
               : seenset_plan_item_estimate(set_bits, table->size_bits,
                                            table->hash_count);
}

static void add_table(sums *to, const ss_table_state *table)
{
    const figures own = of_table(table);
    double error = own.rate * own.rate_error;
    uint64_t set_bits =
        table->is_counted
            ? table->seen.set_cells
            : (uint64_t)llround(own.fill * (double)table->size_bits);
    to->all.set_bits += set_bits;
    to->all.is_counted &= table->is_counted;
    to->all.estimated_items += distinct_items(table, &own, set_bits);
    if (!table->traits->is_built_once)
        to->all.wrong_items += wrong_items(table, -expm1(to->log_missed));
    to->log_missed += log1p(-own.rate);
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
    if (state->size_bits == 0) { /* keys without a filter */
        sum.all.estimated_items = (double)info->added_items;
        return sum.all;
    }
    for (uint32_t i = 0; i < state->count; i++)
        add_table(&sum, &state->tables[i]);
    double rate = fabs(expm1(sum.log_missed));
    sum.all.fill = (double)sum.all.set_bits / (double)state->size_bits;
    sum.all.current_fp_rate = rate;
    if (rate > 0.0)
        sum.all.fp_rate_error = sqrt(sum.rate_variance) / rate;
    return sum.all;
}
