/*
 * promise.h - what rate a table of a list may take, so that the whole list
 * keeps its promise; the idea is in promise.c.
 */
#ifndef SS_SET_PROMISE_H
#define SS_SET_PROMISE_H

#include "expand/state.h"
#include "set/set.h"

/* The bound of a generation at its capacity, kept in rate_bound from then on.
 */
double ss_promise_of(ss_generation *generation);

/*
 * Plans the next table of a list that is to keep the rate `budget` in all:
 * plan->layout and plan->capacity_items are given, the rest is solved. The
 * table takes half of what the bounds of the tables that are there, each at
 * its capacity, leave of the budget; its own bound stays under five eighths.
 * plan->fp_rate becomes the rate expected of it at its capacity.
 * 0, SEENSET_ERATE (no rate is left that 64-bit hashes can keep) or what else
 * seenset_plan_solve returns. Cost: as seenset_plan_solve, a few times.
 */
int ss_promise_plan_next(seenset_plan *plan, double budget,
                         ss_generation *tables, uint32_t table_count);

/*
 * Plans the table that grows in place and takes all keys after those of a list:
 * the widths of its slots (plan/expand.h), at the load that ss_expand_options
 * have by default. Nothing comes after it, so *fp_rate, which it keeps at up to
 * ss_plan_expand_items(*fp_rate) keys, is all that the list leaves.
 * 0, or SEENSET_ERATE: slots are too short for what is left; tables may not be.
 */
int ss_promise_plan_expand(double budget, ss_generation *tables,
                           uint32_t table_count, double *fp_rate,
                           uint8_t widths[SS_EXPAND_DEPTHS]);

#endif
