/* verify.c - every invariant of a table, held against every line */
#include "expand/expand.h"
#include "expand/twins.h"
#include "expand/unit.h"

/* What the walk over all segments adds up. */
typedef struct audit {
    const ss_expand *expand;
    const char *fault; /* the first, or NULL */
    uint64_t stored, covered, pages;
} audit;

static void require(audit *to, bool holds, const char *fault)
{
    if (!holds && to->fault == NULL)
        to->fault = fault;
}

static uint32_t units_before(uint32_t line, uint32_t u, uint32_t homes)
{
    uint64_t units = (((uint64_t)line << u) + homes - 1) / homes;
    uint64_t all = UINT64_C(1) << u;
    return (uint32_t)(units < all ? units : all);
}

static void check_ends(audit *to, uint64_t ends, uint32_t carry, uint32_t units)
{
    require(to, ends >> 63 == 0, "the spare bit of a line is set");
    require(to, ss_line_end(ends, 0) == carry,
            "a line does not begin where the one before it ends");
    for (uint32_t b = 0; b < SS_LINE_UNITS; b++) {
        uint32_t begin = ss_line_end(ends, b), end = ss_line_end(ends, b + 1);
        require(to, begin <= end, "a unit ends before it begins");
        require(to, b < units || begin == end,
                "a line has slots of a unit that is not its own");
    }
}

static void check_slots(audit *to, const uint64_t *line, uint32_t width)
{
    uint32_t slots = ss_line_slots(width);
    uint32_t used = ss_line_used(line[SS_SLOT_WORDS], slots);
    for (uint32_t at = 0; at < slots; at++)
        require(to, (ss_line_slot(line, width, at) != 0) == (at < used),
                at < used ? "a slot is zero" : "a free place is not zero");
    uint32_t rest = SS_SLOT_LINE_BITS - slots * width;
    require(to, rest == 0 || line[SS_SLOT_WORDS - 1] >> (64 - rest) == 0,
            "bits after the last place are set");
}

static uint64_t check_units(audit *to, const ss_entry *entry, uint64_t hash)
{
    const ss_expand *expand = to->expand;
    uint32_t bits = ss_place_unit_bits(expand, ss_entry_depth(entry));
    uint64_t stored = 0;
    for (uint32_t unit = 0; unit < UINT32_C(1) << expand->unit_bits; unit++) {
        uint64_t at = hash | (uint64_t)unit << (64 - bits);
        ss_place place = ss_place_of(expand, entry, at);
        uint32_t slots[SS_END_MAX];
        uint32_t count = ss_unit_read(&expand->pool, entry, place, slots);
        stored += count;
        for (uint32_t i = 0; i < count && to->fault == NULL; i++) {
            uint32_t length = ss_slot_length(slots[i], place.width);
            require(to, bits + length <= 64, "a slot is longer than a hash");
            to->covered += ss_place_covers(bits + length);
        }
    }
    return stored;
}

static void check_lines(audit *to, const ss_entry *entry)
{
    const ss_expand *expand = to->expand;
    uint32_t width = ss_entry_width(entry), carry = 0;
    uint32_t lines = ss_place_lines(expand, ss_entry_pages(entry));
    uint32_t homes = expand->steps[ss_entry_pages(entry)].homes;
    for (uint32_t at = 0; at < lines && to->fault == NULL; at++) {
        const uint64_t *line = ss_place_line(&expand->pool, entry, at);
        uint32_t units = units_before(at + 1, expand->unit_bits, homes) -
                         units_before(at, expand->unit_bits, homes);
        require(to, units <= SS_LINE_UNITS, "a line has nine units");
        check_ends(to, line[SS_SLOT_WORDS], carry, units);
        check_slots(to, line, width);
        uint32_t last = ss_line_last(line[SS_SLOT_WORDS]);
        uint32_t slots = ss_line_slots(width);
        carry = last > slots ? last - slots : 0;
    }
    require(to, carry == 0, "the last line has no end");
}

static bool is_entry_sound(audit *to, const ss_entry *entry)
{
    uint32_t pages = ss_entry_pages(entry), width = ss_entry_width(entry);
    require(to, pages >= SS_PAGES_MIN && pages <= SS_PAGES_MAX,
            "a segment has a number of pages that none has");
    require(to, width >= SS_WIDTH_MIN && width <= SS_WIDTH_MAX,
            "a segment has slots of a width that none has");
    require(to, ss_entry_id(entry) < to->expand->record_count,
            "a segment has no record");
    for (uint32_t i = 0; i < pages && to->fault == NULL; i++)
        require(to, ss_entry_page(entry, i) != NULL, "a segment lacks a page");
    return to->fault == NULL;
}

static void check_segment(audit *to, const ss_entry *entry, uint64_t hash)
{
    if (!is_entry_sound(to, entry))
        return;
    check_lines(to, entry);
    if (to->fault != NULL)
        return;
    uint64_t stored = check_units(to, entry, hash);
    require(to, stored == to->expand->records[ss_entry_id(entry)].stored,
            "a segment's record has another number of slots");
    to->stored += stored;
    to->pages += ss_entry_pages(entry);
}

const char *ss_expand_verify(const ss_expand *expand)
{
    audit to = {.expand = expand};
    uint64_t hash = 0, segments = 0;
    do {
        const ss_entry *entry = ss_directory_find(&expand->directory, hash);
        check_segment(&to, entry, hash);
        uint32_t depth = ss_entry_depth(entry);
        hash += depth == 0 ? 0 : UINT64_C(1) << (64 - depth);
        segments++;
    } while (hash != 0 && to.fault == NULL);
    require(&to, segments == expand->record_count,
            "there are records of segments that are not");
    require(&to, to.stored == expand->stored,
            "the table has another number of slots");
    require(&to, to.pages + expand->pool.free_count == expand->pool.fresh,
            "pages are lost, or of two segments");
    require(&to, expand->covered == UINT64_MAX || to.covered == expand->covered,
            "the table covers another part of the hashes");
    return to.fault;
}
