/* uniting.c - see uniting.h */
#include "set/two/uniting.h"

#include <math.h>
#include <string.h>

#include "seenset/extra/formulas.h"
#include "plan/shape.h"
#include "table/project.h"

/* ---- two tables of one shape ---- */

static double keys_of(const ss_table *shape, uint64_t set_bits)
{
    return seenset_plan_item_estimate(set_bits, shape->size_bits,
                                      shape->hash_count);
}

static ss_uniting_keys count_keys(const ss_table *into, const ss_table *from)
{
    uint64_t a = 0, b = 0, either = 0, count = ss_table_word_count(into);
    for (uint64_t i = 0; i < count; i++) {
        uint64_t x = into->words[i], y = ss_bits_read(&from->words[i]);
        a += ss_bits_count(x);
        b += ss_bits_count(y);
        either += ss_bits_count(x | y);
    }
    return (ss_uniting_keys){keys_of(into, a), keys_of(into, b),
                             keys_of(into, either)};
}

/* Keys that were added, where the bits show about as many or fewer: a count
 * that chance has no part in. A table whose keys others of its list have as
 * well is credited with fewer than it has. */
static double keys_told(const ss_generation *generation, double shown)
{
    return fmax((double)ss_set_added_items(generation), shown * 0.9);
}

static double rate_at(const ss_table *table, double keys)
{
    return isfinite(keys) ? ss_plan_rate_at(table->layout->traits->id, keys,
                                            table->size_bits, table->hash_count)
                          : 1.0;
}

/* Does `into` keep its promise with the keys of both, and so many more? */
static bool keeps_promise(const ss_generation *into, const ss_generation *from,
                          const ss_uniting_keys *keys, double more)
{
    double most = keys_told(into, keys->into) + keys_told(from, keys->from);
    return fmin(keys->either, most) + more <= (double)into->capacity_items;
}

/* Is one table no worse than two? */
static bool lowers_rate(const ss_table *table, const ss_uniting_keys *keys)
{
    double apart = 1.0 - (1.0 - rate_at(table, keys->into)) *
                             (1.0 - rate_at(table, keys->from));
    return rate_at(table, keys->either) <= apart;
}

/* ---- the place for one ---- */

static bool is_open_for(const bool *is_open, uint32_t i)
{
    return is_open == NULL || is_open[i];
}

static uint32_t find_expandable(const seenset *into, uint32_t count,
                                const bool *is_open)
{
    for (uint32_t i = 0; i < count; i++)
        if (is_open_for(is_open, i) &&
            into->generations[i].table.expand != NULL)
            return i;
    return SS_UNITING_NOWHERE;
}

/* One that has all bits already. */
static uint32_t find_cover(const seenset *into, uint32_t count,
                           const bool *is_open, const ss_generation *from)
{
    for (uint32_t i = 0; i < count; i++)
        if (is_open_for(is_open, i) &&
            ss_table_covers(&into->generations[i].table, &from->table))
            return i;
    return SS_UNITING_NOWHERE;
}

/* Does generation i take in `from`, which has bits that it lacks? */
static bool find_room(const ss_uniting_plan *plan, const seenset *into,
                      uint32_t i, const ss_generation *from,
                      ss_uniting_keys *keys)
{
    const ss_generation *own = &into->generations[i];
    double more = plan->more_items[i];
    if (!ss_table_is_alike(&own->table, &from->table))
        return false;
    *keys = count_keys(&own->table, &from->table);
    return keeps_promise(own, from, keys, more) ||
           (more == 0.0 && lowers_rate(&own->table, keys));
}

ss_uniting_place ss_uniting_find(ss_uniting_plan *plan, const seenset *into,
                                 uint32_t count, const bool *is_open,
                                 const ss_generation *from)
{
    ss_uniting_place found = {.target = SS_UNITING_NOWHERE};
    if (from->table.expand != NULL) {
        found.target = find_expandable(into, count, is_open);
        return found;
    }
    found.target = find_cover(into, count, is_open, from);
    found.is_covered = found.target != SS_UNITING_NOWHERE;
    for (uint32_t i = 0; i < count && found.target == SS_UNITING_NOWHERE; i++) {
        if (!is_open_for(is_open, i) ||
            !find_room(plan, into, i, from, &found.keys))
            continue;
        found.target = i;
        plan->more_items[i] += keys_told(from, found.keys.from);
        plan->taken_count[i]++;
    }
    return found;
}

/* The keys that a table was counted to have, for those that it has now. */
static void count_united(ss_generation *into, const ss_generation *from,
                         const ss_uniting_keys *keys)
{
    uint64_t a = into->added_items, b = ss_set_added_items(from);
    uint64_t least = a > b ? a : b;
    uint64_t most = a + b; /* each at most 2^53 */
    double rate = rate_at(&into->table, keys->either);
    if (most > SEENSET_MAX_SIZE_BITS)
        most = SEENSET_MAX_SIZE_BITS;
    into->added_items = a == 0 || b == 0
                            ? most
                            : ss_set_estimate_items(&into->table, least, most);
    if (keys->either > (double)into->capacity_items && rate > into->fp_rate)
        into->fp_rate = rate;
}

bool ss_uniting_add(const ss_uniting_plan *plan, const ss_uniting_place *place,
                    seenset *into, const ss_generation *from)
{
    ss_generation *target = &into->generations[place->target];
    ss_uniting_keys keys = place->keys;
    if (place->is_covered)
        return false;
    if (plan->taken_count[place->target] > 1) { /* one may be in already */
        if (ss_table_covers(&target->table, &from->table))
            return false;
        keys = count_keys(&target->table, &from->table);
    }
    ss_table_merge(&target->table, &from->table);
    count_united(target, from, &keys);
    return true;
}

/* ---- folding ---- */

/* Two tables of a list, of which `gone` goes into `kept`. */
typedef struct fold {
    uint32_t kept, gone;
    double cost; /* by how much the rate of the list goes up */
} fold;

/* A rate from a fill: close enough to compare by. */
static double rate_of_fill(double fill, uint32_t hash_count)
{
    return pow(fill, hash_count);
}

/* If no key is in both. A line of `kept` takes in as many lines of `gone` as
 * touch it: the one that begins there, and those that begin within it. */
static double cost_of(const ss_table *kept, double kept_fill,
                      const ss_table *gone, double gone_fill)
{
    double lines = kept->range == gone->range
                       ? 1.0
                       : 1.0 + (double)gone->range / (double)kept->range;
    double fill = 1.0 - (1.0 - kept_fill) * pow(1.0 - gone_fill, lines);
    return rate_of_fill(fill, kept->hash_count) -
           rate_of_fill(kept_fill, kept->hash_count) -
           rate_of_fill(gone_fill, gone->hash_count);
}

static bool can_fold(const ss_generation *kept, const ss_generation *gone)
{
    return kept->started_seconds == gone->started_seconds &&
           kept->noticed_seconds == gone->noticed_seconds &&
           ss_table_can_project(&kept->table, &gone->table);
}

/* The tables that may be folded are those before `end`. */
static fold find_fold(const seenset *set, uint32_t end, const double *fills)
{
    fold best = {SS_UNITING_NOWHERE, SS_UNITING_NOWHERE, INFINITY};
    for (uint32_t i = 0; i < end; i++) {
        for (uint32_t j = 0; j < end; j++) {
            const ss_generation *kept = &set->generations[i];
            const ss_generation *gone = &set->generations[j];
            if (i == j || !can_fold(kept, gone))
                continue;
            double cost =
                cost_of(&kept->table, fills[i], &gone->table, fills[j]);
            if (cost < best.cost)
                best = (fold){i, j, cost};
        }
    }
    return best;
}

/* Is table i the first of its span with that shape, or, where lines say the
 * places, of its span? */
static bool is_first_of_kind(const seenset *set, uint32_t i)
{
    for (uint32_t j = 0; j < i; j++) {
        const ss_generation *a = &set->generations[j];
        const ss_generation *b = &set->generations[i];
        if (can_fold(a, b) || can_fold(b, a))
            return false;
    }
    return true;
}

uint32_t ss_uniting_foldable(const seenset *set)
{
    uint32_t end = set->generation_count - !ss_set_is_expanded(set);
    uint32_t foldable = 0;
    for (uint32_t i = 0; i < end; i++)
        foldable += set->generations[i].table.expand == NULL &&
                    !is_first_of_kind(set, i);
    return foldable;
}

static double fill_of(const ss_table *table)
{
    return table->expand != NULL
               ? 1.0
               : (double)ss_table_count_cells(table) / (double)table->size_bits;
}

static void remove_table(seenset *set, uint32_t i)
{
    ss_set_free_words(set, i);
    memmove(set->generations + i, set->generations + i + 1,
            (set->generation_count - i - 1) * sizeof *set->generations);
    set->generation_count--;
}

/* The promise of both, and no less than the rate that it has. */
static void do_fold(seenset *set, fold found)
{
    ss_generation *kept = &set->generations[found.kept];
    const ss_generation *gone = &set->generations[found.gone];
    ss_table_project(&kept->table, &gone->table);
    kept->added_items += gone->added_items;
    if (kept->added_items > SEENSET_MAX_SIZE_BITS)
        kept->added_items = SEENSET_MAX_SIZE_BITS;
    kept->fp_rate = fmin(1.0, kept->fp_rate + gone->fp_rate);
    double rate =
        rate_at(&kept->table,
                keys_of(&kept->table, ss_table_count_cells(&kept->table)));
    kept->fp_rate = fmax(kept->fp_rate, rate);
    remove_table(set, found.gone);
}

bool ss_uniting_fold(seenset *set, uint32_t most)
{
    double fills[2 * SS_MAX_TABLES]; /* of a set, and what it took in */
    uint32_t count = set->generation_count;
    if (count <= most)
        return true;
    for (uint32_t i = 0; i < count; i++)
        fills[i] = fill_of(&set->generations[i].table);
    while (set->generation_count > most) {
        uint32_t end = set->generation_count - !ss_set_is_expanded(set);
        fold found = find_fold(set, end, fills);
        if (found.kept == SS_UNITING_NOWHERE)
            break;
        do_fold(set, found);
        memmove(fills + found.gone, fills + found.gone + 1,
                (set->generation_count - found.gone) * sizeof *fills);
        uint32_t kept = found.kept - (found.gone < found.kept);
        fills[kept] = fill_of(&set->generations[kept].table);
    }
    ss_set_choose_kind(set);
    return set->generation_count <= most;
}
