/*
 * expand_walk.h - a table that grows in place, followed from one generation
 * to the next: how many keys fill it, and what their slots cover.
 *
 *     ss_walk walk = ss_walk_begin(widths, load);
 *     ss_walk_fill(&walk, items);
 *     while (walk.items < items) {
 *         ss_walk_grow(&walk);
 *         ss_walk_fill(&walk, items);
 *     }
 */
#ifndef SS_PLAN_EXPAND_WALK_H
#define SS_PLAN_EXPAND_WALK_H

#include <stdbool.h>
#include <stdint.h>

#include "expand/state.h"

enum {
    SS_WALK_BITS_MAX = 56 /* no table has units named by more */
};

typedef struct ss_walk {
    const uint8_t *widths; /* SS_EXPAND_DEPTHS of them */
    uint32_t load;
    uint32_t unit_bits; /* 2^unit_bits units */
    uint32_t width;     /* of their slots */
    double items;       /* slots, all units together */
    double covers[65];  /* the part of all hashes that prefixes of so many
                           bits cover, the unit's counted */
} ss_walk;

ss_walk ss_walk_begin(const uint8_t *widths, uint32_t load);

/* Adds keys until there are `most` of them, or the units are full. */
void ss_walk_fill(ss_walk *walk, double most);

/* Is the width of the next generation less? Then it comes first. */
static inline bool ss_walk_narrows(const ss_walk *walk)
{
    return walk->widths[walk->unit_bits + 1] < walk->width;
}

/* Full units: in narrower slots, or twice as many. */
void ss_walk_grow(ss_walk *walk);

/* The rate: no two slots cover one hash. */
double ss_walk_rate(const ss_walk *walk);

#endif
