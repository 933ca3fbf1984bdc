/*
 * move_slots.h - functions that write a segment's slots again where slots
 * change (rebuild.h): narrower, or parted. Slots are numbers here, one after
 * another: of 32 bits, or of 64 in the portable kernel, whose functions move
 * wider slots in all kernels.
 *
 * Before it is included there are defined (slots_*.h)
 *
 *     typedef ... moved_slot
 *         uint32_t or uint64_t, which has room for a slot
 *     void line_unpack(const uint64_t *line, uint32_t width, uint32_t count,
 *                      moved_slot *slots)
 *         the first so many slots, one a number; what is after them may be
 *         written, as far as the line's slots go and SLOTS_OVER more
 *     uint32_t slots_count(const moved_slot *slots, uint32_t count,
 *                          moved_slot empty, uint32_t *voids)
 *         how many have the upper bit, `empty`; to `*voids`, those that equal
 *         it
 *     void slots_part(const moved_slot *slots, uint32_t count, uint32_t width,
 *                     uint32_t lower, moved_slot *to)
 *         `lower` slots without the upper bit, then those with it, in order and
 *         less that bit; SLOTS_OVER more may be written
 *     void row_pack(uint64_t *row, uint32_t bit, const moved_slot *slots,
 *                   uint32_t count, uint32_t width)
 *         slots to a bit of a row; what is after them in the row's next word
 *         may be written. SLOTS_OVER more may be read
 */
#include "expand/kernel/kernels.h"
#include "expand/kernel/writer.h"

/* The slots of a segment in order, units after units. */
typedef struct reader {
    ss_source *from;
    bool releases; /* pages that were read */
    uint32_t next; /* line */
    uint32_t head, tail;
    moved_slot
        slots[SS_END_MAX + SS_SLOT_LINE_BITS / SS_WIDTH_MIN + SLOTS_OVER];
} reader;

/* The next `count` slots, which are a unit's. */
static SS_ALWAYS_INLINE const moved_slot *read_slots(reader *by, uint32_t count)
{
    if (by->tail - by->head < count) {
        uint32_t width = by->from->segment.width;
        by->tail -= by->head;
        memmove(by->slots, by->slots + by->head,
                by->tail * sizeof by->slots[0]);
        by->head = 0;
        while (by->tail < count) {
            const uint64_t *line = ss_place_line(&by->from->expand->pool,
                                                 &by->from->entry, by->next++);
            uint32_t used =
                ss_line_used(line[SS_SLOT_WORDS], ss_line_slots(width));
            line_unpack(line, width, used, by->slots + by->tail);
            by->tail += used;
        }
    }
    by->head += count;
    return by->slots + by->head - count;
}

/* All units before one were read, and so were the lines before its home: empty
 * ones are passed, and their pages go back in time. */
static void pass_before(reader *by, uint32_t unit)
{
    ss_source *from = by->from;
    uint32_t home = ss_place_lines(from->expand, from->segment.pages);
    if (unit < UINT32_C(1) << from->expand->unit_bits)
        home = ss_source_place(from, unit).line;
    by->next = by->next > home ? by->next : home;
    if (by->releases)
        ss_source_release(from, by->next);
}

/* A slot in another width, and what it then covers. */
static moved_slot convert(ss_source *from, moved_slot slot, uint32_t to_width,
                          uint32_t unit_bits)
{
    uint32_t width = from->segment.width;
    uint64_t to = ss_slot_convert(slot, width, to_width);
    uint32_t length = ss_slot_length(slot, width);
    uint32_t to_length = ss_slot_length(to, to_width);
    if (length != to_length) {
        ss_place_uncover(from->expand, ss_place_covers(unit_bits + length));
        ss_place_cover(from->expand, ss_place_covers(unit_bits + to_length));
    }
    return (moved_slot)to;
}

/* The next slots: what the row has room for beside a line's. */
static void put_slots(ss_writer *to, const moved_slot *slots, uint32_t count)
{
    row_pack(to->row, to->tail, slots, count, to->width);
    to->tail += count * to->width;
    ss_writer_flush(to);
}

/* The same units in narrower slots. */
static void move_narrow(ss_source *from, ss_segment *to)
{
    ss_expand *expand = from->expand;
    ss_writer writer;
    ss_writer_begin(&writer, &expand->pool, to, from->lengths,
                    expand->unit_bits, expand->steps[to->pages]);
    reader by = {.from = from, .releases = true};
    for (uint32_t unit = 0; unit < UINT32_C(1) << expand->unit_bits; unit++) {
        uint32_t count = from->lengths[unit];
        moved_slot slots[SS_END_MAX + SLOTS_OVER];
        const moved_slot *old = read_slots(&by, count);
        for (uint32_t i = 0; i < count; i++)
            slots[i] = convert(from, old[i], to->width, from->unit_bits);
        pass_before(&by, unit + 1);
        put_slots(&writer, slots, count);
    }
    ss_writer_finish(&writer);
}

/* The lengths of the units that each unit becomes. A void goes to both. */
static void move_count_halves(ss_source *from, ss_parting *plan)
{
    uint32_t units = UINT32_C(1) << from->expand->unit_bits;
    moved_slot empty = (moved_slot)ss_slot_void(from->segment.width);
    reader by = {.from = from};
    plan->has_voids = false;
    for (uint32_t unit = 0; unit < units; unit++) {
        uint32_t count = from->lengths[unit], voids = 0;
        uint32_t upper =
            slots_count(read_slots(&by, count), count, empty, &voids);
        uint8_t *counts = &plan->lengths[2 * unit];
        counts[0] = (uint8_t)(count - upper + (voids > 0));
        counts[1] = (uint8_t)(upper - voids + (voids > 0));
        plan->has_voids |= voids > 0;
        plan->stored[2 * unit / SS_UNITS_MAX] +=
            (uint32_t)counts[0] + counts[1];
    }
}

/* Parts a unit that may have voids: each half gets one, after its slots. */
static void part_with_voids(const moved_slot *slots, uint32_t count,
                            uint32_t width, uint32_t lower, moved_slot *to)
{
    moved_slot empty = (moved_slot)ss_slot_void(width);
    uint32_t ends[2] = {0, lower};
    bool has_void = false;
    for (uint32_t i = 0; i < count; i++) {
        bool is_void = slots[i] == empty;
        has_void |= is_void;
        if (!is_void)
            to[ends[(slots[i] & empty) != 0]++] =
                (moved_slot)(slots[i] << 1 & ss_slot_mask(width));
    }
    for (uint32_t side = 0; side < 2 && has_void; side++)
        to[ends[side]++] = empty;
}

enum {
    STAGE = 256
};

/* Slots on their way to a writer. */
typedef struct stage {
    uint32_t count;
    moved_slot slots[STAGE + 2 * SS_END_MAX + SLOTS_OVER];
} stage;

static void put_stage(ss_source *from, ss_writer *to, stage *of)
{
    for (uint32_t i = 0; to->width != from->segment.width && i < of->count; i++)
        of->slots[i] =
            convert(from, of->slots[i], to->width, from->unit_bits + 1);
    put_slots(to, of->slots, of->count);
    of->count = 0;
}

/* Units first, first + 1, ... of the source, so many, parted. */
static void part_units(ss_source *from, const ss_parting *plan, reader *by,
                       uint32_t first, uint32_t count, ss_writer *to)
{
    uint32_t width = from->segment.width;
    stage on;
    on.count = 0;
    for (uint32_t unit = first; unit < first + count; unit++) {
        uint32_t length = from->lengths[unit];
        uint32_t lower = plan->lengths[2 * unit];
        const moved_slot *slots = read_slots(by, length);
        moved_slot *parted = on.slots + on.count;
        if (plan->has_voids)
            part_with_voids(slots, length, width, lower, parted);
        else
            slots_part(slots, length, width, lower, parted);
        on.count += lower + plan->lengths[2 * unit + 1];
        if (on.count < STAGE)
            continue;
        pass_before(by, unit + 1);
        put_stage(from, to, &on);
    }
    pass_before(by, first + count);
    put_stage(from, to, &on);
    ss_writer_finish(to);
}

static void move_part(ss_source *from, ss_parting *plan)
{
    uint32_t units = (UINT32_C(1) << from->expand->unit_bits) / plan->count;
    bool is_one = plan->count == 1;
    reader by = {.from = from, .releases = !is_one};
    for (uint32_t i = 0; i < plan->count; i++) {
        ss_segment *to = &plan->to[i];
        ss_writer writer;
        ss_writer_begin(&writer, is_one ? &plan->pool : &from->expand->pool, to,
                        plan->lengths + (size_t)i * SS_UNITS_MAX, plan->u,
                        plan->steps[to->pages]);
        part_units(from, plan, &by, i * units, units, &writer);
    }
}
