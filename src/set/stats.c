/* stats.c - what a set tells of itself, from its bits rather than from hopes */
#include <math.h>

#include "set/checks.h"
#include "set/set.h"
#include "set/window.h"

/* What is past its time takes memory, and no key is sought in it. */
static void add_forgotten(seenset_stats *stats, const ss_table *table)
{
    stats->size_bits += table->size_bits;
    stats->memory_bytes += ss_table_word_count(table) * sizeof *table->words;
}

/* Adds one generation's share. `older`: the chance that those before it took a
 * new key for seen. What was offered to it had to get past them first. */
static void add_generation(seenset_stats *stats,
                           const ss_generation *generation, double older)
{
    const ss_table *table = &generation->table;
    uint64_t set_bits = ss_table_count_cells(table);
    uint64_t added_items = ss_set_added_items(generation);
    stats->capacity_items += generation->capacity_items;
    stats->added_items += added_items;
    stats->size_bits += table->size_bits;
    stats->set_bits += set_bits;
    stats->memory_bytes += ss_table_word_count(table) * sizeof *table->words;
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

int seenset_get_stats(const seenset *set, seenset_stats *out)
{
    if (set == NULL || out == NULL)
        return SEENSET_EINVAL;
    int error = ss_checks_all(set);
    if (error != SEENSET_OK)
        return error;
    const ss_generation *newest = ss_set_newest(set);
    seenset_stats stats = {.layout = newest->table.layout->traits->id,
                           .on_full = set->on_full,
                           .hash_count = newest->table.hash_count,
                           .generation_count = set->generation_count,
                           .fp_rate = set->fp_rate,
                           .window_generations = set->window_generations,
                           .window_seconds = set->window_seconds,
                           .scheme = set->identity.scheme,
                           .is_keyed = ss_key_hash_is_keyed(&set->identity),
                           .fingerprint_bits =
                               newest->table.fuse.fingerprint_bits,
                           .is_read_only = set->is_view};
    bool is_by_age = ss_window_is_by_age(set);
    uint64_t now = is_by_age ? ss_clock_wall_seconds(set->clock) : 0;
    double log_missed = 0.0; /* by every table */
    for (uint32_t i = 0; i < set->generation_count; i++) {
        const ss_generation *generation = &set->generations[i];
        const ss_table *table = &generation->table;
        if (is_by_age && ss_window_is_over(set, i, now)) {
            add_forgotten(&stats, table);
            continue;
        }
        add_generation(&stats, generation, -expm1(log_missed));
        log_missed += log1p(-table->layout->current_fp_rate(table));
    }
    stats.current_fp_rate = fabs(expm1(log_missed));
    if (set->on_full == SEENSET_ON_FULL_ROTATE)
        stats.capacity_items = set->capacity_items;
    stats.fill = (double)stats.set_bits / (double)stats.size_bits;
    stats.counter_bits =
        newest->table.cell_bits > 1 ? newest->table.cell_bits : 0;
    stats.overflow_bound = overflow_bound(newest);
    if (set->mapping != NULL)
        stats.memory_bytes = set->mapping_bytes;
    stats.memory_bytes += sizeof *set +
                          set->room_count * sizeof *set->generations +
                          ss_checks_memory_bytes(set);
    *out = stats;
    return SEENSET_OK;
}
