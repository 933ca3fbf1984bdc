/*
 * cuts.h - a twin's functions that write a segment again and leave its slots as
 * they are (rebuild.h): only where the row is cut into lines changes. Slots are
 * bits here, of any width.
 *
 * Before it is included a twin defines (slots_portable.h, slots_vbmi.h)
 *
 *     void line_begin(uint64_t *line, uint64_t ends)
 *         places of zeros, and the counts
 *     void line_move(uint64_t *to, uint32_t to_bit, const uint64_t *from,
 *                    uint32_t from_bit, uint32_t count)
 *         what ss_line_copy does
 */
#include "expand/twins.h"
#include "expand/writer.h"

static void twin_read_lengths(ss_source *from)
{
    const ss_expand *expand = from->expand;
    ss_step step = expand->steps[from->segment.pages];
    for (uint32_t at = 0, unit = 0; at < step.homes; at++) {
        const uint64_t *line = ss_place_line(&expand->pool, &from->entry, at);
        ss_lengths_store(from->lengths + unit,
                         ss_lengths_of(line[SS_SLOT_WORDS]));
        unit = ss_source_units(at, expand->unit_bits, step.homes, step.inverse);
    }
}

static inline uint32_t sum_bytes(uint64_t bytes)
{
    const uint64_t even = UINT64_C(0x00FF00FF00FF00FF);
    return (uint32_t)(((bytes & even) + (bytes >> 8 & even)) *
                          UINT64_C(0x0001000100010001) >>
                      48);
}

static bool twin_fits(const uint8_t *lengths, uint32_t u, ss_step step,
                      uint32_t width)
{
    uint32_t slots = ss_line_slots(width), carry = 0, unit = 0;
    for (uint32_t line = 0; line < step.homes; line++) {
        uint32_t after = ss_source_units(line, u, step.homes, step.inverse);
        uint32_t end =
            carry + sum_bytes(ss_writer_lengths(lengths, &unit, after));
        if (end >= SS_END_MAX)
            return false;
        carry = end > slots ? end - slots : 0;
    }
    return carry < SS_SPILL_LINES * slots;
}

/* The line after those, from `line` on, that have no slots: an empty stretch
 * is passed as it is written, or its pages would not go back in time. */
static uint32_t skip_empty(const ss_source *from, uint32_t line)
{
    uint32_t lines = ss_place_lines(from->expand, from->segment.pages);
    const ss_pool *pool = &from->expand->pool;
    while (line < lines && ss_line_last(ss_place_line(
                               pool, &from->entry, line)[SS_SLOT_WORDS]) == 0)
        line++;
    return line;
}

/* The slots of the line before line `next` that are still to be moved. */
typedef struct rest {
    const uint64_t *line;
    uint32_t next, at, left;
} rest;

static SS_ALWAYS_INLINE void fill_line(ss_source *from, ss_writer *writer,
                                       rest *of, uint32_t width)
{
    uint32_t room = writer->room;
    for (uint32_t place = 0; place < room;) {
        while (of->left == 0) {
            of->line =
                ss_place_line(&from->expand->pool, &from->entry, of->next++);
            of->left =
                ss_line_used(of->line[SS_SLOT_WORDS], ss_line_slots(width));
            of->at = 0;
        }
        uint32_t count = of->left < room - place ? of->left : room - place;
        line_move(writer->line, place * width, of->line, of->at * width,
                  count * width);
        place += count;
        of->at += count;
        of->left -= count;
    }
}

static SS_ALWAYS_INLINE void cut(ss_source *from, ss_writer *writer,
                                 uint32_t width)
{
    rest of = {0};
    while (writer->next < writer->lines) {
        if (of.left == 0)
            of.next = skip_empty(from, of.next);
        ss_source_release(from, of.left == 0 ? of.next : of.next - 1);
        ss_writer_open(writer);
        fill_line(from, writer, &of, width);
    }
}

/* The same slots and lengths, cut into the lines of another number of pages. */
static void twin_cut(ss_source *from, ss_segment *to)
{
    ss_expand *expand = from->expand;
    ss_writer writer =
        ss_writer_begin(&expand->pool, to, from->lengths, expand->unit_bits,
                        expand->steps[to->pages]);
    if (to->width == 14)
        cut(from, &writer, 14);
    else
        cut(from, &writer, to->width);
}
