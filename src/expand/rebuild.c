/* rebuild.c - segments that grow, and part; the idea is in rebuild.h */
#include "expand/rebuild.h"

#include <string.h>

#include "expand/twins.h"
#include "expand/unit.h"
#include "expand/writer.h"

enum {
    UNIT_BITS_MAX = 56,
    CROWDED = 2 /* a segment that is full with less than 1 / so many */
};

/* A segment that is read from the first line to the last. */
typedef struct source {
    ss_expand *expand;
    ss_entry entry;
    ss_segment segment;
    uint64_t hash; /* one of its hashes */
    uint32_t unit_bits;
    uint32_t released; /* pages that went back to the pool */
    uint8_t lengths[SS_UNITS_MAX];
} source;

void ss_rebuild_steps(ss_step steps[SS_PAGES_MAX + 1], uint32_t u)
{
    for (uint32_t pages = 0; pages <= SS_PAGES_MAX; pages++) {
        uint32_t lines = pages << (u - SS_STEP_SHIFT);
        uint32_t homes = lines > SS_SPILL_LINES ? lines - SS_SPILL_LINES : 1;
        steps[pages] =
            (ss_step){homes, (UINT32_C(1) << SS_INVERSE_BITS) / homes + 1};
    }
}

uint32_t ss_rebuild_limit(uint32_t load, uint32_t homes, uint32_t width)
{
    return (uint32_t)((uint64_t)load * homes * ss_line_slots(width) >> 8);
}

/* Unit v's home line and number there; the query is of no matter. */
static ss_place place_of_unit(const source *from, uint32_t unit)
{
    const ss_step *step = &from->expand->steps[from->segment.pages];
    uint32_t u = from->expand->unit_bits, x = unit * step->homes;
    uint32_t within = x & ((UINT32_C(1) << u) - 1);
    return (ss_place){
        .line = x >> u,
        .unit = (uint32_t)((uint64_t)within * step->inverse >> SS_INVERSE_BITS),
        .width = from->segment.width};
}

static void read_lengths(source *from)
{
    uint32_t unit = 0, u = from->expand->unit_bits;
    uint32_t units = UINT32_C(1) << u;
    uint32_t homes = from->expand->steps[from->segment.pages].homes;
    for (uint32_t at = 0; at < homes; at++) {
        uint64_t ends =
            ss_place_line(&from->expand->pool, &from->entry, at)[SS_SLOT_WORDS];
        uint64_t stop = (uint64_t)(at + 1) << u;
        for (; unit < units && (uint64_t)unit * homes < stop; unit++) {
            from->lengths[unit] =
                (uint8_t)(ss_line_end(ends, 1) - ss_line_end(ends, 0));
            ends >>= SS_END_BITS;
        }
    }
}

static void open_source(source *from, ss_expand *expand, uint64_t hash)
{
    from->expand = expand;
    from->hash = hash;
    from->entry = *ss_directory_find(&expand->directory, hash);
    from->segment = ss_entry_unpack(&from->entry);
    from->unit_bits = ss_place_unit_bits(expand, from->segment.depth);
    from->released = 0;
    read_lengths(from);
}

/* Gives back the pages before a line's, which were read. */
static void release_before(source *from, uint32_t line)
{
    uint32_t pages = line >> from->expand->pool.line_shift;
    while (from->released < pages)
        ss_pool_give(&from->expand->pool, from->segment.page[from->released++]);
}

static void release_all(source *from)
{
    release_before(from, ss_place_lines(from->expand, from->segment.pages));
}

static bool ensure_pages(source *from, uint32_t pages)
{
    uint32_t more =
        pages > from->segment.pages ? pages - from->segment.pages : 0;
    return ss_pool_ensure(&from->expand->pool, more + SS_SPARE_PAGES);
}

/* The fewest pages, `least` or more, that so many slots in units of these
 * lengths fit in; 0: not even the most. */
static uint32_t choose_pages(const ss_step *steps, uint32_t load, uint32_t u,
                             const uint8_t *lengths, uint32_t width,
                             uint32_t stored, uint32_t least)
{
    for (uint32_t pages = least; pages <= SS_PAGES_MAX; pages++) {
        uint32_t homes = steps[pages].homes;
        if ((stored < ss_rebuild_limit(load, homes, width) ||
             pages == SS_PAGES_MAX) &&
            ss_writer_fits(lengths, u, homes, width))
            return pages;
    }
    return 0;
}

/* A segment that is whole, of so many slots, for the hashes around one. */
static void publish(source *from, const ss_segment *to, uint64_t hash,
                    uint32_t stored)
{
    ss_expand *expand = from->expand;
    ss_entry entry = ss_entry_pack(to);
    uint32_t limit = ss_rebuild_limit(
        expand->load, expand->steps[to->pages].homes, to->width);
    expand->records[to->id] = (ss_segment_record){stored, limit};
    ss_directory_publish(&expand->directory, hash, to->depth, &entry);
}

/* The line after those, from `line` on, that have no slots: an empty stretch
 * is passed as it is written, or its pages would not go back in time. */
static uint32_t skip_empty(const source *from, uint32_t line)
{
    uint32_t lines = ss_place_lines(from->expand, from->segment.pages);
    const ss_pool *pool = &from->expand->pool;
    while (line < lines && ss_line_last(ss_place_line(
                               pool, &from->entry, line)[SS_SLOT_WORDS]) == 0)
        line++;
    return line;
}

/* The same slots and lengths, cut into the lines of another number of pages. */
static bool cut_anew(source *from, uint32_t pages)
{
    ss_expand *expand = from->expand;
    if (!ensure_pages(from, pages))
        return false;
    ss_segment to = from->segment;
    to.pages = pages;
    uint32_t width = to.width, next = 0, at = 0, left = 0;
    const uint64_t *line = NULL;
    ss_writer writer;
    ss_writer_init(&writer, &expand->pool, &to, from->lengths,
                   expand->unit_bits, expand->steps[pages].homes);
    while (writer.next < writer.lines) {
        if (left == 0)
            next = skip_empty(from, next);
        release_before(from, left == 0 ? next : next - 1);
        ss_writer_open(&writer);
        while (writer.place < writer.room) {
            while (left == 0) {
                release_before(from, next);
                line = ss_place_line(&expand->pool, &from->entry, next++);
                left = ss_line_used(line[SS_SLOT_WORDS], writer.slots);
                at = 0;
            }
            uint32_t room = writer.room - writer.place;
            uint32_t count = left < room ? left : room;
            expand->twin->copy(writer.line, writer.place * width, line,
                               at * width, count * width);
            writer.place += count;
            at += count;
            left -= count;
        }
    }
    release_all(from);
    publish(from, &to, from->hash, expand->records[to.id].stored);
    return true;
}

/* A slot in another width, and what it then covers. */
static uint32_t convert(source *from, uint32_t slot, uint32_t to_width,
                        uint32_t unit_bits)
{
    uint32_t width = from->segment.width;
    uint32_t to = ss_slot_convert(slot, width, to_width);
    uint32_t length = ss_slot_length(slot, width);
    uint32_t to_length = ss_slot_length(to, to_width);
    if (length != to_length) {
        ss_place_uncover(from->expand, ss_place_covers(unit_bits + length));
        ss_place_cover(from->expand, ss_place_covers(unit_bits + to_length));
    }
    return to;
}

/* The same units in narrower slots. */
static bool narrow(source *from, uint32_t width, uint32_t pages)
{
    ss_expand *expand = from->expand;
    if (!ensure_pages(from, pages))
        return false;
    ss_segment to = from->segment;
    to.pages = pages;
    to.width = width;
    ss_writer writer;
    ss_writer_init(&writer, &expand->pool, &to, from->lengths,
                   expand->unit_bits, expand->steps[pages].homes);
    for (uint32_t unit = 0; unit < UINT32_C(1) << expand->unit_bits; unit++) {
        ss_place place = place_of_unit(from, unit);
        uint32_t slots[SS_END_MAX];
        release_before(from, place.line);
        uint32_t count =
            ss_unit_read(&expand->pool, &from->entry, place, slots);
        for (uint32_t i = 0; i < count; i++)
            ss_writer_put(&writer,
                          convert(from, slots[i], width, from->unit_bits));
    }
    ss_writer_finish(&writer);
    release_all(from);
    publish(from, &to, from->hash, expand->records[to.id].stored);
    return true;
}

/* What becomes of a segment that parts: units in twice as many, in two
 * segments, or in one of twice the units (the smallest tables). */
typedef struct parting {
    uint32_t u; /* of the new segments */
    uint32_t count;
    ss_step steps[SS_PAGES_MAX + 1];
    uint32_t stored[2];
    ss_segment to[2];
    uint8_t lengths[2 * SS_UNITS_MAX];
    ss_pool pool; /* of the one segment: its pages are larger */
} parting;

/* The slots of a unit by their first bits: zeros in halves[0]. A void goes to
 * both, once. */
static void part_unit(source *from, uint32_t unit,
                      uint32_t halves[2][SS_END_MAX], uint32_t counts[2])
{
    uint32_t slots[SS_END_MAX], empty = ss_slot_void(from->segment.width);
    ss_place place = place_of_unit(from, unit);
    uint32_t count =
        ss_unit_read(&from->expand->pool, &from->entry, place, slots);
    bool has_void = false;
    counts[0] = counts[1] = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (slots[i] == empty) {
            has_void = true;
            continue;
        }
        uint32_t half = (slots[i] & empty) != 0;
        halves[half][counts[half]++] =
            (slots[i] << 1) & ss_slot_mask(from->segment.width);
    }
    for (uint32_t half = 0; half < 2 && has_void; half++)
        halves[half][counts[half]++] = empty;
}

/* How many slots of a unit go to each half. */
static void count_halves(source *from, uint32_t unit, uint8_t counts[2])
{
    uint32_t slots[SS_END_MAX], empty = ss_slot_void(from->segment.width);
    uint32_t upper = 0, voids = 0;
    uint32_t count = ss_unit_read(&from->expand->pool, &from->entry,
                                  place_of_unit(from, unit), slots);
    for (uint32_t i = 0; i < count; i++) {
        upper += slots[i] >= empty;
        voids += slots[i] == empty;
    }
    counts[0] = (uint8_t)(count - upper + (voids > 0));
    counts[1] = (uint8_t)(upper - voids + (voids > 0));
}

/* Counts the slots of the new segments; false: they do not fit. */
static bool plan_parting(source *from, parting *plan, uint32_t width)
{
    ss_expand *expand = from->expand;
    uint32_t units = UINT32_C(1) << expand->unit_bits;
    bool is_one = expand->unit_bits < SS_UNIT_BITS;
    plan->u = expand->unit_bits + (is_one ? 1 : 0);
    plan->count = is_one ? 1 : 2;
    plan->stored[0] = plan->stored[1] = 0;
    ss_rebuild_steps(plan->steps, plan->u);
    for (uint32_t unit = 0; unit < units; unit++) {
        uint8_t *counts = &plan->lengths[2 * unit];
        count_halves(from, unit, counts);
        uint32_t side = is_one ? 0 : unit >> (SS_UNIT_BITS - 1);
        plan->stored[side] += (uint32_t)counts[0] + counts[1];
    }
    for (uint32_t i = 0; i < plan->count; i++) {
        ss_segment *to = &plan->to[i];
        *to = (ss_segment){.depth = from->segment.depth + plan->count - 1,
                           .width = width,
                           .id = i == 0 ? from->segment.id
                                        : expand->record_count};
        to->pages = choose_pages(plan->steps, expand->load, plan->u,
                                 plan->lengths + (size_t)i * SS_UNITS_MAX,
                                 width, plan->stored[i], SS_PAGES_MIN);
        if (to->pages == 0)
            return false;
    }
    return true;
}

bool ss_rebuild_widen_records(ss_expand *expand, uint32_t more)
{
    if (expand->record_room - expand->record_count >= more)
        return true;
    uint32_t room = expand->record_room + expand->record_room / 4 + 4;
    if (room < expand->record_count + more)
        room = expand->record_count + more;
    ss_segment_record *wider =
        ss_memory_alloc(&expand->memory, room, sizeof *wider);
    if (wider == NULL)
        return false;
    memcpy(wider, expand->records, expand->record_count * sizeof *wider);
    ss_memory_free(&expand->memory, expand->records, expand->record_room,
                   sizeof *wider);
    expand->records = wider;
    expand->record_room = room;
    return true;
}

/* Takes all memory that a parting needs. */
static bool prepare_parting(source *from, parting *plan)
{
    ss_expand *expand = from->expand;
    if (plan->count == 2)
        return ensure_pages(from, plan->to[0].pages + plan->to[1].pages) &&
               ss_rebuild_widen_records(expand, 1) &&
               ss_directory_ensure(&expand->directory, from->hash,
                                   from->segment.depth + 1);
    ss_pool_init(&plan->pool, &expand->memory, plan->u - SS_STEP_SHIFT);
    if (ss_pool_ensure(&plan->pool, plan->to[0].pages))
        return true;
    ss_pool_end(&plan->pool);
    return false;
}

/* Half the units, or all, into one of the new segments. */
static void write_half(source *from, parting *plan, uint32_t side)
{
    ss_expand *expand = from->expand;
    uint32_t units = (UINT32_C(1) << plan->u) / 2;
    ss_segment *to = &plan->to[side];
    ss_writer writer;
    ss_writer_init(&writer, plan->count == 2 ? &expand->pool : &plan->pool, to,
                   plan->lengths + (size_t)side * SS_UNITS_MAX, plan->u,
                   plan->steps[to->pages].homes);
    for (uint32_t unit = side * units; unit < (side + 1) * units; unit++) {
        uint32_t halves[2][SS_END_MAX], counts[2];
        if (plan->count == 2)
            release_before(from, place_of_unit(from, unit).line);
        part_unit(from, unit, halves, counts);
        for (uint32_t i = 0; i < counts[0] + counts[1]; i++) {
            uint32_t slot =
                i < counts[0] ? halves[0][i] : halves[1][i - counts[0]];
            ss_writer_put(&writer,
                          convert(from, slot, to->width, from->unit_bits + 1));
        }
    }
    ss_writer_finish(&writer);
}

/* So many more slots than there were keys, or fewer: no add stored them. */
static void count_voids(ss_expand *expand, uint32_t more)
{
    expand->stored += (uint64_t)(int64_t)(int32_t)more;
    if (expand->promised != 0 && expand->promised != UINT64_MAX)
        expand->promised += (uint64_t)(int64_t)(int32_t)more;
}

/* What more voids there are, or fewer, is no matter to what is covered: both
 * halves of a void cover what it did. */
static bool part(source *from, parting *plan)
{
    ss_expand *expand = from->expand;
    if (!prepare_parting(from, plan))
        return false;
    uint32_t stored = plan->stored[0] + plan->stored[1];
    count_voids(expand, stored - expand->records[from->segment.id].stored);
    for (uint32_t side = 0; side < plan->count; side++)
        write_half(from, plan, side);
    if (plan->count == 2) {
        uint64_t half = UINT64_C(1) << (63 - from->segment.depth);
        release_all(from);
        expand->record_count++;
        publish(from, &plan->to[0], from->hash & ~half, plan->stored[0]);
        publish(from, &plan->to[1], from->hash | half, plan->stored[1]);
        return true;
    }
    ss_pool_end(&expand->pool);
    expand->pool = plan->pool;
    expand->unit_bits = plan->u;
    memcpy(expand->steps, plan->steps, sizeof plan->steps);
    publish(from, &plan->to[0], from->hash, plan->stored[0]);
    return true;
}

/* The longest unit of a segment becomes a void. Only keys that were chosen to
 * share their hashes' upper bits crowd a segment that is half empty. */
static bool relieve(source *from)
{
    ss_expand *expand = from->expand;
    uint32_t longest = 0, slots[SS_END_MAX];
    for (uint32_t unit = 1; unit < UINT32_C(1) << expand->unit_bits; unit++)
        if (from->lengths[unit] > from->lengths[longest])
            longest = unit;
    ss_place place = place_of_unit(from, longest);
    uint32_t count = ss_unit_read(&expand->pool, &from->entry, place, slots);
    for (uint32_t i = 0; i < count && count > 1; i++) {
        uint32_t length = ss_slot_length(slots[i], place.width);
        ss_place_uncover(expand, ss_place_covers(from->unit_bits + length));
        ss_unit_delete(&expand->pool, &from->entry, place, 0);
    }
    if (count < 2)
        return false;
    ss_place_cover(expand, ss_place_covers(from->unit_bits));
    expand->records[from->segment.id].stored -= count - 1;
    expand->stored -= count - 1;
    return expand->twin->insert(expand, &from->entry, place,
                                ss_slot_void(place.width));
}

static bool is_crowded(const source *from)
{
    const ss_segment_record *record = &from->expand->records[from->segment.id];
    return record->stored < record->limit / CROWDED;
}

/* More pages, narrower slots, or two segments. False: there is no memory, or
 * `*is_stuck`: the slots fit none of these. */
static bool make_room(source *from, parting *plan, bool *is_stuck)
{
    ss_expand *expand = from->expand;
    uint32_t width = from->segment.width;
    uint32_t next_width = expand->widths[from->unit_bits + 1];
    uint32_t stored = expand->records[from->segment.id].stored;
    uint32_t pages = 0;
    if (from->segment.pages < SS_PAGES_MAX)
        pages =
            choose_pages(expand->steps, expand->load, expand->unit_bits,
                         from->lengths, width, stored, from->segment.pages + 1);
    if (pages > 0)
        return cut_anew(from, pages);
    if (next_width < width)
        pages = choose_pages(expand->steps, expand->load, expand->unit_bits,
                             from->lengths, next_width, stored, SS_PAGES_MIN);
    if (pages > 0)
        return narrow(from, next_width, pages);
    *is_stuck = !plan_parting(from, plan, next_width);
    return !*is_stuck && part(from, plan);
}

bool ss_rebuild_grow(ss_expand *expand, uint64_t hash)
{
    source from;
    parting plan;
    bool is_stuck = false;
    open_source(&from, expand, hash);
    if (is_crowded(&from) || from.unit_bits >= UNIT_BITS_MAX)
        return relieve(&from);
    if (make_room(&from, &plan, &is_stuck))
        return true;
    return (is_stuck || expand->stored < expand->promised) && relieve(&from);
}

bool ss_rebuild_widen(ss_expand *expand, uint64_t hash)
{
    source from;
    parting plan;
    bool is_stuck = false;
    open_source(&from, expand, hash);
    return make_room(&from, &plan, &is_stuck) || is_stuck;
}
