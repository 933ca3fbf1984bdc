/*
 * union.h - a union that is over the rate it is to keep, and what its sets
 * would have had to be made with.
 *
 * Sets that grow share the rate out: whatever they have in common, rates of a
 * part of theirs come to that part together. So it does not matter whether they
 * were merged at once, or one each night. Those of a fixed size have to have
 * room for the keys of all.
 */
#ifndef FIGURES_UNION_H
#define FIGURES_UNION_H

#include <math.h>
#include <stdbool.h>

/* Beyond what rounding does? */
static inline bool figures_union_is_over(double now, double wanted)
{
    return now > wanted * 1.001;
}

/* The rate for sets that grow and were made with `made`, two digits of it,
 * rounded down. */
static inline double figures_union_rate(double made, double wanted, double now)
{
    double rate = made * wanted / now;
    double unit = pow(10, floor(log10(rate)) - 1);
    return floor(rate / unit + 1e-9) * unit;
}

/* The capacity for sets of a fixed size, two digits of it, rounded up. */
static inline double figures_union_items(double estimated, double capacity)
{
    double items = fmax(estimated, capacity);
    double unit = pow(10, fmax(floor(log10(items)) - 1, 0));
    return ceil(items / unit) * unit;
}

#endif
