/*
 * expand_state.c - what a table that grows in place is with so many keys.
 *
 * All segments have the same number of keys, but for chance: a segment's is a
 * Poisson variable, and so it has what segments have in a table of a few keys
 * more, or fewer. The figures are the means over such tables.
 */
#include <math.h>

#include "base/bits.h"
#include "base/memory.h"
#include "expand/expand.h"
#include "expand/rebuild.h"
#include "plan/expand.h"
#include "plan/expand_walk.h"

enum {
    DEVIATIONS = 3,   /* to either side that are looked at, */
    POINTS = 8,       /* in so many steps each */
    CHUNK_BITS = 8,   /* log2 of the entries of a chunk of the directory */
    EXTENT_SHIFT = 9, /* log2 of an extent's pages */
    HUGE_EXTENTS = 32 /* if there are more, all of their pages are taken */
};

/* Every segment has the same number of keys. */
typedef struct even_state {
    uint32_t depth; /* of the directory */
    uint32_t u;     /* log2 of a segment's units */
    double segments;
    double pages; /* of all segments, */
    double room;  /* and the slots with which they are full */
    double rate, slots, wrong_items;
} even_state;

/* Keys that are answered "seen" for one that is stored. */
static double wrong_per_item(double rate)
{
    return rate / (1.0 - rate);
}

/* Fills the units and adds up what is taken for seen meanwhile: the rate goes
 * up evenly (Simpson's rule). */
static void fill(ss_walk *walk, double most, double *wrong)
{
    double before = walk->items, rate = ss_walk_rate(walk);
    ss_walk_fill(walk, most);
    double after = ss_walk_rate(walk), middle = (rate + after) / 2.0;
    *wrong += (walk->items - before) / 6.0 *
              (wrong_per_item(rate) + 4.0 * wrong_per_item(middle) +
               wrong_per_item(after));
}

/* A key whose prefix is shorter than what names a unit has a void in each. */
static double slots_of(const ss_walk *walk)
{
    double slots = 0.0;
    for (uint32_t bits = 0; bits <= 64; bits++)
        slots += ldexp(walk->covers[bits],
                       (int)(bits > walk->unit_bits ? bits : walk->unit_bits));
    return slots;
}

/* Pages of a segment that has grown to so many keys, and the slots with which
 * it is full. */
static uint32_t pages_of(double items, uint32_t u, const ss_walk *walk,
                         uint32_t *limit)
{
    ss_step steps[SS_PAGES_MAX + 1];
    ss_rebuild_steps(steps, u);
    for (uint32_t pages = SS_PAGES_MIN;; pages++) {
        *limit = ss_rebuild_limit(walk->load, steps[pages].homes, walk->width);
        if (items <= *limit || pages == SS_PAGES_MAX)
            return pages;
    }
}

/* Pages that were cut free stay with the table until others need them: `most`
 * is what it had. */
static even_state even_at(const uint8_t *widths, uint32_t load, double items)
{
    double most = 0.0, wrong = 0.0;
    ss_walk walk = ss_walk_begin(widths, load);
    fill(&walk, items, &wrong);
    while (walk.items < items && walk.unit_bits < SS_WALK_BITS_MAX) {
        if (walk.unit_bits >= SS_UNIT_BITS && ss_walk_narrows(&walk))
            most = ldexp(SS_PAGES_MAX, (int)(walk.unit_bits - SS_UNIT_BITS));
        ss_walk_grow(&walk);
        fill(&walk, items, &wrong);
    }
    uint32_t u = walk.unit_bits < SS_UNIT_BITS ? walk.unit_bits : SS_UNIT_BITS;
    double segments = ldexp(1.0, (int)(walk.unit_bits - u));
    uint32_t limit;
    double pages = segments * pages_of(walk.items / segments, u, &walk, &limit);
    return (even_state){.depth = walk.unit_bits - u,
                        .u = u,
                        .segments = segments,
                        .pages = pages > most ? pages : most,
                        .room = segments * limit,
                        .rate = ss_walk_rate(&walk),
                        .slots = slots_of(&walk),
                        .wrong_items = wrong};
}

/* By how much, as a part, the keys of one segment differ from the mean. */
static double spread_of(const even_state *even, double items)
{
    return even->depth == 0 ? 0.0 : sqrt(ldexp(1.0, (int)even->depth) / items);
}

/* ---- memory ---- */

static double page_bytes(uint32_t u)
{
    return ldexp(SS_LINE_BYTES, (int)(u - SS_STEP_SHIFT));
}

/* An array of so many that widens by a quarter and 4 when it is full. */
static double array_room(double room, double count)
{
    while (room < count)
        room += floor(room / 4.0) + 4.0;
    return room;
}

/* What the pool has taken (pool.h). The smallest tables have each page on its
 * own and keep those that a rebuild must have at hand; in the others a rebuild
 * needs no page more than it leaves. */
static double pool_bytes(double pages, uint32_t u)
{
    double extents = pages;
    if (u < SS_UNIT_BITS) {
        extents += pages > SS_PAGES_MIN ? SS_SPARE_PAGES : 0;
        pages = extents;
    } else {
        extents = ceil(ldexp(pages, -EXTENT_SHIFT));
        if (extents > HUGE_EXTENTS)
            pages = ldexp(extents, EXTENT_SHIFT);
    }
    return pages * page_bytes(u) +
           array_room(0.0, extents) * sizeof(uint64_t *);
}

/* Chunks part, or double, as soon as one of their segments does. */
static double directory_bytes(uint32_t depth)
{
    uint32_t top_bits = depth > CHUNK_BITS ? depth - CHUNK_BITS : 0;
    return ldexp(sizeof(ss_entry), (int)(depth > 0 ? depth : 1)) +
           ldexp(sizeof(ss_chunk), (int)top_bits);
}

/* ---- all of it ---- */

static void add_part(even_state *to, const even_state *one, double part)
{
    to->segments += part * one->segments;
    to->pages += part * one->pages;
    to->room += part * one->room;
    to->slots += part * one->slots;
    to->rate += part * one->rate;
}

/* The mean over tables of as many keys as chance makes of the mean. */
static even_state mean_state(const uint8_t *widths, uint32_t load, double items,
                             double spread)
{
    double weights = 0.0;
    even_state mean = {0};
    for (int i = -DEVIATIONS * POINTS; i <= DEVIATIONS * POINTS; i++)
        weights += exp(-0.5 * i * i / (POINTS * POINTS));
    for (int i = -DEVIATIONS * POINTS; i <= DEVIATIONS * POINTS; i++) {
        double z = (double)i / POINTS;
        even_state one = even_at(widths, load, items * (1.0 + z * spread));
        add_part(&mean, &one, exp(-0.5 * z * z) / weights);
    }
    return mean;
}

void ss_plan_expand_at(const uint8_t widths[SS_EXPAND_DEPTHS], uint32_t load,
                       double items, ss_plan_expand_state *out)
{
    even_state even = even_at(widths, load, items);
    double spread = spread_of(&even, items);
    even_state mean =
        spread > 0.0 ? mean_state(widths, load, items, spread) : even;
    even_state deepest =
        even_at(widths, load, items * (1.0 + DEVIATIONS * spread));
    *out = (ss_plan_expand_state){
        .rate = mean.rate,
        .slots = mean.slots,
        .room = mean.room,
        .wrong_items = even.wrong_items,
        .bytes = (double)sizeof(ss_expand) + pool_bytes(mean.pages, even.u) +
                 directory_bytes(deepest.depth) +
                 array_room(1.0, mean.segments) * sizeof(ss_segment_record)};
}
