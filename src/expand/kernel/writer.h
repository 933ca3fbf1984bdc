/*
 * writer.h - writes the lines of a segment from the first to the last, from
 * its units' lengths and its slots in order. A part of recut_lines.h and
 * move_slots.h, and compiled for each kernel.
 *
 * Slots wait in a row of bits, one after another, and a line is written when
 * all of its slots are there: as one load, a shift and one store. So slots are
 * appended many at a time, or a load would wait for the store before it. The
 * counts of a line are made of eight lengths at once.
 *
 * A kernel defines (slots_*.h)
 *
 *     uint64_t counts_spread(uint64_t counts)
 *         eight counts of 7 bits as eight bytes, the first the lowest
 *     uint64_t counts_gather(uint64_t bytes)
 *         and back; the bytes are at most 127
 *     void row_append(uint64_t *row, uint32_t bit, const uint64_t *line)
 *         copies the words of a line's slots to a bit of a row; what is after
 *         them in the row's next word may be written
 *     void line_write(uint64_t *line, const uint64_t *row, uint32_t bit,
 *                     uint32_t count, uint64_t ends)
 *         so many bits of a row from one on, then zeros, and the counts
 *
 * Bit i of a row is bit i % 64 of its word i / 64, as in a line.
 */
#ifndef SS_EXPAND_KERNEL_WRITER_H
#define SS_EXPAND_KERNEL_WRITER_H

#include <string.h>

#include "base/inlining.h"
#include "expand/source.h"

#define SS_BYTES_ONE UINT64_C(0x0101010101010101)

/* The lengths of a line's eight units, as bytes. */
static inline uint64_t ss_lengths_of(uint64_t ends)
{
    uint64_t begins = ends & (UINT64_MAX >> 8);
    return counts_spread((ends >> SS_END_BITS) - begins);
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

enum {
    SS_ROW_LINES = 64, /* of which slots are appended at a time: a page */
    /* And what was left before, less than a line's, and what is written past
     * the end. */
    SS_ROW_WORDS = (SS_ROW_LINES + 3) * SS_SLOT_WORDS
};

/* The next line that is to be written. */
typedef struct ss_next_line {
    uint32_t number;
    uint32_t unit, carry; /* the first unit after its own; places that they
                             have in later lines */
    uint32_t bits;        /* of its slots */
    uint64_t ends;
    uint32_t head; /* where in the row they begin */
} ss_next_line;

typedef struct ss_writer {
    ss_pool *pool;
    ss_segment *to;         /* pages, width; its addresses are filled in */
    const uint8_t *lengths; /* of its units */
    uint32_t u;             /* 2^u units */
    uint32_t homes, inverse, slots, width, lines;
    ss_next_line next;
    uint32_t tail; /* of the row: bits that were appended */
    uint64_t row[SS_ROW_WORDS];
} ss_writer;

/* Counts and room of line `next->number`. */
static SS_ALWAYS_INLINE void ss_writer_plan(const ss_writer *writer,
                                            ss_next_line *next)
{
    uint32_t after = ss_source_units(next->number, writer->u, writer->homes,
                                     writer->inverse);
    uint64_t eight = ss_writer_lengths(writer->lengths, &next->unit, after);
    uint64_t ends = (eight + next->carry) * SS_BYTES_ONE;
    uint32_t end = (uint32_t)(ends >> 56);
    uint32_t used = end < writer->slots ? end : writer->slots;
    next->ends = counts_gather(ends) << SS_END_BITS | next->carry;
    next->bits = used * writer->width;
    next->carry = end - used;
}

static void ss_writer_begin(ss_writer *writer, ss_pool *pool, ss_segment *to,
                            const uint8_t *lengths, uint32_t u, ss_step step)
{
    *writer = (ss_writer){.pool = pool,
                          .to = to,
                          .lengths = lengths,
                          .u = u,
                          .homes = step.homes,
                          .inverse = step.inverse,
                          .slots = ss_line_slots(to->width),
                          .width = to->width,
                          .lines = to->pages << pool->line_shift};
    ss_writer_plan(writer, &writer->next);
}

/* Writes a line and plans the one after it. */
static SS_ALWAYS_INLINE void ss_writer_write(ss_writer *writer,
                                             ss_next_line *next)
{
    ss_pool *pool = writer->pool;
    uint32_t within = next->number & ((UINT32_C(1) << pool->line_shift) - 1);
    uint32_t page = next->number >> pool->line_shift;
    if (within == 0)
        writer->to->page[page] = ss_pool_take(pool);
    line_write(writer->to->page[page] + (size_t)within * SS_LINE_WORDS,
               writer->row, next->head, next->bits, next->ends);
    next->head += next->bits;
    next->number++;
    ss_writer_plan(writer, next);
}

/* Writes the lines whose slots are all there, and makes room in the row. */
static SS_ALWAYS_INLINE void ss_writer_flush(ss_writer *writer)
{
    ss_next_line next = writer->next;
    while (next.head < writer->tail && next.bits <= writer->tail - next.head)
        ss_writer_write(writer, &next);
    uint32_t words = next.head / SS_WORD_BITS;
    memmove(writer->row, writer->row + words,
            SS_LINE_WORDS * sizeof writer->row[0]);
    next.head -= words * SS_WORD_BITS;
    writer->tail -= words * SS_WORD_BITS;
    writer->next = next;
}

/* The slots of so many lines of the same width, SS_ROW_LINES at most. */
static SS_ALWAYS_INLINE void
ss_writer_append(ss_writer *writer, const uint64_t *line, uint32_t count)
{
    uint32_t tail = writer->tail, slots = writer->slots, width = writer->width;
    for (uint32_t i = 0; i < count; i++, line += SS_LINE_WORDS) {
        row_append(writer->row, tail, line);
        tail += ss_line_used(line[SS_SLOT_WORDS], slots) * width;
    }
    writer->tail = tail;
}

/* The lines that are left. */
static inline void ss_writer_finish(ss_writer *writer)
{
    while (writer->next.number < writer->lines)
        ss_writer_write(writer, &writer->next);
}

#endif
