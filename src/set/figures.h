/*
 * figures.h - from the tables of a set to its figures: how full, what rate, how
 * many keys, how many mistakes.
 *
 * That is done in two steps. The first takes down the state of each table: an
 * audit from all cells, an estimate from some and from what was added
 * (estimate.c). The second is arithmetic, the same for both, and needs the set
 * no more. A queue does the first with its mutex held, and the second without.
 */
#ifndef SS_SET_FIGURES_H
#define SS_SET_FIGURES_H

#include "base/export.h"
#include "set/set.h"

/* A table whose keys are remembered. */
typedef struct ss_table_state {
    const ss_layout_traits *traits;
    uint64_t size_bits;
    uint64_t added_items;
    uint64_t set_bits;
    double rate;
    double rate_error; /* standard deviation, as a part of the rate */
    uint32_t hash_count;
    bool is_counted; /* all of its cells were read */
} ss_table_state;

typedef struct ss_set_state {
    seenset_info info;
    uint64_t size_bits; /* of all tables */
    uint32_t count;     /* of those whose keys are remembered */
    ss_table_state tables[SS_MAX_TABLES];
} ss_set_state;

/*
 * Takes down the state of a set. Reads at most most_bytes bytes of its tables,
 * of small ones all; the rest is modelled. UINT64_MAX: an audit.
 * 0, or SEENSET_ECORRUPT (a checked view, and a block that is read is damaged).
 */
int ss_figures_take(const seenset *set, uint64_t most_bytes,
                    ss_set_state *state);

/* The same for an estimate. */
SS_EXPORT int ss_figures_take_estimate(const seenset *set, ss_set_state *state);

/* What a state means. */
SS_EXPORT seenset_estimate ss_figures_of(const ss_set_state *state);

#endif
