/* line_portable.h - a unit's slots one after another */
#ifndef SS_LINES_LINE_PORTABLE_H
#define SS_LINES_LINE_PORTABLE_H

#include "lines/line.h"

static inline bool line_match(const uint64_t *line, uint32_t width,
                              uint32_t first, uint32_t end, uint64_t query)
{
    bool is_seen = false;
    if (end > ss_line_slots(width))
        end = ss_line_slots(width);
    for (uint32_t at = first; at < end; at++)
        is_seen |= ss_slot_matches(ss_line_slot(line, width, at), query);
    return is_seen;
}

#define line_match_row line_match
#define line_push ss_line_push

#endif
