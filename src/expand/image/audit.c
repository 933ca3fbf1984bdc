/* audit.c - see audit.h */
#include "expand/image/audit.h"

#include "expand/place.h"

ss_audit ss_audit_start(uint32_t u, const ss_segment *segment, bool with_slots)
{
    uint32_t lines = segment->pages << (u - SS_STEP_SHIFT);
    return (ss_audit){.u = u,
                      .homes = lines - SS_SPILL_LINES,
                      .width = segment->width,
                      .slots = ss_line_slots(segment->width),
                      .unit_bits = segment->depth + u,
                      .with_slots = with_slots};
}

static uint32_t units_before(const ss_audit *audit, uint32_t line)
{
    uint32_t homes = audit->homes;
    uint64_t units = (((uint64_t)line << audit->u) + homes - 1) / homes;
    uint64_t all = UINT64_C(1) << audit->u;
    return (uint32_t)(units < all ? units : all);
}

/* units: those whose home the line is. */
static const char *check_ends(const ss_audit *audit, uint64_t ends,
                              uint32_t units)
{
    if (ends >> 63 != 0)
        return "the spare bit of a line is set";
    if (ss_line_end(ends, 0) != audit->carry)
        return "a line does not begin where the one before it ends";
    for (uint32_t b = 0; b < SS_LINE_UNITS; b++) {
        uint32_t begin = ss_line_end(ends, b), end = ss_line_end(ends, b + 1);
        if (begin > end)
            return "a unit ends before it begins";
        if (b >= units && begin != end)
            return "a line has slots of a unit that is not its own";
    }
    return NULL;
}

static const char *check_slots(ss_audit *audit, const uint64_t *line,
                               uint32_t used)
{
    for (uint32_t at = 0; at < audit->slots; at++) {
        uint64_t slot = ss_line_slot(line, audit->width, at);
        if (at >= used && slot != 0)
            return "a free place is not zero";
        if (at >= used)
            continue;
        if (slot == 0)
            return "a slot is zero";
        uint32_t bits = audit->unit_bits + ss_slot_length(slot, audit->width);
        if (bits > 64)
            return "a slot is longer than a hash";
        audit->covered += ss_place_covers(bits);
    }
    uint32_t rest = SS_SLOT_LINE_BITS - audit->slots * audit->width;
    if (rest != 0 && line[SS_SLOT_WORDS - 1] >> (64 - rest) != 0)
        return "bits after the last place are set";
    return NULL;
}

const char *ss_audit_line(ss_audit *audit, const uint64_t *line)
{
    uint32_t units = units_before(audit, ++audit->next);
    uint64_t ends = line[SS_SLOT_WORDS];
    const char *fault = check_ends(audit, ends, units - audit->units_before);
    if (fault != NULL)
        return fault;
    uint32_t last = ss_line_last(ends);
    uint32_t used = ss_line_used(ends, audit->slots);
    audit->units_before = units;
    audit->carry = last - used;
    audit->stored += used;
    return audit->with_slots ? check_slots(audit, line, used) : NULL;
}

const char *ss_audit_end(const ss_audit *audit)
{
    return audit->carry == 0 ? NULL : "the last line has no end";
}

const char *ss_audit_segment(const ss_expand *expand, const ss_entry *entry,
                             bool with_slots, ss_audit *audit)
{
    ss_segment segment = ss_entry_unpack(entry);
    *audit = ss_audit_start(expand->unit_bits, &segment, with_slots);
    for (uint32_t i = 0; i < ss_place_lines(expand, segment.pages); i++) {
        const char *fault =
            ss_audit_line(audit, ss_place_line(&expand->pool, entry, i));
        if (fault != NULL)
            return fault;
    }
    return ss_audit_end(audit);
}
