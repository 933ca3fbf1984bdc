/* counting.h - the plan of a counting set: counters in place of bits */
#ifndef COMMANDS_PLAN_COUNTING_H
#define COMMANDS_PLAN_COUNTING_H

#include "seenset/plan.h"

#define PLAN_DEFAULT_COUNTER_BITS 4u

/* The memory of all counters. counter_bits: 0 means the default. */
uint64_t plan_counting_bytes(const seenset_plan *plan, uint32_t counter_bits);

/* The chance that any counter is full is at most this. */
double plan_counting_overflow(const seenset_plan *plan, uint32_t counter_bits);

/* Prints, after the rows of a plan, those of its counters; where counter_bits
 * is 0 the widths side by side, to choose from. */
void plan_counting_print(const seenset_plan *plan, uint32_t counter_bits);

#endif
