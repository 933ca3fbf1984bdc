/*
 * report.h - what the command shows of plans: a table, or JSON.
 */
#ifndef PLAN_REPORT_H
#define PLAN_REPORT_H

#include <stdint.h>

#include "seenset/plan.h"

#define PLAN_COLUMNS 2

/* The plans that are shown, side by side. */
typedef struct plan_columns {
    int count;
    seenset_plan plans[PLAN_COLUMNS];
    int errors[PLAN_COLUMNS]; /* 0, or why this layout cannot do it */
    uint32_t counter_bits;    /* 0: not given */
    seenset_scheme scheme;
    seenset_scheme_arguments arguments; /* as given */
} plan_columns;

/* An aligned table, one fact a line. At least one of the plans has no error. */
void plan_report_text(const plan_columns *shown);

/* One JSON object. */
void plan_report_json(const plan_columns *shown);

/* The line of the classic filter in whole numbers, if it keeps such a rate. */
void plan_report_whole_bits(double fp_rate);

#endif
