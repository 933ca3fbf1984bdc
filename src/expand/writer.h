/*
 * writer.h - writes the lines of a segment from the first to the last, from
 * its units' lengths and its slots in order.
 */
#ifndef SS_EXPAND_WRITER_H
#define SS_EXPAND_WRITER_H

#include "expand/place.h"

typedef struct ss_writer {
    ss_pool *pool;
    ss_segment *to;         /* pages, width; its page numbers are filled in */
    const uint8_t *lengths; /* of its units */
    uint32_t u;             /* 2^u units */
    uint32_t homes, slots, lines;
    uint32_t unit, carry; /* the next unit; places that earlier ones have */
    uint32_t next;        /* the next line */
    uint64_t *line;       /* the one before */
    uint32_t place, room; /* of its places: the next one; all to be filled */
} ss_writer;

/* Do units of these lengths fit the counts and lines of a segment? */
bool ss_writer_fits(const uint8_t *lengths, uint32_t u, uint32_t homes,
                    uint32_t width);

void ss_writer_init(ss_writer *writer, ss_pool *pool, ss_segment *to,
                    const uint8_t *lengths, uint32_t u, uint32_t homes);

/* Begins the next line. */
void ss_writer_open(ss_writer *writer);

/* The next slot. */
static inline void ss_writer_put(ss_writer *writer, uint32_t slot)
{
    while (writer->place == writer->room)
        ss_writer_open(writer);
    ss_line_set(writer->line, writer->to->width, writer->place++, slot);
}

/* The lines that are left. */
void ss_writer_finish(ss_writer *writer);

#endif
