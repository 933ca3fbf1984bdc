/* stats.c - how full a set is, counted from its bits */
#include <math.h>

#include "base/growth.h"
#include "set/checks.h"
#include "set/set.h"

/* Adds one generation's share. `older`: the chance that those before it took a
 * new key for seen. What was offered to it had to get past them first. */
static void add_generation(seenset_stats *stats,
                           const ss_generation *generation, double older)
{
    const ss_table *table = &generation->table;
    uint64_t set_bits = ss_table_count_cells(table);
    uint64_t added_items = ss_set_added_items(generation);
    stats->set_bits += set_bits;
    if (table->layout->traits->is_built_once) {
        stats->estimated_items += (double)added_items; /* they are known */
        return;
    }
    stats->estimated_items += seenset_plan_item_estimate(
        set_bits, table->size_bits, table->hash_count);
    double own =
        seenset_plan_wrong_items(table->layout->traits->id, added_items,
                                 table->size_bits, table->hash_count);
    stats->wrong_items += (own + (double)added_items * older) / (1.0 - older);
    if (table->layout->count_full != NULL)
        stats->full_counters += table->layout->count_full(table);
}

/* P(any counter is full, at J = 2^bits - 1) <= m (e n k / (J m))^J, n distinct
 * keys (Fan et al. 2000, section V) */
static double overflow_bound(const ss_generation *only)
{
    const ss_table *table = &only->table;
    if (table->cell_bits == 1)
        return 0.0;
    double m = (double)table->size_bits;
    double n = (double)ss_set_added_items(only);
    double limit = ldexp(1.0, (int)table->cell_bits) - 1.0;
    double log_bound =
        log(m) + limit * log(exp(1.0) * n * table->hash_count / (limit * m));
    return fmin(exp(log_bound), 1.0);
}

/* What needs no look at the bits. */
static seenset_stats stats_from(const seenset_info *info, const seenset *set)
{
    return (seenset_stats){.layout = info->layout,
                           .on_full = info->on_full,
                           .hash_count = ss_set_newest(set)->table.hash_count,
                           .table_count = info->table_count,
                           .capacity_items = info->capacity_items,
                           .added_items = info->added_items,
                           .fp_rate = info->fp_rate,
                           .memory_bytes = info->memory_bytes,
                           .is_read_only = info->is_read_only,
                           .counter_bits = info->counter_bits,
                           .fingerprint_bits = info->fingerprint_bits,
                           .scheme = info->scheme,
                           .is_keyed = info->is_keyed,
                           .window_generations = info->window_generations,
                           .window_seconds = info->window_seconds};
}

/* What the bits of all tables show. No key is sought in an expired one. */
static void add_tables(seenset_stats *stats, const seenset *set, uint64_t now)
{
    double log_missed = 0.0; /* by every table */
    for (uint32_t i = 0; i < set->generation_count; i++) {
        const ss_generation *generation = &set->generations[i];
        const ss_table *table = &generation->table;
        stats->size_bits += table->size_bits;
        if (ss_set_is_expired(set, i, now))
            continue;
        add_generation(stats, generation, -expm1(log_missed));
        log_missed += log1p(-table->layout->current_fp_rate(table));
    }
    stats->current_fp_rate = fabs(expm1(log_missed));
    stats->fill = (double)stats->set_bits / (double)stats->size_bits;
}

int seenset_get_stats(const seenset *set, seenset_stats *out, size_t out_bytes)
{
    if (set == NULL || out == NULL || out_bytes == 0)
        return SEENSET_EINVAL;
    int error = ss_checks_all(set);
    if (error != SEENSET_OK)
        return error;
    uint64_t now = ss_set_now(set);
    seenset_info info = ss_set_info(set, now);
    seenset_stats stats = stats_from(&info, set);
    add_tables(&stats, set, now);
    stats.overflow_bound = overflow_bound(ss_set_newest(set));
    return ss_growth_hand_out(out, out_bytes, &stats, sizeof stats);
}
