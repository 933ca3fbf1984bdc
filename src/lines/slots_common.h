/*
 * slots_common.h - what kernels that move slots (expand/kernel/writer.h,
 * move_slots.h) share where the processor does not shift a whole line at once.
 */
#ifndef SS_LINES_SLOTS_COMMON_H
#define SS_LINES_SLOTS_COMMON_H

#include "lines/line.h"

static inline uint64_t counts_spread(uint64_t counts)
{
    uint64_t x = counts;
    x = (x & 0x0FFFFFFF) | (x & (UINT64_C(0x0FFFFFFF) << 28)) << 4;
    x = (x & UINT64_C(0x00003FFF00003FFF)) | (x & UINT64_C(0x0FFFC0000FFFC000))
                                                 << 2;
    return (x & UINT64_C(0x007F007F007F007F)) |
           (x & UINT64_C(0x3F803F803F803F80)) << 1;
}

static inline uint64_t counts_gather(uint64_t bytes)
{
    uint64_t x = bytes;
    x = (x & UINT64_C(0x007F007F007F007F)) |
        (x & UINT64_C(0x7F007F007F007F00)) >> 1;
    x = (x & UINT64_C(0x00003FFF00003FFF)) |
        (x & UINT64_C(0x3FFF00003FFF0000)) >> 2;
    return (x & 0x0FFFFFFF) | (x & UINT64_C(0x0FFFFFFF00000000)) >> 4;
}

static inline void row_pack(uint64_t *row, uint32_t bit,
                            const moved_slot *slots, uint32_t count,
                            uint32_t width)
{
    uint64_t *to = row + bit / SS_WORD_BITS;
    uint32_t fill = bit % SS_WORD_BITS;
    uint64_t bits = to[0] & ((UINT64_C(1) << fill) - 1);
    for (uint32_t i = 0; i < count; i++) {
        bits |= (uint64_t)slots[i] << fill;
        fill += width;
        if (fill < SS_WORD_BITS)
            continue;
        *to++ = bits;
        fill -= SS_WORD_BITS;
        bits = (uint64_t)slots[i] >> (width - fill);
    }
    *to = bits;
}

/* Which half a slot is of nobody can predict, so that is not asked: compilers
 * make a branch of a choice, and none of this. */
static inline void slots_part(const moved_slot *slots, uint32_t count,
                              uint32_t width, uint32_t lower, moved_slot *to)
{
    uint32_t low = 0; /* those of the first half so far */
    for (uint32_t i = 0; i < count; i++) {
        uint32_t side = (uint32_t)(slots[i] >> (width - 1));
        uint32_t high = lower + i - low;
        to[low ^ ((low ^ high) & (0 - side))] =
            (moved_slot)(slots[i] << 1 & ss_slot_mask(width));
        low += 1 - side;
    }
}

#endif
