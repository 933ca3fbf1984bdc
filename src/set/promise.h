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
 * Plans the first table of a set that is to keep the rate `budget` in all and
 * may grow: plan->layout and plan->capacity_items are given, the rest is
 * solved. The table takes half of the budget; its bound stays under five
 * eighths. plan->fp_rate becomes the rate expected of it at its capacity.
 * 0, SEENSET_ERATE (64-bit hashes cannot keep that rate) or what else
 * seenset_plan_solve returns. Cost: as seenset_plan_solve, a few times.
 */
int ss_promise_plan_first(seenset_plan *plan, double budget);

/* The same for a table after those of a list, each at its capacity: it takes
 * half of what they leave. */
int ss_promise_plan_next(seenset_plan *plan, double budget,
                         ss_generation *tables, uint32_t table_count);

/*
 * Plans the table that grows in place and takes all keys after those of a list:
 * the widths of its slots (plan/expand.h), at the load that ss_expand_options
 * have by default. Nothing comes after it, so *fp_rate, which it keeps at up to
 * ss_plan_expand_items(*fp_rate) keys, is all that the list leaves.
 * 0, or SEENSET_ERATE: what is left is not enough for one key.
 */
int ss_promise_plan_expand(double budget, ss_generation *tables,
                           uint32_t table_count, double *fp_rate,
                           uint8_t widths[SS_EXPAND_DEPTHS]);

#endif
