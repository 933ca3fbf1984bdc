/* layouts.h - the list of layouts: from a layout's number to its row */
#ifndef SS_LAYOUTS_H
#define SS_LAYOUTS_H

#include "table/layout.h"

/*
 * The row for a layout, the fastest here; is_shared: the one that many threads
 * may use on one table at once. NULL for a number that is no layout.
 */
const ss_layout *ss_layout_find(seenset_layout id, bool is_shared);

/* The row for tables whose places a scheme says, or NULL. */
const ss_layout *ss_layout_find_foreign(seenset_layout id);

#endif
