/* groups.c - see groups.h */
#include "set/two/groups.h"

#include <math.h>

#include "seenset/extra/formulas.h"
#include "plan/shape.h"
#include "set/expanded.h"
#include "set/kinds/kind.h"
#include "set/window.h"

/* ---- groups ---- */

double ss_groups_load(const ss_table *table)
{
    return -log1p(-(double)ss_table_count_cells(table) /
                  (double)table->size_bits);
}

/* The group that a table joins: one of its shape, whose bits still show the
 * keys of all when it does. */
static ss_table *find_group(ss_groups *groups, const ss_table *table)
{
    if (table->expand != NULL)
        return NULL;
    double load = ss_groups_load(table);
    for (uint32_t i = 0; i < groups->count; i++)
        if (ss_table_is_alike(&groups->tables[i], table) &&
            groups->loads[i] + load < SS_GROUPS_MOST_LOAD) {
            groups->loads[i] += load;
            return &groups->tables[i];
        }
    groups->loads[groups->count] = load;
    return NULL;
}

/* Gives the group words of its own. */
static int own_words(ss_groups *groups, ss_table *table)
{
    bool *is_own = &groups->owns_words[table - groups->tables];
    uint64_t count = ss_table_word_count(table);
    if (*is_own)
        return SEENSET_OK;
    uint64_t *words =
        ss_memory_alloc(&groups->set->memory, count, sizeof *words);
    if (words == NULL)
        return SEENSET_ENOMEM;
    ss_bits_copy(words, table->words, count, table->layout->is_shared);
    table->words = words;
    *is_own = groups->has_several = true;
    return SEENSET_OK;
}

int ss_groups_make(ss_groups *groups, const seenset *set, uint64_t now)
{
    groups->set = set;
    groups->count = 0;
    groups->has_several = false;
    for (uint32_t i = 0; i < set->generation_count; i++) {
        const ss_table *table = &set->generations[i].table;
        if (ss_set_is_expired(set, i, now))
            continue;
        ss_table *group = find_group(groups, table);
        if (group == NULL) {
            groups->owns_words[groups->count] = false;
            groups->firsts[groups->count] = i;
            groups->tables[groups->count++] = *table;
            continue;
        }
        if (own_words(groups, group) != SEENSET_OK) {
            ss_groups_end(groups);
            return SEENSET_ENOMEM;
        }
        ss_table_merge(group, table);
    }
    return SEENSET_OK;
}

void ss_groups_end(ss_groups *groups)
{
    for (uint32_t i = 0; i < groups->count; i++)
        if (groups->owns_words[i])
            ss_memory_free(&groups->set->memory, groups->tables[i].words,
                           ss_table_word_count(&groups->tables[i]),
                           sizeof *groups->tables[i].words);
    groups->count = 0;
}

/* ---- keys ---- */

bool ss_groups_is_credited(const seenset *set, uint32_t i)
{
    bool is_list = set->on_full == SEENSET_ON_FULL_GROW ||
                   (ss_window_is_by_age(set) && !set->tables->repeats_keys);
    return is_list && i + 1 < set->generation_count &&
           set->generations[i].table.expand == NULL;
}

double ss_groups_variance(const ss_table *table, double items)
{
    double m = (double)table->size_bits;
    double k = table->hash_count;
    double load = k * items / m;
    return m / (k * k) * (expm1(load) - load);
}

ss_overlap_estimate ss_groups_shown_by_bits(const ss_table *table)
{
    double items = seenset_plan_item_estimate(
        ss_table_count_cells(table), table->size_bits, table->hash_count);
    return (ss_overlap_estimate){items, ss_groups_variance(table, items)};
}

static ss_overlap_estimate shown_by_slots(const ss_generation *generation)
{
    double wrong = ss_expanded_wrong_items(generation);
    return (ss_overlap_estimate){(double)ss_set_added_items(generation) + wrong,
                                 wrong};
}

static ss_overlap_estimate shown_by(const ss_table *table,
                                    const ss_generation *generation)
{
    return table->expand != NULL ? shown_by_slots(generation)
                                 : ss_groups_shown_by_bits(table);
}

ss_overlap_estimate ss_groups_keys_shown(const ss_groups *groups, uint32_t i)
{
    return shown_by(&groups->tables[i],
                    &groups->set->generations[groups->firsts[i]]);
}

double ss_groups_credited_keys(const ss_layout_traits *traits,
                               uint64_t added_items, uint64_t size_bits,
                               uint32_t hash_count)
{
    double added = (double)added_items;
    if (added_items == 0)
        return 0.0;
    double wrong =
        ss_plan_expect_wrong(traits->id, added_items, size_bits, hash_count);
    return added + fmin(wrong, added);
}

static ss_overlap_estimate credited(const ss_generation *generation)
{
    const ss_table *table = &generation->table;
    uint64_t added = ss_set_added_items(generation);
    double keys = ss_groups_credited_keys(table->layout->traits, added,
                                          table->size_bits, table->hash_count);
    return (ss_overlap_estimate){keys, keys - (double)added};
}

ss_overlap_estimate ss_groups_keys_of(const seenset *set, uint32_t i)
{
    const ss_generation *generation = &set->generations[i];
    return ss_groups_is_credited(set, i)
               ? credited(generation)
               : shown_by(&generation->table, generation);
}

ss_overlap_estimate ss_groups_keys(const seenset *set, uint64_t now)
{
    ss_overlap_estimate sum = {0};
    for (uint32_t i = 0; i < set->generation_count; i++) {
        if (ss_set_is_expired(set, i, now))
            continue;
        ss_overlap_estimate more = ss_groups_keys_of(set, i);
        sum.items += more.items;
        sum.variance += more.variance;
    }
    return sum;
}

double ss_groups_part(const ss_groups *groups, uint64_t now)
{
    double keys = ss_groups_keys(groups->set, now).items;
    ss_overlap_estimate shown = {0};
    for (uint32_t i = 0; i < groups->count; i++) {
        ss_overlap_estimate more = ss_groups_keys_shown(groups, i);
        shown.items += more.items;
        shown.variance += more.variance;
    }
    return shown.items - keys > 6.0 * sqrt(shown.variance) ? keys / shown.items
                                                           : 1.0;
}
