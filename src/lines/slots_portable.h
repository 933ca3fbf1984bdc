/*
 * slots_portable.h - lines word by word, and slots one by one, of any
 * moved_slot: what a kernel that moves slots needs beside slots_common.h
 * (expand/kernel/writer.h, move_slots.h).
 */
#ifndef SS_LINES_SLOTS_PORTABLE_H
#define SS_LINES_SLOTS_PORTABLE_H

#include "lines/slots_common.h"

enum {
    SLOTS_OVER = 0
};

static inline void row_append(uint64_t *row, uint32_t bit, const uint64_t *line)
{
    uint64_t *to = row + bit / SS_WORD_BITS;
    uint32_t shift = bit % SS_WORD_BITS;
    uint64_t carry = to[0] & ((UINT64_C(1) << shift) - 1);
    for (uint32_t i = 0; i < SS_SLOT_WORDS; i++) {
        to[i] = line[i] << shift | carry;
        carry = line[i] >> 1 >> (63 - shift);
    }
    to[SS_SLOT_WORDS] = carry;
}

/* Bits of a row's word that are among the next `count`. */
static inline uint64_t bits_kept(uint32_t count)
{
    return count < SS_WORD_BITS ? (UINT64_C(1) << count) - 1 : UINT64_MAX;
}

static inline void line_write(uint64_t *line, const uint64_t *row, uint32_t bit,
                              uint32_t count, uint64_t ends)
{
    for (uint32_t i = 0; i < SS_SLOT_WORDS; i++) {
        line[i] = ss_line_bits(row, bit) & bits_kept(count);
        bit += SS_WORD_BITS;
        count -= count < SS_WORD_BITS ? count : SS_WORD_BITS;
    }
    line[SS_SLOT_WORDS] = ends;
}

static inline void line_unpack(const uint64_t *line, uint32_t width,
                               uint32_t count, moved_slot *slots)
{
    for (uint32_t i = 0; i < count; i++)
        slots[i] = (moved_slot)ss_line_slot(line, width, i);
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

#endif
