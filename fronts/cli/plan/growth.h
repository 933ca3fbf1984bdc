/* growth.h - what a set costs on its way, step by step */
#ifndef PLAN_GROWTH_H
#define PLAN_GROWTH_H

#include "plan/columns.h"

/* Prints, after an empty line, a row for each power of ten of keys that the set
 * passes; nothing where it has no more than it was planned for. */
void plan_growth_print(const plan_columns *shown);

/* The same as an array of JSON objects, which then has none. */
void plan_growth_print_json(const plan_columns *shown);

#endif
