/*
 * loops.h - a twin's row of functions.
 *
 * Before it is included a twin defines
 *
 *     bool line_match(const uint64_t *line, uint32_t width, uint32_t first,
 *                     uint32_t end, uint32_t query)
 *         does a slot of places first, ..., end - 1 cover the query?
 *         end is at most the line's places; first may be more than end
 *     uint32_t line_push(uint64_t *line, uint32_t width, uint32_t place,
 *                        uint32_t slot, uint64_t ones)
 *         what ss_line_push does
 *
 * and TWIN_ROW and TWIN_NAME. The common widths are compiled each on its own.
 */
#include "expand/twins.h"
#include "expand/unit.h"
#include "expand/line_look.h"

/* A unit that goes on in later lines. */
static SS_NOINLINE bool has_beyond(const ss_expand *expand,
                                   const ss_entry *entry, ss_place place)
{
    uint32_t slots = ss_line_slots(place.width), at = place.line;
    const uint64_t *line = ss_place_line(&expand->pool, entry, at);
    uint32_t first = ss_line_end(line[SS_SLOT_WORDS], place.unit);
    uint32_t end = ss_line_end(line[SS_SLOT_WORDS], place.unit + 1);
    for (;;) {
        uint32_t here = end < slots ? end : slots;
        if (line_match(line, place.width, first, here, place.query))
            return true;
        if (end <= slots)
            return false;
        first = first > slots ? first - slots : 0;
        end -= slots;
        line = ss_place_line(&expand->pool, entry, ++at);
    }
}

enum {
    NEAR_BYTES = 1 << 17 /* a directory that stays in a core's cache */
};

static SS_ALWAYS_INLINE int unit_has(const ss_expand *expand,
                                     const ss_entry *entry, ss_place place,
                                     uint32_t u)
{
    const uint64_t *line =
        ss_place_line_with(entry, place.line, u - SS_STEP_SHIFT);
    int is_seen = look_wide(line, place.unit, place.width, place.query);
    return is_seen == BEYOND ? has_beyond(expand, entry, place) : is_seen;
}

static SS_ALWAYS_INLINE int has(const ss_expand *expand, uint64_t hash,
                                uint32_t u)
{
    const ss_entry *entry = ss_directory_find(&expand->directory, hash);
    return unit_has(expand, entry, ss_place_with(expand, entry, hash, u), u);
}

/* All but the smallest tables have the most units. */
static int twin_has(const ss_expand *expand, uint64_t hash)
{
    return expand->unit_bits == SS_UNIT_BITS
               ? has(expand, hash, SS_UNIT_BITS)
               : has(expand, hash, expand->unit_bits);
}

/* What a batch keeps of a key whose line is on its way. */
typedef struct flight {
    const uint64_t *line;
    uint32_t query;
    uint16_t unit, width;
} flight;

static SS_ALWAYS_INLINE void take_off(const ss_expand *expand, uint64_t hash,
                                      uint32_t u, flight *in)
{
    const ss_entry *entry = ss_directory_find(&expand->directory, hash);
    ss_place place = ss_place_with(expand, entry, hash, u);
    in->line = ss_place_line_with(entry, place.line, u - SS_STEP_SHIFT);
    in->query = place.query;
    in->unit = (uint16_t)place.unit;
    in->width = (uint16_t)place.width;
    SS_PREFETCH(in->line);
}

static SS_ALWAYS_INLINE void fetch_entry(const ss_expand *expand, uint64_t hash)
{
    const ss_entry *entry = ss_directory_find(&expand->directory, hash);
    SS_PREFETCH(&entry->words[0]);
    SS_PREFETCH(&entry->words[SS_ENTRY_WORDS / 2]);
}

static SS_ALWAYS_INLINE size_t has_many(const ss_expand *expand,
                                        const uint64_t *hashes, size_t count,
                                        uint8_t *is_seen, uint32_t u)
{
    flight ring[SS_EXPAND_AHEAD];
    size_t seen = 0;
    bool is_wide = ss_directory_bytes(&expand->directory) > NEAR_BYTES;
    for (size_t i = 0; is_wide && i < count && i < SS_EXPAND_AHEAD; i++)
        fetch_entry(expand, hashes[i]);
    for (size_t i = 0; i < count + SS_EXPAND_AHEAD; i++) {
        flight *in = &ring[i % SS_EXPAND_AHEAD];
        if (i >= SS_EXPAND_AHEAD) {
            size_t at = i - SS_EXPAND_AHEAD;
            int one = look_wide(in->line, in->unit, in->width, in->query);
            if (one == BEYOND)
                one = twin_has(expand, hashes[at]);
            is_seen[at] = (uint8_t)one;
            seen += (size_t)one;
        }
        if (i < count)
            take_off(expand, hashes[i], u, in);
        if (is_wide && i + SS_EXPAND_AHEAD < count)
            fetch_entry(expand, hashes[i + SS_EXPAND_AHEAD]);
    }
    return seen;
}

static size_t twin_has_many(const ss_expand *expand, const uint64_t *hashes,
                            size_t count, uint8_t *is_seen)
{
    return expand->unit_bits == SS_UNIT_BITS
               ? has_many(expand, hashes, count, is_seen, SS_UNIT_BITS)
               : has_many(expand, hashes, count, is_seen, expand->unit_bits);
}

/* The line with a free place for what is pushed on from line `at`, or `lines`:
 * there is none, or a count would pass its most. */
static SS_ALWAYS_INLINE uint32_t find_gap(const ss_expand *expand,
                                          const ss_entry *entry, uint32_t at,
                                          uint32_t slots)
{
    uint32_t lines = ss_place_lines(expand, ss_entry_pages(entry));
    for (; at < lines; at++) {
        const uint64_t *line = ss_place_line(&expand->pool, entry, at);
        uint32_t last = ss_line_last(line[SS_SLOT_WORDS]);
        if (last < slots)
            return at;
        if (last == SS_END_MAX)
            return lines;
    }
    return lines;
}

static SS_ALWAYS_INLINE bool insert(ss_expand *expand, const ss_entry *entry,
                                    ss_place place, uint32_t width,
                                    uint32_t slot)
{
    uint32_t slots = ss_line_slots(width), at = place.line;
    uint32_t gap = find_gap(expand, entry, at, slots);
    if (gap == ss_place_lines(expand, ss_entry_pages(entry)))
        return false;
    uint64_t *line = ss_place_line(&expand->pool, entry, at);
    uint32_t to = ss_line_end(line[SS_SLOT_WORDS], place.unit + 1);
    uint64_t ones = ss_line_ones_after(place.unit);
    for (;;) {
        if (to < slots) {
            slot = line_push(line, width, to, slot, ones);
            to = slots;
        } else {
            line[SS_SLOT_WORDS] += ones;
        }
        if (at == gap)
            return true;
        to -= slots;
        ones = SS_ENDS_ONE;
        line = ss_place_line(&expand->pool, entry, ++at);
    }
}

static bool twin_insert(ss_expand *expand, const ss_entry *entry,
                        ss_place place, uint32_t slot)
{
    switch (place.width) {
    case 14:
        return insert(expand, entry, place, 14, slot);
    case 21:
        return insert(expand, entry, place, 21, slot);
    default:
        return insert(expand, entry, place, place.width, slot);
    }
}

static SS_ALWAYS_INLINE int try_add(ss_expand *expand, uint64_t hash,
                                    uint32_t u)
{
    const ss_entry *entry = ss_directory_find(&expand->directory, hash);
    ss_place place = ss_place_with(expand, entry, hash, u);
    bool is_seen = unit_has(expand, entry, place, u);
    if (is_seen && !expand->keeps_copies)
        return 0;
    uint32_t unit_bits = ss_entry_depth(entry) + u;
    uint32_t length = ss_place_length(unit_bits, place.width);
    uint32_t slot = ss_place_slot(place.query, place.width, length);
    if (is_seen && ss_unit_count_equal(&expand->pool, entry, place, slot) >=
                       SS_EXPAND_COPIES_MAX)
        return 0;
    ss_segment_record *record = &expand->records[ss_entry_id(entry)];
    if (record->stored >= record->limit ||
        !twin_insert(expand, entry, place, slot))
        return SS_EXPAND_FULL;
    record->stored++;
    expand->stored++;
    ss_place_cover(expand, ss_place_covers(unit_bits + length));
    return !is_seen;
}

static int twin_try_add(ss_expand *expand, uint64_t hash)
{
    return expand->unit_bits == SS_UNIT_BITS
               ? try_add(expand, hash, SS_UNIT_BITS)
               : try_add(expand, hash, expand->unit_bits);
}

static void twin_copy(uint64_t *to, uint32_t to_bit, const uint64_t *from,
                      uint32_t from_bit, uint32_t count)
{
    ss_line_copy(to, to_bit, from, from_bit, count);
}

const ss_expand_twin TWIN_ROW = {.name = TWIN_NAME,
                                 .has = twin_has,
                                 .has_many = twin_has_many,
                                 .try_add = twin_try_add,
                                 .insert = twin_insert,
                                 .copy = twin_copy};
