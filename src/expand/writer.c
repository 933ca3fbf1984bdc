/* writer.c - the lines of a segment, in order */
#include "expand/writer.h"

#include <string.h>

/* Adds the lengths of the units whose home is a line, from one unit on, to an
 * end; returns the unit after them. */
static uint32_t add_units(const uint8_t *lengths, uint32_t unit, uint32_t line,
                          uint32_t u, uint32_t homes, uint32_t *end)
{
    uint32_t units = UINT32_C(1) << u;
    uint64_t stop = (uint64_t)(line + 1) << u;
    for (; unit < units && (uint64_t)unit * homes < stop; unit++)
        *end += lengths[unit];
    return unit;
}

bool ss_writer_fits(const uint8_t *lengths, uint32_t u, uint32_t homes,
                    uint32_t width)
{
    uint32_t slots = ss_line_slots(width), carry = 0, unit = 0;
    for (uint32_t line = 0; line < homes; line++) {
        uint32_t end = carry;
        unit = add_units(lengths, unit, line, u, homes, &end);
        if (end >= SS_END_MAX)
            return false;
        carry = end > slots ? end - slots : 0;
    }
    return carry < SS_SPILL_LINES * slots && carry < SS_END_MAX;
}

void ss_writer_init(ss_writer *writer, ss_pool *pool, ss_segment *to,
                    const uint8_t *lengths, uint32_t u, uint32_t homes)
{
    *writer = (ss_writer){.pool = pool,
                          .to = to,
                          .lengths = lengths,
                          .u = u,
                          .homes = homes,
                          .slots = ss_line_slots(to->width),
                          .lines = to->pages << pool->line_shift};
}

static uint64_t ends_of_line(ss_writer *writer, uint32_t *end)
{
    uint64_t ends = writer->carry;
    uint64_t stop = (uint64_t)(writer->next + 1) << writer->u;
    uint32_t units = UINT32_C(1) << writer->u;
    *end = writer->carry;
    for (uint32_t b = 1; b <= SS_LINE_UNITS; b++) {
        bool is_here = writer->unit < units &&
                       (uint64_t)writer->unit * writer->homes < stop;
        if (is_here)
            *end += writer->lengths[writer->unit++];
        ends |= (uint64_t)*end << (SS_END_BITS * b);
    }
    return ends;
}

void ss_writer_open(ss_writer *writer)
{
    ss_pool *pool = writer->pool;
    uint32_t within = writer->next & ((UINT32_C(1) << pool->line_shift) - 1);
    uint32_t page = writer->next >> pool->line_shift;
    if (within == 0)
        writer->to->page[page] = ss_pool_take(pool);
    writer->line = writer->to->page[page] + (size_t)within * SS_LINE_WORDS;
    memset(writer->line, 0, SS_LINE_BYTES);
    uint32_t end;
    writer->line[SS_SLOT_WORDS] = ends_of_line(writer, &end);
    writer->room = end < writer->slots ? end : writer->slots;
    writer->carry = end - writer->room;
    writer->place = 0;
    writer->next++;
}

void ss_writer_finish(ss_writer *writer)
{
    while (writer->next < writer->lines)
        ss_writer_open(writer);
}
