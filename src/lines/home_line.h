/*
 * home_line.h - is a key in its unit, as far as its home line shows?
 *
 * Included after a kernel's line_match (line_portable.h, line_avx2.h,
 * line_vbmi.h). The common widths are compiled each on its own.
 */
#ifndef SS_LINES_HOME_LINE_H
#define SS_LINES_HOME_LINE_H

#include "base/inlining.h"
#include "lines/line.h"

enum {
    BEYOND = 2 /* the unit goes on in the next line */
};

/* 1, 0, or BEYOND; width is place.width, and constant where it can be. */
static SS_ALWAYS_INLINE int look(const uint64_t *line, uint32_t unit,
                                 uint32_t width, uint64_t query)
{
    uint64_t ends = line[SS_SLOT_WORDS] >> (SS_END_BITS * unit);
    uint32_t first = (uint32_t)ends & SS_END_MAX;
    uint32_t end = (uint32_t)(ends >> SS_END_BITS) & SS_END_MAX;
    uint32_t slots = ss_line_slots(width);
    uint32_t here = end < slots ? end : slots;
    if (line_match(line, width, first, here, query))
        return 1;
    return __builtin_expect(end > slots, 0) ? BEYOND : 0;
}

/* A call of its own, so that the common widths need no room for it. */
static SS_NOINLINE int look_any(const uint64_t *line, uint32_t unit,
                                uint32_t width, uint64_t query)
{
    return look(line, unit, width, query);
}

static SS_ALWAYS_INLINE int look_wide(const uint64_t *line, uint32_t unit,
                                      uint32_t width, uint64_t query)
{
    switch (width) {
    case 14:
        return look(line, unit, 14, query);
    case 15:
        return look(line, unit, 15, query);
    case 16:
        return look(line, unit, 16, query);
    case 21:
        return look(line, unit, 21, query);
    default:
        return look_any(line, unit, width, query);
    }
}

#endif
