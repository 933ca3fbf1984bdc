/* spread.c - how many slots there are in each equal part of all hashes */
#include "expand/expand.h"
#include "expand/place.h"

/* The slots of a unit, which end in a later line perhaps; line and number are
 * its home. Within bounds whatever the line has. */
static uint32_t unit_slots(const uint64_t *line, uint32_t number)
{
    uint64_t ends = line[SS_SLOT_WORDS];
    if (number >= SS_LINE_UNITS)
        return 0;
    return (ss_line_end(ends, number + 1) - ss_line_end(ends, number)) &
           SS_END_MAX;
}

/* The slots of each 2^-bits of the hashes, of a segment that has more. */
static void visit_parts(const ss_expand *expand, const ss_entry *entry,
                        uint32_t bits, ss_expand_part *part, void *context)
{
    uint32_t u = expand->unit_bits, first = 0, before = 0, slots = 0;
    uint32_t homes = expand->steps[ss_entry_pages(entry)].homes;
    uint32_t units = UINT32_C(1) << (u - (bits - ss_entry_depth(entry)));
    for (uint32_t unit = 0; unit < UINT32_C(1) << u; unit++) {
        uint32_t home = unit * homes >> u;
        if (home != before)
            first = unit;
        before = home;
        slots += unit_slots(ss_place_line(&expand->pool, entry, home),
                            unit - first);
        if ((unit + 1) % units == 0) {
            part(context, slots);
            slots = 0;
        }
    }
}

uint32_t ss_expand_least_depth(const ss_expand *expand)
{
    uint64_t hash = 0;
    uint32_t least = 64;
    do {
        uint32_t depth =
            ss_entry_depth(ss_directory_find(&expand->directory, hash));
        least = depth < least ? depth : least;
        hash += depth > 0 ? UINT64_C(1) << (64 - depth) : 0;
    } while (hash != 0);
    return least;
}

void ss_expand_spread(const ss_expand *expand, uint32_t bits,
                      ss_expand_part *part, void *context)
{
    uint64_t hash = 0, slots = 0;
    do {
        const ss_entry *entry = ss_directory_find(&expand->directory, hash);
        uint32_t depth = ss_entry_depth(entry);
        hash += depth > 0 ? UINT64_C(1) << (64 - depth) : 0;
        if (depth < bits) {
            visit_parts(expand, entry, bits, part, context);
            continue;
        }
        slots += expand->records[ss_entry_id(entry)].stored;
        if (bits == 0 ? hash == 0 : hash << bits == 0) {
            part(context, slots);
            slots = 0;
        }
    } while (hash != 0);
}
