/*
 * recut_lines.h - a kernel's functions that write a segment again and leave its
 * slots as they are (rebuild.h): only where the row is cut into lines changes.
 * Slots are bits here, of any width.
 */
#include "expand/kernel/kernels.h"
#include "expand/kernel/writer.h"

static void kernel_read_lengths(ss_source *from)
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

static bool kernel_fits(const uint8_t *lengths, uint32_t u, ss_step step,
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

/* The same slots and lengths, cut into the lines of another number of pages. */
static void kernel_cut(ss_source *from, ss_segment *to)
{
    ss_pool *pool = &from->expand->pool;
    uint32_t lines = UINT32_C(1) << pool->line_shift;
    ss_writer writer;
    ss_writer_begin(&writer, pool, to, from->lengths, from->expand->unit_bits,
                    from->expand->steps[to->pages]);
    for (uint32_t page = 0; page < from->segment.pages; page++) {
        ss_writer_append(&writer, from->segment.page[page], lines);
        ss_source_release(from, (page + 1) << pool->line_shift);
        ss_writer_flush(&writer);
    }
    ss_writer_finish(&writer);
}
