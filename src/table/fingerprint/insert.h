/*
 * insert.h - a slot goes into its unit, and what is after it moves
 * up by a place, to the first line that has one.
 *
 * Included after a kernel's line_push (lines/line_portable.h, line_avx2.h,
 * line_vbmi.h).
 */
#ifndef SS_TABLE_FINGERPRINT_INSERT_H
#define SS_TABLE_FINGERPRINT_INSERT_H

#include "table/fingerprint/place.h"

/* How many lines after the home is one with a free place; more than are left:
 * there is none, or a count would pass its most. */
static SS_ALWAYS_INLINE uint32_t find_gap(const ss_fingerprint_place *place,
                                          uint32_t slots)
{
    const uint64_t *ends = place->line + SS_SLOT_WORDS;
    for (uint32_t after = 0; after <= place->left; after++) {
        uint32_t last = ss_line_last(ends[after * SS_LINE_WORDS]);
        if (last < slots)
            return after;
        if (last == SS_END_MAX)
            break;
    }
    return place->left + 1;
}

/* False: there is no place. */
static SS_ALWAYS_INLINE bool insert(const ss_fingerprint_place *place,
                                    uint32_t width, uint64_t slot)
{
    uint32_t slots = ss_line_slots(width), gap = find_gap(place, slots);
    if (gap > place->left)
        return false;
    uint64_t *line = place->line;
    uint32_t to = ss_line_end(line[SS_SLOT_WORDS], place->unit + 1);
    uint64_t ones = ss_line_ones_after(place->unit);
    for (;;) {
        if (to < slots) {
            slot = line_push(line, width, to, slot, ones);
            to = slots;
        } else {
            line[SS_SLOT_WORDS] += ones;
        }
        if (gap-- == 0)
            return true;
        to -= slots;
        ones = SS_ENDS_ONE;
        line += SS_LINE_WORDS;
    }
}

#endif
