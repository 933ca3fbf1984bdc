/*
 * audit.h - a segment's lines, held against every invariant of line.h.
 *
 * A lookup follows counts from line to line, so it may only be let into lines
 * that come from outside after their counts were checked: then it stays within
 * the segment and ends. Before adding to such lines, check their slots as well.
 */
#ifndef SS_EXPAND_IMAGE_AUDIT_H
#define SS_EXPAND_IMAGE_AUDIT_H

#include "expand/state.h"

typedef struct ss_audit {
    uint32_t u, homes, width, slots; /* of the segment */
    uint32_t unit_bits;              /* of depth and unit */
    bool with_slots;                 /* not only counts */
    uint32_t next;                   /* the line that comes next */
    uint32_t units_before;           /* whose home is a line before it */
    uint32_t carry;                  /* its places that those have */
    uint64_t stored;                 /* slots that were seen, */
    uint64_t covered; /* and hashes that they cover, mod 2^64; with_slots */
} ss_audit;

/* Of a segment of 2^u units, so many pages, a width and a depth. */
ss_audit ss_audit_start(uint32_t u, const ss_segment *segment, bool with_slots);

/* The segment's lines in order, and then the end. NULL: all holds; else what
 * does not. */
const char *ss_audit_line(ss_audit *audit, const uint64_t *line);
const char *ss_audit_end(const ss_audit *audit);

/* All lines of a segment. */
const char *ss_audit_segment(const ss_expand *expand, const ss_entry *entry,
                             bool with_slots, ss_audit *audit);

#endif
