/*
 * place.h - where in a segment a hash's unit is, and what is kept of the hash.
 */
#ifndef SS_EXPAND_PLACE_H
#define SS_EXPAND_PLACE_H

#include "base/inlining.h"
#include "expand/state.h"
#include "lines/line.h"

/* 2^INVERSE_BITS / m, rounded up, divides numbers below 2^12 by m < 2^11. */
enum {
    SS_INVERSE_BITS = 24
};

typedef struct ss_place {
    uint32_t line;  /* the unit's home */
    uint32_t unit;  /* which of that line's */
    uint32_t width; /* of the segment's slots */
    uint64_t query; /* the bits after the unit's, then a 1 */
} ss_place;

/* u: expand->unit_bits, and constant where it can be. */
static SS_ALWAYS_INLINE ss_place ss_place_with(const ss_expand *expand,
                                               const ss_entry *entry,
                                               uint64_t hash, uint32_t u)
{
    uint32_t pages = ss_entry_pages(entry);
    uint32_t homes = (pages << (u - SS_STEP_SHIFT)) - SS_SPILL_LINES;
    uint32_t width = ss_entry_width(entry);
    uint64_t rest = hash << ss_entry_depth(entry);
    uint32_t x = (uint32_t)(rest >> (64 - u)) * homes;
    uint32_t within = x & ((UINT32_C(1) << u) - 1);
    return (ss_place){
        .line = x >> u,
        .unit = (uint32_t)((uint64_t)within * expand->steps[pages].inverse >>
                           SS_INVERSE_BITS),
        .width = width,
        .query = rest << u >> (65 - width) << 1 | 1};
}

static inline ss_place ss_place_of(const ss_expand *expand,
                                   const ss_entry *entry, uint64_t hash)
{
    return ss_place_with(expand, entry, hash, expand->unit_bits);
}

/* Pages have 2^line_shift lines. */
static SS_ALWAYS_INLINE uint64_t *
ss_place_line_with(const ss_entry *entry, uint32_t line, uint32_t line_shift)
{
    size_t within = line & ((UINT32_C(1) << line_shift) - 1);
    return ss_entry_page(entry, line >> line_shift) + within * SS_LINE_WORDS;
}

static inline uint64_t *ss_place_line(const ss_pool *pool,
                                      const ss_entry *entry, uint32_t line)
{
    return ss_place_line_with(entry, line, pool->line_shift);
}

/* All lines of a segment. */
static inline uint32_t ss_place_lines(const ss_expand *expand, uint32_t pages)
{
    return pages << expand->pool.line_shift;
}

/* Bits that name a unit of a segment. */
static inline uint32_t ss_place_unit_bits(const ss_expand *expand,
                                          uint32_t depth)
{
    return depth + expand->unit_bits;
}

/* The bits of a new slot's prefix: all, or those that the hash still has. */
static inline uint32_t ss_place_length(uint32_t unit_bits, uint32_t width)
{
    return width - 1 < 64 - unit_bits ? width - 1 : 64 - unit_bits;
}

/* The first `length` bits of a query, as a slot. */
static inline uint64_t ss_place_slot(uint64_t query, uint32_t width,
                                     uint32_t length)
{
    uint32_t cut = width - 1 - length;
    return (query >> cut >> 1 << 1 | 1) << cut;
}

/* Hashes that a prefix covers; 2^64 as 2^64 - 1. */
static inline uint64_t ss_place_covers(uint32_t bits)
{
    return bits == 0 ? UINT64_MAX : UINT64_C(1) << (64 - bits);
}

/* Adds to what is covered, or takes off; stays at the most once it is there. */
static inline void ss_place_cover(ss_expand *expand, uint64_t covers)
{
    uint64_t sum = expand->covered + covers;
    expand->covered = sum < covers ? UINT64_MAX : sum;
}

static inline void ss_place_uncover(ss_expand *expand, uint64_t covers)
{
    if (expand->covered != UINT64_MAX)
        expand->covered -= covers;
}

#endif
