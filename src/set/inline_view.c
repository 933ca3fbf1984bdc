/* inline_view.c - what callers may do to a set's table without a call: the view
 * of seenset/extra/inline.h, which is part of the handle and never out of date
 */
#include "set/direct.h"

/* Can a caller find a hash's bits in the only table? */
static bool is_fit(const seenset *set)
{
    const ss_layout *direct = ss_direct_hash_layout(set);
    return direct != NULL && direct->is_inlined;
}

/* 0 where a block is less than a line. */
static uint32_t blocks_per_key(const ss_table *table)
{
    return table->layout->range_step_bits == SS_LINE_BITS
               ? table->hash_count / SS_LINE_WORDS
               : 0;
}

void ss_set_publish_view(seenset *set)
{
    if (is_fit(set))
        __atomic_store_n(&set->view.words, set->generations[0].table.words,
                         __ATOMIC_RELAXED);
}

void ss_set_update_view(seenset *set)
{
    ss_generation *oldest = &set->generations[0];
    seenset_view view = {.blocks = oldest->table.range,
                         .blocks_per_key = blocks_per_key(&oldest->table),
                         .added_items = &set->view.full_items, /* a zero */
                         .set = set};
    if (is_fit(set)) {
        view.words = oldest->table.words;
        view.full_items = set->fast_path_items;
    }
    if (view.full_items != 0)
        view.added_items = &oldest->added_items;
    set->view = view;
}

int seenset_get_view(seenset *set, const seenset_view **view)
{
    if (set == NULL || view == NULL)
        return SEENSET_EINVAL;
    *view = &set->view;
    return SEENSET_OK;
}
