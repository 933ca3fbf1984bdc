/* rebuild.c - segments that grow, and part; the idea is in rebuild.h */
#include "expand/rebuild.h"

#include <string.h>

#include "expand/kernel/kernels.h"
#include "expand/unit.h"

enum {
    UNIT_BITS_MAX = 56,
    DEPTH_MARGIN = 12,
    CROWDED = 2 /* a segment that is full with less than 1 / so many */
};

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

uint32_t ss_rebuild_most_depth(uint64_t segments, uint32_t u)
{
    uint32_t depth = DEPTH_MARGIN, most = UNIT_BITS_MAX - u;
    while (depth < most && UINT64_C(1) << (depth - DEPTH_MARGIN) < segments)
        depth++;
    return depth;
}

static void open_source(ss_source *from, ss_expand *expand, uint64_t hash)
{
    from->expand = expand;
    from->hash = hash;
    from->entry = *ss_directory_find(&expand->directory, hash);
    from->segment = ss_entry_unpack(&from->entry);
    from->unit_bits = ss_place_unit_bits(expand, from->segment.depth);
    from->released = 0;
    expand->kernel->read_lengths(from);
}

static bool ensure_pages(ss_source *from, uint32_t pages)
{
    uint32_t more =
        pages > from->segment.pages ? pages - from->segment.pages : 0;
    return ss_pool_ensure(&from->expand->pool, more + SS_SPARE_PAGES);
}

/* The fewest pages, `least` or more, that so many slots in units of these
 * lengths fit in; 0: not even the most. */
static uint32_t choose_pages(const ss_expand *expand, const ss_step *steps,
                             uint32_t u, const uint8_t *lengths, uint32_t width,
                             uint32_t stored, uint32_t least)
{
    for (uint32_t pages = least; pages <= SS_PAGES_MAX; pages++) {
        uint32_t limit =
            ss_rebuild_limit(expand->load, steps[pages].homes, width);
        if ((stored < limit || pages == SS_PAGES_MAX) &&
            expand->kernel->fits(lengths, u, steps[pages], width))
            return pages;
    }
    return 0;
}

/* What moves slots from the segment's width to another. */
static const ss_expand_moves *moves_of(const ss_source *from, uint32_t width)
{
    return from->segment.width <= SS_WIDTH_SHORT && width <= SS_WIDTH_SHORT
               ? &from->expand->kernel->moves
               : &ss_expand_portable.moves;
}

/* A segment that is whole, of so many slots, for the hashes around one. */
static void publish(ss_source *from, const ss_segment *to, uint64_t hash,
                    uint32_t stored)
{
    ss_expand *expand = from->expand;
    ss_entry entry = ss_entry_pack(to);
    uint32_t limit = ss_rebuild_limit(
        expand->load, expand->steps[to->pages].homes, to->width);
    expand->records[to->id] = (ss_segment_record){stored, limit};
    ss_directory_publish(&expand->directory, hash, to->depth, &entry);
}

/* The same slots in so many pages, and in another width if that is another. */
static bool write_again(ss_source *from, uint32_t width, uint32_t pages)
{
    ss_expand *expand = from->expand;
    if (!ensure_pages(from, pages))
        return false;
    ss_segment to = from->segment;
    to.pages = pages;
    to.width = width;
    if (width == from->segment.width)
        expand->kernel->cut(from, &to);
    else
        moves_of(from, width)->narrow(from, &to);
    ss_source_release_all(from);
    publish(from, &to, from->hash, expand->records[to.id].stored);
    return true;
}

/* Counts the slots of the new segments; false: they do not fit. */
static bool plan_parting(ss_source *from, ss_parting *plan, uint32_t width)
{
    ss_expand *expand = from->expand;
    bool is_one = expand->unit_bits < SS_UNIT_BITS;
    plan->u = expand->unit_bits + (is_one ? 1 : 0);
    plan->count = is_one ? 1 : 2;
    plan->stored[0] = plan->stored[1] = 0;
    ss_rebuild_steps(plan->steps, plan->u);
    moves_of(from, width)->count_halves(from, plan);
    for (uint32_t i = 0; i < plan->count; i++) {
        ss_segment *to = &plan->to[i];
        *to = (ss_segment){.depth = from->segment.depth + plan->count - 1,
                           .width = width,
                           .id = i == 0 ? from->segment.id
                                        : expand->record_count};
        to->pages = choose_pages(expand, plan->steps, plan->u,
                                 plan->lengths + (size_t)i * SS_UNITS_MAX,
                                 width, plan->stored[i], SS_PAGES_MIN);
        if (to->pages == 0)
            return false;
    }
    return true;
}

static bool widen_records(ss_expand *expand, uint32_t more)
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
static bool prepare_parting(ss_source *from, ss_parting *plan)
{
    ss_expand *expand = from->expand;
    if (plan->count == 2)
        return ensure_pages(from, plan->to[0].pages + plan->to[1].pages) &&
               widen_records(expand, 1) &&
               ss_directory_ensure(&expand->directory, from->hash,
                                   from->segment.depth + 1);
    ss_pool_init(&plan->pool, &expand->memory, plan->u - SS_STEP_SHIFT);
    if (ss_pool_ensure(&plan->pool, plan->to[0].pages))
        return true;
    ss_pool_end(&plan->pool);
    return false;
}

/* The number of voids may change, but not what they cover: a void goes to both
 * halves. */
static bool part(ss_source *from, ss_parting *plan)
{
    ss_expand *expand = from->expand;
    if (!prepare_parting(from, plan))
        return false;
    uint32_t stored = plan->stored[0] + plan->stored[1];
    expand->stored += stored;
    expand->stored -= expand->records[from->segment.id].stored;
    moves_of(from, plan->to[0].width)->part(from, plan);
    if (plan->count == 2) {
        uint64_t half = UINT64_C(1) << (63 - from->segment.depth);
        ss_source_release_all(from);
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
static bool relieve(ss_source *from)
{
    ss_expand *expand = from->expand;
    uint64_t slots[SS_END_MAX];
    uint32_t longest = 0;
    for (uint32_t unit = 1; unit < UINT32_C(1) << expand->unit_bits; unit++)
        if (from->lengths[unit] > from->lengths[longest])
            longest = unit;
    ss_place place = ss_source_place(from, longest);
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
    return expand->kernel->insert(expand, &from->entry, place,
                                  ss_slot_void(place.width));
}

static bool is_crowded(const ss_source *from)
{
    const ss_segment_record *record = &from->expand->records[from->segment.id];
    return record->stored < record->limit / CROWDED;
}

/* May it not part any more? */
static bool is_deepest(const ss_source *from)
{
    const ss_expand *expand = from->expand;
    return from->segment.depth >=
           ss_rebuild_most_depth((uint64_t)expand->record_count + 1,
                                 expand->unit_bits);
}

/* More pages, narrower slots, or two segments. False: there is no memory, or
 * `*is_stuck`: the slots fit none of these. */
static bool make_room(ss_source *from, ss_parting *plan, bool *is_stuck)
{
    ss_expand *expand = from->expand;
    uint32_t width = from->segment.width;
    uint32_t next_width = expand->widths[from->unit_bits + 1];
    uint32_t stored = expand->records[from->segment.id].stored;
    uint32_t pages = 0;
    if (from->segment.pages < SS_PAGES_MAX)
        pages =
            choose_pages(expand, expand->steps, expand->unit_bits,
                         from->lengths, width, stored, from->segment.pages + 1);
    if (pages > 0)
        return write_again(from, width, pages);
    if (next_width < width)
        pages = choose_pages(expand, expand->steps, expand->unit_bits,
                             from->lengths, next_width, stored, SS_PAGES_MIN);
    if (pages > 0)
        return write_again(from, next_width, pages);
    *is_stuck = is_deepest(from) || !plan_parting(from, plan, next_width);
    return !*is_stuck && part(from, plan);
}

bool ss_rebuild_grow(ss_expand *expand, uint64_t hash)
{
    ss_source from;
    ss_parting plan;
    bool is_stuck = false;
    open_source(&from, expand, hash);
    if (is_crowded(&from))
        return relieve(&from);
    if (make_room(&from, &plan, &is_stuck))
        return true;
    return is_stuck && relieve(&from);
}
