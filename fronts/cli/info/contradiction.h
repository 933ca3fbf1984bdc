/* contradiction.h - figures of a set that cannot be true together */
#ifndef INFO_CONTRADICTION_H
#define INFO_CONTRADICTION_H

#include <stdbool.h>

#include "seenset/seenset.h"

/* Do the bits show another number of keys than were added? */
bool contradiction_is(const seenset_stats *stats);

#endif
