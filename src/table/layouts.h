/* layouts.h - the list of layouts: from a layout's number to its rows */
#ifndef SS_TABLE_LAYOUTS_H
#define SS_TABLE_LAYOUTS_H

#include "table/layout.h"

/* What a layout is and can do; of 0, the default layout. NULL for a number
 * that is not a layout. */
const ss_layout_traits *ss_layout_find_traits(seenset_layout id);

/*
 * The row for a layout, the fastest here; is_shared: the one that many threads
 * may use on one table at once. NULL for a number that is not a layout, and
 * where threads cannot share a table.
 */
const ss_layout *ss_layout_find(seenset_layout id, bool is_shared);

/* The row for tables whose cells an index scheme says, or NULL. */
const ss_layout *ss_layout_find_foreign(seenset_layout id);

/* Can a table's cells be that wide? */
static inline bool ss_layout_is_cell_bits(const ss_layout_traits *traits,
                                          uint32_t bits)
{
    if (traits->max_counter_bits == 0)
        return bits == 1;
    return bits >= traits->min_counter_bits && bits <= traits->max_counter_bits;
}

/* The width of a cell if none is asked for. */
static inline uint32_t ss_layout_cell_bits(const ss_layout_traits *traits)
{
    return traits->max_counter_bits == 0 ? 1 : traits->default_counter_bits;
}

#endif
