/*
 * move.h - all blocks of a table that grows in place are given another place
 * (base/memory.h): the table's own, the directory, and the pages of a table so
 * small that each page is a block. Larger extents hold pages that entries point
 * to, and stay.
 */
#ifndef SS_EXPAND_MOVE_H
#define SS_EXPAND_MOVE_H

#include "base/memory.h"
#include "expand/state.h"

/* Returns where the table is from now on. A view stays. */
ss_expand *ss_expand_move(ss_expand *expand, ss_memory_move *move,
                          void *context);

#endif
