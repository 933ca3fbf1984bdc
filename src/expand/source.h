/*
 * source.h - a segment that is read from the first line to the last to be
 * written again (rebuild.h), and what becomes of one that parts.
 */
#ifndef SS_EXPAND_SOURCE_H
#define SS_EXPAND_SOURCE_H

#include "expand/place.h"

enum {
    SS_UNITS_AT_ONCE = 8 /* lengths are read and written so many at a time */
};

typedef struct ss_source {
    ss_expand *expand;
    ss_entry entry;
    ss_segment segment;
    uint64_t hash; /* one of its hashes */
    uint32_t unit_bits;
    uint32_t released; /* pages that went back to the pool */
    uint8_t lengths[SS_UNITS_MAX + SS_UNITS_AT_ONCE];
} ss_source;

/* Units in twice as many, in two segments, or in one of twice the units (the
 * smallest tables). */
typedef struct ss_parting {
    uint32_t u; /* of the new segments */
    uint32_t count;
    ss_step steps[SS_PAGES_MAX + 1];
    uint32_t stored[2];
    bool has_voids;
    ss_segment to[2];
    uint8_t lengths[2 * SS_UNITS_MAX + SS_UNITS_AT_ONCE];
    ss_pool pool; /* of the one segment: its pages are larger */
} ss_parting;

/* Gives back the pages before a line's, which were read. */
static inline void ss_source_release(ss_source *from, uint32_t line)
{
    uint32_t pages = line >> from->expand->pool.line_shift;
    while (from->released < pages)
        ss_pool_give(&from->expand->pool, from->segment.page[from->released++]);
}

static inline void ss_source_release_all(ss_source *from)
{
    ss_source_release(from, ss_place_lines(from->expand, from->segment.pages));
}

/* Unit v's home line and number there; the query is of no matter. */
static inline ss_place ss_source_place(const ss_source *from, uint32_t unit)
{
    const ss_step *step = &from->expand->steps[from->segment.pages];
    uint32_t u = from->expand->unit_bits, x = unit * step->homes;
    uint32_t within = x & ((UINT32_C(1) << u) - 1);
    return (ss_place){
        .line = x >> u,
        .unit = (uint32_t)((uint64_t)within * step->inverse >> SS_INVERSE_BITS),
        .width = from->segment.width};
}

/* The first unit after those whose home is a line or one before it: the least v
 * with v m / 2^u >= line + 1. */
static inline uint32_t ss_source_units(uint32_t line, uint32_t u,
                                       uint32_t homes, uint32_t inverse)
{
    if (line + 1 >= homes)
        return UINT32_C(1) << u;
    /* x < 2^23, and inverse is more than 2^24 / m by at most 1: a quotient that
     * is too high by less than x / 2^24 < 1 is mended by a comparison */
    uint64_t x = ((uint64_t)(line + 1) << u) + homes - 1;
    uint32_t units = (uint32_t)(x * inverse >> SS_INVERSE_BITS);
    return units - ((uint64_t)units * homes > x);
}

#endif
