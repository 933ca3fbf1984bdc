/* counters.h - the counters of a counting set, as numbers */
#ifndef INFO_COUNTERS_H
#define INFO_COUNTERS_H

#include <stdbool.h>

#include "seenset/seenset.h"

/*
 * Prints all counters in order, 20 in a row. path: of the set, for messages.
 * More than 1 Mi of them only if is_forced. Returns COMMAND_DONE, or
 * COMMAND_ERROR after a message.
 */
int info_counters_print(const char *path, const seenset *set,
                        const seenset_stats *stats, bool is_forced);

#endif
