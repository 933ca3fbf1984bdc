/*
 * recent.h - plans that were solved, so that equal sets cost no search.
 *
 * A plan is found by bisection on formulas (plan/solve.c): a tenth of a
 * millisecond and more. A program with thousands of small sets makes most of
 * them with the same options, and the plan is a function of the options alone.
 * So the library remembers the last plans, and a search for the same options
 * is done once. Nobody can see that but by a clock: an entry has all that the
 * search depends on, and its answer is what the search returned, bit for bit.
 *
 * This is the one thing that the library keeps between calls. It is of one
 * fixed size, takes nothing from an allocator, and waits for nobody. The
 * options are not a secret; how keys are hashed is not part of them.
 *
 * Threads: any time.
 */
#ifndef SS_SET_RECENT_H
#define SS_SET_RECENT_H

#include <stdbool.h>
#include <stdint.h>

#include "seenset/plan.h"

enum {
    SS_RECENT_PLANS = 16
};

/* What a plan depends on. All fields are of one size, so that there are no
 * bytes between them, and two that are equal have equal bytes. */
typedef struct ss_recent_asked {
    uint64_t layout;
    uint64_t on_full;
    uint64_t capacity_items;
    double fp_rate;
    uint64_t size_bits;
    uint64_t hash_count;
    uint64_t window_generations;
    uint64_t window_seconds;
} ss_recent_asked;

/* What was found. */
typedef struct ss_recent_found {
    uint64_t capacity_items; /* of the whole set, defaults filled in */
    double fp_rate;
    seenset_plan first; /* of its first table */
} ss_recent_found;

/* Is it remembered? False, *found untouched: it is not. */
bool ss_recent_find(const ss_recent_asked *asked, ss_recent_found *found);

/* Remembers it, in place of an older one. If another thread is writing there,
 * it does nothing. */
void ss_recent_keep(const ss_recent_asked *asked, const ss_recent_found *found);

#endif
