/*
 * line.h - a line of an expandable table: slots, and where each unit's end.
 *
 * A line is 64 bytes, eight words. Words 0 to 6 hold slots of W bits, 448 / W
 * of them, the first from bit 0 on. Word 7 holds nine counts of 7 bits:
 *
 *     word 7:  d  e1  e2  e3  e4  e5  e6  e7  e8  and one bit that is 0
 *
 * The slots of a segment are one row of places, line after line. A unit, the
 * keys that share the upper bits of their hash, has a home line; its slots
 * begin there, after those of the units before it. Where a line is full they
 * go on in the next line (Robin Hood hashing, Celis 1986). d is the number of
 * places at the line's front that belong to units of earlier lines. e_b is
 * where unit b of this line ends, counted from the line's first place; a count
 * of 448 / W or more is a place in a later line. A line has at most eight
 * units; the counts after its last unit equal that unit's.
 *
 * Invariant: d <= e1 <= ... <= e8 <= 127; d of the next line is
 * max(0, e8 - 448 / W); places that no unit has are zero.
 *
 * A slot is what was kept of a key's hash after the bits that name its unit: a
 * prefix, a bit that is 1, and zeros. So it needs no length of its own, and it
 * gives up its first bit by a shift (InfiniFilter, Dayan et al. 2023). A slot
 * whose prefix is empty is a void: it covers every key of its unit.
 */
#ifndef SS_LINES_LINE_H
#define SS_LINES_LINE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bits.h"

enum {
    SS_SLOT_WORDS = 7, /* of a line; the eighth has the counts */
    SS_SLOT_LINE_BITS = SS_SLOT_WORDS * SS_WORD_BITS,
    SS_END_BITS = 7,
    SS_END_MAX = 127,
    SS_LINE_UNITS = 8,
    SS_WIDTH_MIN = 8,    /* of a slot */
    SS_WIDTH_SHORT = 32, /* the widest that 32 bits have room for */
    SS_WIDTH_MAX = 56    /* with 7 bits before it, in 64 */
};

/* 1 in each of the nine counts. */
#define SS_ENDS_ONE UINT64_C(0x0102040810204081)

/* SS_SLOT_LINE_BITS / width, from 8 on: divisions are slow. */
static inline uint32_t ss_line_slots(uint32_t width)
{
    static const uint8_t slots[64] = {
        0,  0,  0,  0,  0,  0,  0,  0,  56, 49, 44, 40, 37, 34, 32, 29,
        28, 26, 24, 23, 22, 21, 20, 19, 18, 17, 17, 16, 16, 15, 14, 14,
        14, 13, 13, 12, 12, 12, 11, 11, 11, 10, 10, 10, 10, 9,  9,  9,
        9,  9,  8,  8,  8,  8,  8,  8,  8,  7,  7,  7,  7,  7,  7,  7};
    return slots[width & 63];
}

static inline uint64_t ss_slot_mask(uint32_t width)
{
    return (UINT64_C(1) << width) - 1;
}

/* Count b of a line: where unit b begins, and unit b - 1 ends. */
static inline uint32_t ss_line_end(uint64_t ends, uint32_t b)
{
    return (uint32_t)(ends >> (SS_END_BITS * b)) & SS_END_MAX;
}

/* Where the line's last unit ends. */
static inline uint32_t ss_line_last(uint64_t ends)
{
    return ss_line_end(ends, SS_LINE_UNITS);
}

/* 1 in each count after unit b's begin. */
static inline uint64_t ss_line_ones_after(uint32_t b)
{
    return SS_ENDS_ONE & ~((UINT64_C(1) << (SS_END_BITS * (b + 1))) - 1);
}

/* The places of a line that hold slots. */
static inline uint32_t ss_line_used(uint64_t ends, uint32_t slots)
{
    uint32_t last = ss_line_last(ends);
    return last < slots ? last : slots;
}

/* 64 bits from any bit of the slots on; those past the line are rubbish. */
static inline uint64_t ss_line_bits(const uint64_t *line, uint32_t bit)
{
    uint32_t word = bit / SS_WORD_BITS, shift = bit % SS_WORD_BITS;
    return line[word] >> shift | line[word + 1] << 1 << (63 - shift);
}

static inline uint64_t ss_line_slot(const uint64_t *line, uint32_t width,
                                    uint32_t place)
{
    return ss_line_bits(line, place * width) & ss_slot_mask(width);
}

/* Does a slot cover the key whose bits are `query`, its last bit 1? */
static inline bool ss_slot_matches(uint64_t slot, uint64_t query)
{
    return ((slot ^ query) & ~(slot ^ (slot - 1))) == 0;
}

/* The bits of a slot's prefix. */
static inline uint32_t ss_slot_length(uint64_t slot, uint32_t width)
{
    return width - 1 - (uint32_t)__builtin_ctzll(slot);
}

static inline uint64_t ss_slot_void(uint32_t width)
{
    return UINT64_C(1) << (width - 1);
}

/* The same in slots of another width; a prefix that is too long is cut, so it
 * covers more keys, never for fewer. */
static inline uint64_t ss_slot_convert(uint64_t slot, uint32_t width,
                                       uint32_t to_width)
{
    if (to_width >= width)
        return slot << (to_width - width);
    uint32_t cut = width - to_width;
    bool is_cut = (slot & ((UINT64_C(1) << cut) - 1)) != 0;
    return slot >> cut | (is_cut ? 1 : 0);
}

/* Sets a place that is zero. Whether it crosses into the next word nobody can
 * predict, so that is not asked. */
static inline void ss_line_set(uint64_t *line, uint32_t width, uint32_t place,
                               uint64_t slot)
{
    uint32_t bit = place * width;
    uint32_t word = bit / SS_WORD_BITS, shift = bit % SS_WORD_BITS;
    line[word] |= slot << shift;
    line[word + 1] |= slot >> 1 >> (63 - shift);
}

/* Puts a slot at a place, moves those from there on up by one, and adds `ones`
 * to the counts; returns what was in the last place. */
static inline uint64_t ss_line_push(uint64_t *line, uint32_t width,
                                    uint32_t place, uint64_t slot,
                                    uint64_t ones)
{
    uint32_t last = ss_line_slots(width) - 1;
    uint64_t out = ss_line_slot(line, width, last);
    uint32_t bit = place * width;
    uint32_t word = bit / SS_WORD_BITS, shift = bit % SS_WORD_BITS;
    uint64_t below = (UINT64_C(1) << shift) - 1;
    uint64_t old = line[word] & ~below;
    line[word] = (line[word] & below) | old << width | slot << shift;
    uint64_t carry = old >> (SS_WORD_BITS - width);
    carry |= slot >> 1 >> (63 - shift);
    for (word++; word < SS_SLOT_WORDS; word++) {
        old = line[word];
        line[word] = old << width | carry;
        carry = old >> (SS_WORD_BITS - width);
    }
    uint32_t over = SS_SLOT_LINE_BITS - (last + 1) * width;
    line[SS_SLOT_WORDS - 1] &= UINT64_MAX >> over;
    line[SS_SLOT_WORDS] += ones;
    return out;
}

/* Takes out the slot at a place, moves those after it down by one, and puts
 * `in` at the last place. */
static inline void ss_line_pull(uint64_t *line, uint32_t width, uint32_t place,
                                uint64_t in)
{
    uint32_t bit = place * width;
    uint32_t word = bit / SS_WORD_BITS, shift = bit % SS_WORD_BITS;
    uint64_t below = (UINT64_C(1) << shift) - 1;
    uint64_t kept = line[word] & below;
    for (uint32_t i = word; i < SS_SLOT_WORDS; i++) {
        uint64_t next = i + 1 < SS_SLOT_WORDS ? line[i + 1] : 0;
        line[i] = line[i] >> width | next << (SS_WORD_BITS - width);
    }
    line[word] = (line[word] & ~below) | kept;
    ss_line_set(line, width, ss_line_slots(width) - 1, in);
}

#endif
