/*
 * writer.h - writes the lines of a segment from the first to the last, from
 * its units' lengths and its slots in order. The counts of a line are made of
 * eight lengths at once. A part of cuts.h and moves.h, and compiled for each
 * twin.
 */
#ifndef SS_EXPAND_WRITER_H
#define SS_EXPAND_WRITER_H

#include <string.h>

#include "base/inlining.h"
#include "expand/source.h"

#define SS_BYTES_ONE UINT64_C(0x0101010101010101)
#define SS_BYTES_OF_COUNTS UINT64_C(0x7F7F7F7F7F7F7F7F)

/* Eight counts of 7 bits as eight bytes, the first the lowest. */
static inline uint64_t ss_counts_spread(uint64_t counts)
{
    uint64_t x = counts;
    x = (x & 0x0FFFFFFF) | (x & (UINT64_C(0x0FFFFFFF) << 28)) << 4;
    x = (x & UINT64_C(0x00003FFF00003FFF)) | (x & UINT64_C(0x0FFFC0000FFFC000))
                                                 << 2;
    return (x & UINT64_C(0x007F007F007F007F)) |
           (x & UINT64_C(0x3F803F803F803F80)) << 1;
}

/* And back; the bytes are at most 127. */
static inline uint64_t ss_counts_gather(uint64_t bytes)
{
    uint64_t x = bytes;
    x = (x & UINT64_C(0x007F007F007F007F)) |
        (x & UINT64_C(0x7F007F007F007F00)) >> 1;
    x = (x & UINT64_C(0x00003FFF00003FFF)) |
        (x & UINT64_C(0x3FFF00003FFF0000)) >> 2;
    return (x & 0x0FFFFFFF) | (x & UINT64_C(0x0FFFFFFF00000000)) >> 4;
}

/* The lengths of a line's eight units, as bytes. */
static inline uint64_t ss_lengths_of(uint64_t ends)
{
    uint64_t begins = ends & (UINT64_MAX >> 8);
    return ss_counts_spread((ends >> SS_END_BITS) - begins);
}

static inline void ss_lengths_store(uint8_t *lengths, uint64_t eight)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    eight = __builtin_bswap64(eight);
#endif
    memcpy(lengths, &eight, sizeof eight);
}

/* `count` lengths, at most 8, and zeros. */
static inline uint64_t ss_lengths_load(const uint8_t *lengths, uint32_t count)
{
    uint64_t eight;
    memcpy(&eight, lengths, sizeof eight);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    eight = __builtin_bswap64(eight);
#endif
    return eight & (((UINT64_C(1) << (8 * count - 1)) << 1) - 1);
}

typedef struct ss_writer {
    ss_pool *pool;
    ss_segment *to;         /* pages, width; its addresses are filled in */
    const uint8_t *lengths; /* of its units */
    uint32_t u;             /* 2^u units */
    uint32_t homes, inverse, slots, width, lines;
    uint32_t unit, carry; /* the next unit; places that earlier ones have */
    uint32_t next;        /* the next line */
    uint64_t *line;       /* the one before */
    uint32_t room;        /* of its places: those still to be filled */
    uint32_t word, fill; /* of the line: words that are whole; bits of `bits` */
    uint64_t bits;       /* of the next word */
} ss_writer;

static inline ss_writer ss_writer_begin(ss_pool *pool, ss_segment *to,
                                        const uint8_t *lengths, uint32_t u,
                                        ss_step step)
{
    return (ss_writer){.pool = pool,
                       .to = to,
                       .lengths = lengths,
                       .u = u,
                       .homes = step.homes,
                       .inverse = step.inverse,
                       .slots = ss_line_slots(to->width),
                       .width = to->width,
                       .lines = to->pages << pool->line_shift};
}

/* The lengths of the next line's units, as bytes. */
static inline uint64_t ss_writer_lengths(const uint8_t *lengths, uint32_t *unit,
                                         uint32_t after)
{
    uint64_t eight = 0;
    if (after > *unit)
        eight = ss_lengths_load(lengths + *unit, after - *unit);
    *unit = after;
    return eight;
}

/* Begins the next line: zeros and its counts. */
static SS_ALWAYS_INLINE void ss_writer_open(ss_writer *writer)
{
    ss_pool *pool = writer->pool;
    uint32_t within = writer->next & ((UINT32_C(1) << pool->line_shift) - 1);
    uint32_t page = writer->next >> pool->line_shift;
    if (within == 0)
        writer->to->page[page] = ss_pool_take(pool);
    writer->line = writer->to->page[page] + (size_t)within * SS_LINE_WORDS;
    uint32_t after = ss_source_units(writer->next++, writer->u, writer->homes,
                                     writer->inverse);
    uint64_t eight = ss_writer_lengths(writer->lengths, &writer->unit, after);
    uint64_t ends = (eight + writer->carry) * SS_BYTES_ONE;
    uint32_t end = (uint32_t)(ends >> 56);
    ends = ss_counts_gather(ends) << SS_END_BITS | writer->carry;
    line_begin(writer->line, ends);
    writer->room = end < writer->slots ? end : writer->slots;
    writer->carry = end - writer->room;
    writer->word = writer->fill = 0;
    writer->bits = 0;
}

static inline void ss_writer_close(ss_writer *writer)
{
    if (writer->fill > 0)
        writer->line[writer->word] = writer->bits;
    writer->fill = 0;
}

/* The next slots, which are in the line's room. */
static inline void ss_writer_pack(ss_writer *writer, const moved_slot *slots,
                                  uint32_t count)
{
    uint32_t fill = writer->fill, width = writer->width;
    uint64_t bits = writer->bits, *to = writer->line + writer->word;
    for (uint32_t i = 0; i < count; i++) {
        bits |= (uint64_t)slots[i] << fill;
        fill += width;
        if (fill < SS_WORD_BITS)
            continue;
        *to++ = bits;
        fill -= SS_WORD_BITS;
        bits = (uint64_t)slots[i] >> (width - fill);
    }
    writer->word = (uint32_t)(to - writer->line);
    writer->fill = fill;
    writer->bits = bits;
    writer->room -= count;
}

static inline void ss_writer_put(ss_writer *writer, const moved_slot *slots,
                                 uint32_t count)
{
    while (count > 0) {
        while (writer->room == 0) {
            ss_writer_close(writer);
            ss_writer_open(writer);
        }
        uint32_t here = count < writer->room ? count : writer->room;
        ss_writer_pack(writer, slots, here);
        slots += here;
        count -= here;
    }
}

/* The lines that are left. */
static inline void ss_writer_finish(ss_writer *writer)
{
    ss_writer_close(writer);
    while (writer->next < writer->lines)
        ss_writer_open(writer);
}

#endif
