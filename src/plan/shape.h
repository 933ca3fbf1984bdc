/*
 * shape.h - what the formulas (rate.c, bound.c, expect.c), the solvers
 * (solve.c, solve_sealed.c) and the layers above share about the shapes of
 * tables.
 *
 * A layout's shape is a size m and a count k, within what the layout takes
 * (ss_layout_traits). The shape of a table that is built once is more than
 * that; only the solver and ss_plan_fingerprint_bits know such layouts.
 */
#ifndef SS_PLAN_SHAPE_H
#define SS_PLAN_SHAPE_H

#include <stdbool.h>
#include <stdint.h>

#include "hash/index_scheme.h"
#include "seenset/extra/formulas.h"
#include "seenset/plan.h"
#include "table/layouts.h"

/* Is k one that the layout can have? */
static inline bool ss_plan_is_hash_count(const ss_layout_traits *layout,
                                         uint32_t k)
{
    return k >= layout->min_hash_count && k <= layout->max_hash_count &&
           (k - layout->min_hash_count) % layout->hash_count_step == 0;
}

/* Can a table of the layout have m bits, k of them set by a key? Not of one
 * that is built once or grows in place, or of a number that is not a layout.
 */
static inline bool ss_plan_is_shape(seenset_layout id, uint64_t m, uint32_t k)
{
    const ss_layout_traits *layout = ss_layout_find_traits(id);
    return layout != NULL && layout->id == id && !layout->is_built_once &&
           !layout->is_expandable && ss_plan_is_hash_count(layout, k) &&
           m >= 1 && m <= layout->max_size_bits &&
           m % layout->unit_bits(k) == 0;
}

/* seenset_plan_solve_scheme for a scheme and arguments that it takes. */
int ss_plan_solve_scheme(seenset_plan *plan, const ss_scheme *scheme,
                         const ss_scheme_arguments *arguments);

/* Solves a plan of a layout that is built once: seenset_plan_solve. */
int ss_plan_solve_sealed(seenset_plan *plan);

/* The fewest fingerprint bits of a sealed table that keep p for n keys, or miss
 * it by a millionth of it at most: 4 to 32; 0 if none do. */
uint32_t ss_plan_fingerprint_bits(uint64_t n, double p);

/* The rate that the planner takes for a shape that was checked: what
 * seenset_plan_fp_rate is, or a little over it. */
double ss_plan_rate(seenset_layout layout, uint64_t n, uint64_t m, uint32_t k);

/* the same for n that is not whole, such as a mean */
double ss_plan_rate_at(seenset_layout layout, double n, uint64_t m, uint32_t k);

/* The most keys that a table of that shape is planned for, whatever the rate:
 * 2^53 where the rate alone decides. */
uint64_t ss_plan_most_items(seenset_layout layout, uint64_t m, uint32_t k);

/* The distinct keys of a table with slots that answers "seen" at that rate, and
 * whose slots are used to that part. */
double ss_plan_items_shown(double rate, double fill, uint64_t m, uint32_t k);

/* How many new keys were answered "seen" (wrong.c). */
typedef struct ss_plan_wrong {
    double items;  /* expected; if it is not known, at least that many */
    bool is_known; /* items is near the true number */
} ss_plan_wrong;

/* That of a table of a checked shape, of which n adds were answered "new". */
ss_plan_wrong ss_plan_wrong_of(seenset_layout layout, uint64_t n, uint64_t m,
                               uint32_t k);

/* So many keys at least were offered to a table of which so many cells are
 * empty, unless chance did what it does once in a thousand tables. */
double ss_plan_least_keys(seenset_layout layout, uint64_t empty, uint64_t m,
                          uint32_t k);

/* seenset_plan_wrong_items for a shape that was checked, by Simpson's rule over
 * an even number of intervals; and without regard to whether it is known */
double ss_plan_wrong_items(seenset_layout layout, uint64_t item_count,
                           uint64_t size_bits, uint32_t hash_count,
                           int intervals);

/* The same by as few intervals as a bound and an estimate need. n > 0. */
double ss_plan_expect_wrong(seenset_layout layout, uint64_t n, uint64_t m,
                            uint32_t k);

/* What is expected of the cells of a table, from the keys that it has. */
typedef struct ss_plan_state {
    double keys;   /* distinct ones, as far as that is known */
    double fill;   /* part of the cells that are not 0 */
    double rate;   /* without the chance of equal hashes */
    double spread; /* of the rate: what chance does to one table of so many
                      keys, a standard deviation as a part of the rate */
    double doubt;  /* the same of not knowing how many they are */
} ss_plan_state;

/* That of a table of a checked shape, of which n adds were answered "new".
 * Cost: microseconds. */
ss_plan_state ss_plan_expect(seenset_layout layout, uint64_t n, uint64_t m,
                             uint32_t k);

/* That of a table of `keys` distinct keys, give or take a standard deviation
 * of `doubt`. */
ss_plan_state ss_plan_expect_keys(seenset_layout layout, double keys,
                                  double doubt, uint64_t m, uint32_t k);

/*
 * The rate that at least 199 of 200 tables of this shape (one that was
 * checked: ss_plan_is_shape) keep once n keys were answered "new" by them.
 * At least the expected rate, and at most 1. Cost: microseconds.
 */
double ss_plan_bound(seenset_layout layout, uint64_t n, uint64_t m, uint32_t k);

#endif
