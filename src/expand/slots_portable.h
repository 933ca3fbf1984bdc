/*
 * slots_portable.h - rows of slots out of lines and into them: what cuts.h and
 * moves.h ask for, word by word, of any moved_slot.
 */
#ifndef SS_EXPAND_SLOTS_PORTABLE_H
#define SS_EXPAND_SLOTS_PORTABLE_H

#include <string.h>

#include "expand/line.h"

enum {
    SLOTS_OVER = 0
};

static inline void line_begin(uint64_t *line, uint64_t ends)
{
    memset(line, 0, SS_SLOT_WORDS * sizeof *line);
    line[SS_SLOT_WORDS] = ends;
}

#define line_move ss_line_copy

static inline void line_unpack(const uint64_t *line, uint32_t width,
                               uint32_t count, moved_slot *slots)
{
    for (uint32_t i = 0; i < count; i++)
        slots[i] = (moved_slot)ss_line_slot(line, width, i);
}

static inline uint32_t slots_count(const moved_slot *slots, uint32_t count,
                                   moved_slot empty, uint32_t *voids)
{
    uint32_t upper = 0;
    for (uint32_t i = 0; i < count; i++) {
        upper += slots[i] >= empty;
        *voids += slots[i] == empty;
    }
    return upper;
}

/* Which half a slot is of nobody can predict, so that is not asked. */
static inline void slots_part(const moved_slot *slots, uint32_t count,
                              uint32_t width, uint32_t lower, moved_slot *to)
{
    uint32_t at[2] = {0, lower};
    for (uint32_t i = 0; i < count; i++) {
        uint32_t side = (uint32_t)(slots[i] >> (width - 1));
        uint32_t place = side != 0 ? at[1] : at[0];
        to[place] = (moved_slot)(slots[i] << 1 & ss_slot_mask(width));
        at[0] += 1 - side;
        at[1] += side;
    }
}

#endif
