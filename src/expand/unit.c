/* unit.c - a unit's slots, one by one */
#include "expand/unit.h"

uint32_t ss_unit_read(const ss_pool *pool, const ss_entry *entry,
                      ss_place place, uint64_t slots[SS_END_MAX])
{
    uint32_t places = ss_line_slots(place.width), at = place.line, count = 0;
    const uint64_t *line = ss_place_line(pool, entry, at);
    uint32_t first = ss_line_end(line[SS_SLOT_WORDS], place.unit);
    uint32_t end = ss_line_end(line[SS_SLOT_WORDS], place.unit + 1);
    for (;;) {
        uint32_t here = end < places ? end : places;
        for (; first < here; first++)
            slots[count++] = ss_line_slot(line, place.width, first);
        if (end <= places)
            return count;
        first -= places;
        end -= places;
        line = ss_place_line(pool, entry, ++at);
    }
}

/* The line where the row of places from a home on ends, and one count less in
 * each line after the home. */
static uint32_t lower_ends(const ss_pool *pool, const ss_entry *entry,
                           ss_place place)
{
    uint32_t slots = ss_line_slots(place.width), at = place.line;
    uint64_t *line = ss_place_line(pool, entry, at);
    uint32_t last = ss_line_last(line[SS_SLOT_WORDS]);
    line[SS_SLOT_WORDS] -= ss_line_ones_after(place.unit);
    while (last > slots) {
        line = ss_place_line(pool, entry, ++at);
        last = ss_line_last(line[SS_SLOT_WORDS]);
        line[SS_SLOT_WORDS] -= SS_ENDS_ONE;
    }
    return at;
}

void ss_unit_delete(const ss_pool *pool, const ss_entry *entry, ss_place place,
                    uint32_t index)
{
    uint32_t slots = ss_line_slots(place.width);
    uint64_t ends = ss_place_line(pool, entry, place.line)[SS_SLOT_WORDS];
    uint32_t at = ss_line_end(ends, place.unit) + index;
    uint32_t last = lower_ends(pool, entry, place);
    uint32_t from = place.line + at / slots;
    for (at %= slots; from <= last; from++, at = 0) {
        uint64_t *line = ss_place_line(pool, entry, from);
        uint64_t in = 0;
        if (from < last)
            in = ss_line_slot(ss_place_line(pool, entry, from + 1), place.width,
                              0);
        ss_line_pull(line, place.width, at, in);
    }
}
