/* expand_walk.c - see expand_walk.h */
#include "plan/expand_walk.h"

#include <math.h>

#include "expand/entry.h"
#include "expand/rebuild.h"

ss_walk ss_walk_begin(const uint8_t *widths, uint32_t load)
{
    return (ss_walk){.widths = widths,
                     .load = load,
                     .unit_bits = SS_UNIT_BITS_MIN,
                     .width = widths[SS_UNIT_BITS_MIN]};
}

/* The keys with which so many units of a width are full. */
static double full_items(uint32_t unit_bits, uint32_t width, uint32_t load)
{
    uint32_t u = unit_bits < SS_UNIT_BITS ? unit_bits : SS_UNIT_BITS;
    ss_step steps[SS_PAGES_MAX + 1];
    ss_rebuild_steps(steps, u);
    uint32_t limit = ss_rebuild_limit(load, steps[SS_PAGES_MAX].homes, width);
    return ldexp(limit, (int)(unit_bits - u));
}

void ss_walk_fill(ss_walk *walk, double most)
{
    double items = full_items(walk->unit_bits, walk->width, walk->load);
    uint32_t bits = walk->unit_bits + walk->width - 1;
    bits = bits < 64 ? bits : 64;
    items = items < most ? items : most;
    if (items > walk->items) {
        walk->covers[bits] += ldexp(items - walk->items, -(int)bits);
        walk->items = items;
    }
}

/* Cuts what is longer than slots of `width` bits can be. */
static void cut(ss_walk *walk, uint32_t width)
{
    uint32_t longest = walk->unit_bits + width - 1;
    for (uint32_t bits = longest + 1; bits <= 64; bits++) {
        walk->covers[longest] +=
            ldexp(walk->covers[bits], (int)(bits - longest));
        walk->covers[bits] = 0.0;
    }
    walk->width = width;
}

void ss_walk_grow(ss_walk *walk)
{
    if (ss_walk_narrows(walk)) {
        cut(walk, walk->widths[walk->unit_bits + 1]);
    } else {
        walk->unit_bits++;
        walk->width = walk->widths[walk->unit_bits];
    }
}

double ss_walk_rate(const ss_walk *walk)
{
    double rate = 0.0;
    for (uint32_t bits = 0; bits <= 64; bits++)
        rate += walk->covers[bits];
    return rate;
}
