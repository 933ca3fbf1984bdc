/*
 * table.h - plan --table: the rate by bits per key and bits a key sets.
 */
#ifndef PLAN_TABLE_H
#define PLAN_TABLE_H

#include <stdbool.h>

#include "seenset/plan.h"

/*
 * Prints a table for each of the layouts, or one JSON object. given: the number
 * of keys, and k if only that column is wanted. Returns a command's status.
 */
int plan_table_print(const seenset_plan *given, const seenset_layout *layouts,
                     int layout_count, bool wants_json);

#endif
