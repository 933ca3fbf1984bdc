/* stats.c - how full a set is, counted from its bits */
#include <math.h>

#include "base/growth.h"
#include "seenset/extra/formulas.h"
#include "set/view/checks.h"
#include "set/figures/figures.h"

static double overflow_bound(const ss_generation *only)
{
    const ss_table *table = &only->table;
    if (table->layout->traits->max_counter_bits == 0)
        return 0.0;
    return seenset_plan_overflow_bound(ss_set_added_items(only),
                                       table->size_bits, table->hash_count,
                                       table->cell_bits);
}

/* Of the tables whose keys are remembered. */
static uint64_t count_full(const seenset *set, uint64_t now)
{
    uint64_t full = 0;
    for (uint32_t i = 0; i < set->generation_count; i++) {
        const ss_table *table = &set->generations[i].table;
        if (table->layout->count_full != NULL &&
            !ss_set_is_expired(set, i, now))
            full += table->layout->count_full(table);
    }
    return full;
}

/* What is counted is that of an estimate which reads everything. */
seenset_stats ss_figures_stats(const seenset *set, const ss_set_state *state)
{
    const seenset_info *info = &state->info;
    const seenset_estimate counted = ss_figures_of(state);
    return (seenset_stats){.layout = info->layout,
                           .on_full = info->on_full,
                           .hash_count = ss_set_newest(set)->table.hash_count,
                           .table_count = info->table_count,
                           .capacity_items = info->capacity_items,
                           .added_items = info->added_items,
                           .size_bits = counted.size_bits,
                           .set_bits = counted.set_bits,
                           .fill = counted.fill,
                           .fp_rate = info->fp_rate,
                           .current_fp_rate = counted.current_fp_rate,
                           .estimated_items = counted.estimated_items,
                           .wrong_items = counted.wrong_items,
                           .memory_bytes = info->memory_bytes,
                           .is_read_only = info->is_read_only,
                           .counter_bits = info->counter_bits,
                           .fingerprint_bits = info->fingerprint_bits,
                           .scheme = info->scheme,
                           .is_keyed = info->is_keyed,
                           .window_generations = info->window_generations,
                           .window_seconds = info->window_seconds,
                           .is_wrong_at_least = counted.is_wrong_at_least,
                           .is_skewed = counted.is_skewed};
}

int seenset_get_stats(const seenset *set, seenset_stats *out, size_t out_bytes)
{
    ss_set_state state;
    if (set == NULL || out == NULL || out_bytes == 0)
        return SEENSET_EINVAL;
    int error = ss_checks_all(set);
    if (error == SEENSET_OK)
        error = ss_figures_take(set, UINT64_MAX, &state);
    if (error != SEENSET_OK)
        return error;
    uint64_t now = ss_set_now(set);
    seenset_stats stats = ss_figures_stats(set, &state);
    stats.full_counters = count_full(set, now);
    stats.is_skewed = ss_set_uniformity(set, now).is_skewed;
    stats.overflow_bound = overflow_bound(ss_set_newest(set));
    return ss_growth_hand_out(out, out_bytes, &stats, sizeof stats);
}
