/*
 * figures.h - from the tables of a set to its figures: how full, what rate, how
 * many keys, how many mistakes.
 *
 * That is done in two steps. The first takes down what is known of each table,
 * and what its cells show: an audit looks at all cells, an estimate at some,
 * and both can do without (estimate.c). The second is arithmetic, the same
 * whatever was looked at, and needs the set no more (figures.c). A queue does
 * the first with its mutex held, and the second without.
 */
#ifndef SS_SET_FIGURES_FIGURES_H
#define SS_SET_FIGURES_FIGURES_H

#include "base/export.h"
#include "set/set.h"

/* What an estimate reads: well under a millisecond's worth. */
#define SS_ESTIMATE_BYTES (UINT64_C(4) << 20)

/*
 * The number of keys of a table leaves something open. If they were added one
 * by one, added_items counts those that were answered "new", and there are some
 * more that were taken for seen. After a merge it is a number of distinct keys,
 * as the bits showed them (algebra.c), and later adds come on top. Neither a
 * set nor its file has a field for that. So the distinct keys are between
 * added_items and added_items plus all that could have been taken for seen.
 *
 * How much that leaves open: where the rate f grows with a power e of the keys,
 * f / (e + 1) of the keys were taken for seen, which changes the rate by
 * e f / (e + 1) of it, hardly less than f. Up to the first number here the rate
 * is that of keys added one by one. Above it the part of the bits that is read
 * decides, and is as many times larger as the second number says, so that it
 * decides well: a standard deviation is at most 0.15 % of the rate then.
 */
#define SS_FIGURES_MUCH 0.008
#define SS_FIGURES_MORE 4

/* A table whose keys are remembered. */
typedef struct ss_table_state {
    const ss_layout_traits *traits;
    uint64_t size_bits;
    uint64_t added_items;
    uint32_t hash_count;
    bool is_counted;    /* all of its cells were looked at */
    bool is_credited;   /* its keys are those added, whatever its cells show */
    ss_sample seen;     /* no cells: none was */
    double wrong_items; /* tables that grow in place: that it took for seen */
    double skew_chance; /* that what was seen is so uneven; 1: nothing was */
} ss_table_state;

typedef struct ss_set_state {
    seenset_info info;
    uint64_t size_bits; /* of all tables */
    uint32_t count;     /* of those whose keys are remembered */
    ss_table_state tables[SS_MAX_TABLES];
} ss_set_state;

/*
 * Takes down the state of a set. Reads at most most_bytes bytes of its tables
 * (or 12 KiB of each if that is more), of small ones all: SS_ESTIMATE_BYTES for
 * an estimate, UINT64_MAX for an audit, 0 for nothing. SS_FIGURES_MORE times as
 * many where the rate of a table that is not read whole is over
 * SS_FIGURES_MUCH.
 * 0, or SEENSET_ECORRUPT (a checked view, and a block that is read is damaged).
 */
SS_EXPORT int ss_figures_take(const seenset *set, uint64_t most_bytes,
                              ss_set_state *state);

/* What a state means. */
SS_EXPORT seenset_estimate ss_figures_of(const ss_set_state *state);

/* The same with what the set is. What only a look at all bits shows is 0:
 * full_counters and overflow_bound. */
SS_EXPORT seenset_stats ss_figures_stats(const seenset *set,
                                         const ss_set_state *state);

#endif
