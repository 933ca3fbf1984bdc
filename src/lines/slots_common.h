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

#endif
