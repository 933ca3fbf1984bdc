/* figures.c - the arithmetic of a set's figures; see figures.h */
#include "set/figures/figures.h"

#include <math.h>

#include "seenset/extra/formulas.h"
#include "plan/shape.h"
#include "set/figures/evenness.h"
#include "set/two/groups.h"

/* What is said of one table. */
typedef struct figures {
    double fill;
    double rate;
    double rate_error; /* standard deviation, as a part of the rate */
} figures;

/* ---- one table ---- */

static const double most_deviations = 6.0;

/* Are there so few keys that a part of the cells may have none of them? */
static bool is_sparse(const ss_sample *seen, const ss_plan_state *model,
                      uint32_t hash_count)
{
    return model->fill * (double)seen->cells < 1000.0 * hash_count;
}

/* What chance does to the fill of a part: what it shows itself; of a few keys
 * only, that their number is a Poisson variable. */
static double part_fill_error(const ss_sample *seen, const ss_plan_state *model,
                              uint32_t hash_count)
{
    double of_few = sqrt(hash_count * model->fill / (double)seen->cells);
    return seen->fill_error +
           (is_sparse(seen, model, hash_count) ? of_few : 0.0);
}

/* Of two deviations that are independent. hypot would do, and a program that
 * calls it needs glibc 2.35. */
static double both(double a, double b)
{
    return sqrt(a * a + b * b);
}

/* What it does to the rate of a part. That of a table which is nearly empty
 * varies so much that a part shows nothing: infinite. */
static double part_rate_error(const ss_sample *seen, const ss_plan_state *model,
                              const ss_table_state *table)
{
    double of_part =
        model->spread * sqrt((double)table->size_bits / (double)seen->cells);
    if (!(of_part < 0.02) || is_sparse(seen, model, table->hash_count))
        return INFINITY;
    return fmax(both(of_part, model->doubt) * model->rate,
                seen->rate_error * seen->rate);
}

static bool is_near(double a, double b, double error)
{
    return fabs(a - b) <= most_deviations * error;
}

static figures of_cells(const ss_sample *seen)
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
    const ss_sample *seen = &table->seen;
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
    const ss_sample *seen = &table->seen;
    ss_plan_state model = expect(table);
    figures told = {model.fill, model.rate, both(model.spread, model.doubt)};
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
    double skew_chance;   /* the least of any table */
    double rates[SS_MAX_TABLES];
} sums;

/* How many cells are in use if no slot was cut. */
static bool has_room(const ss_table_state *table)
{
    const ss_sample *seen = &table->seen;
    double most = (double)ss_plan_most_items(
        table->traits->id, table->size_bits, table->hash_count);
    ss_plan_state full = ss_plan_expect_keys(
        table->traits->id, most, 0.0, table->size_bits, table->hash_count);
    return (double)seen->set_cells <= full.fill * (double)seen->cells;
}

/* What a table with slots took for seen. Copies of keys take slots, too, so
 * that it may be more than the keys that were new show. */
static ss_plan_wrong wrong_of_slots(const ss_table_state *table,
                                    ss_plan_wrong wrong)
{
    if (wrong.is_known && !has_room(table))
        return (ss_plan_wrong){
            fmax(wrong.items - 3.0 * sqrt(wrong.items) - 1.0, 0.0), false};
    return wrong;
}

/* What the table itself took for seen. */
static ss_plan_wrong own_wrong(const ss_table_state *table)
{
    if (table->traits->is_expandable)
        return (ss_plan_wrong){table->wrong_items, true};
    seenset_layout id = table->traits->id;
    uint64_t m = table->size_bits, n = table->added_items;
    ss_plan_wrong wrong = ss_plan_wrong_of(id, n, m, table->hash_count);
    if (table->traits->has_slots)
        return wrong_of_slots(table, wrong);
    if (!wrong.is_known && table->is_counted) {
        uint64_t empty = table->seen.cells - table->seen.set_cells;
        double offered = ss_plan_least_keys(id, empty, m, table->hash_count);
        wrong.items = fmax(wrong.items, offered - (double)n);
    }
    return wrong;
}

/* Are two tables of a list of different sets? A set that grows by itself makes
 * no two of one shape; a window does. */
static bool are_alike(const ss_set_state *state, uint32_t i, uint32_t j)
{
    const ss_table_state *a = &state->tables[i], *b = &state->tables[j];
    if (state->info.on_full != SEENSET_ON_FULL_GROW)
        return i == j;
    return a->traits == b->traits && a->size_bits == b->size_bits &&
           a->hash_count == b->hash_count;
}

/*
 * The chance that the tables before table i take a new key for seen, which it
 * had to get past. In a list that sets were merged into, tables of one shape
 * come from different sets, and a key had to get past one of them: the mean of
 * their rates counts, and those like table i itself do not.
 */
static double older_rate(const sums *so_far, const ss_set_state *state,
                         uint32_t i)
{
    double log_missed = 0.0;
    for (uint32_t j = 0; j < i; j++) {
        double rate = 0.0, count = 0.0;
        bool is_first = !are_alike(state, j, i);
        for (uint32_t h = 0; is_first && h < i; h++) {
            if (!are_alike(state, j, h))
                continue;
            is_first = h >= j;
            rate += so_far->rates[h];
            count++;
        }
        if (is_first)
            log_missed += log1p(-rate / count);
    }
    return -expm1(log_missed);
}

/*
 * What was offered to a table had to get past those before it first. `older` is
 * the chance that one of these took a new key for seen: of the keys that were
 * offered to this one, added / (1 - older) had to be offered to the set. Tables
 * that are so full that they take most keys say little of how many.
 */
static ss_plan_wrong wrong_items(const ss_table_state *table, double older)
{
    ss_plan_wrong wrong = own_wrong(table);
    if (!(older < 0.5))
        return (ss_plan_wrong){wrong.items, false};
    wrong.items =
        (wrong.items + (double)table->added_items * older) / (1.0 - older);
    return wrong;
}

/* The distinct keys that a table probably has. */
static double distinct_items(const ss_table_state *table, const figures *own,
                             uint64_t set_bits)
{
    if (table->traits->is_built_once)
        return (double)table->added_items; /* known */
    if (table->traits->is_expandable)
        return (double)table->added_items + table->wrong_items;
    if (table->is_credited)
        return ss_groups_credited_keys(table->traits, table->added_items,
                                       table->size_bits, table->hash_count);
    return table->traits->has_slots
               ? ss_plan_items_shown(own->rate, own->fill, table->size_bits,
                                     table->hash_count)
               : seenset_plan_item_estimate(set_bits, table->size_bits,
                                            table->hash_count);
}

static void add_table(sums *to, const ss_set_state *state, uint32_t i)
{
    const ss_table_state *table = &state->tables[i];
    const figures own = of_table(table);
    double error = own.rate * own.rate_error;
    uint64_t set_bits =
        table->is_counted
            ? table->seen.set_cells
            : (uint64_t)llround(own.fill * (double)table->size_bits);
    to->all.set_bits += set_bits;
    to->all.is_counted &= table->is_counted;
    to->all.estimated_items += distinct_items(table, &own, set_bits);
    to->rates[i] = own.rate;
    if (!table->traits->is_built_once) {
        ss_plan_wrong wrong = wrong_items(table, older_rate(to, state, i));
        to->all.wrong_items += wrong.items;
        to->all.is_wrong_at_least |= !wrong.is_known;
    }
    to->log_missed += log1p(-own.rate);
    to->rate_variance += error * error;
    to->skew_chance = fmin(to->skew_chance, table->skew_chance);
}

/* A sliding window counts keys that it renews with those that were new, so that
 * the sum is the most that it can have taken for seen. */
static void settle_sliding(seenset_estimate *all, const seenset_info *info)
{
    if ((info->flags & SEENSET_FLAG_SLIDING) == 0 || all->wrong_items < 1.0)
        return;
    all->wrong_items = 0.0;
    all->is_wrong_at_least = 1;
}

seenset_estimate ss_figures_of(const ss_set_state *state)
{
    const seenset_info *info = &state->info;
    sums sum = {.all = {.capacity_items = info->capacity_items,
                        .added_items = info->added_items,
                        .size_bits = state->size_bits,
                        .fp_rate = info->fp_rate,
                        .is_counted = 1},
                .skew_chance = 1.0};
    if (state->size_bits == 0) { /* keys without a filter */
        sum.all.estimated_items = (double)info->added_items;
        return sum.all;
    }
    for (uint32_t i = 0; i < state->count; i++)
        add_table(&sum, state, i);
    settle_sliding(&sum.all, info);
    sum.all.is_skewed = sum.skew_chance * state->count < SS_EVENNESS_ALARM;
    double rate = fabs(expm1(sum.log_missed));
    sum.all.fill = (double)sum.all.set_bits / (double)state->size_bits;
    sum.all.current_fp_rate = rate;
    if (rate > 0.0)
        sum.all.fp_rate_error = sqrt(sum.rate_variance) / rate;
    return sum.all;
}
