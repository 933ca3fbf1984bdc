/* stats.c - what a set tells of itself, from its bits rather than from hopes */
#include <math.h>

#include "set.h"

int seenset_get_stats(const seenset *set, seenset_stats *out)
{
    if (set == NULL || out == NULL)
        return SEENSET_EINVAL;
    const ss_generation *newest = ss_set_newest(set);
    const ss_table *table = &newest->table;
    uint64_t set_bits = ss_table_count_bits(table);
    uint64_t added_items = ss_set_added_items(newest);
    uint64_t word_bytes =
        ss_table_word_count(table->size_bits) * sizeof *table->words;
    *out = (seenset_stats){
        .layout = table->layout->id,
        .on_full = set->on_full,
        .hash_count = table->hash_count,
        .generation_count = set->generation_count,
        .capacity_items = newest->capacity_items,
        .added_items = added_items,
        .size_bits = table->size_bits,
        .set_bits = set_bits,
        .fill = (double)set_bits / (double)table->size_bits,
        .fp_rate = newest->fp_rate,
        .current_fp_rate = table->layout->current_fp_rate(table),
        .estimated_items = seenset_plan_item_estimate(
            set_bits, table->size_bits, table->hash_count),
        .wrong_items =
            seenset_plan_wrong_items(table->layout->id, added_items,
                                     table->size_bits, table->hash_count),
        .memory_bytes =
            sizeof *set + set->generation_count * sizeof *set->generations +
            (set->mapping != NULL ? set->mapping_bytes : word_bytes),
        .is_read_only = set->is_view};
    return SEENSET_OK;
}
