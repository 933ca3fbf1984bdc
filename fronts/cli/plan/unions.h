/* unions.h - what the sets are to be like that are merged in the end */
#ifndef PLAN_UNIONS_H
#define PLAN_UNIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "seenset/plan.h"

/*
 * Prints how to make each of so many sets of plan->capacity_items keys, so that
 * their union keeps plan->fp_rate, and what it comes to otherwise; as text, or
 * as a JSON object. plan->layout is the default or one that can grow. Returns
 * 0, or COMMAND_ERROR after a message.
 */
int plan_unions_print(const seenset_plan *plan, uint64_t set_count,
                      bool wants_json);

#endif
