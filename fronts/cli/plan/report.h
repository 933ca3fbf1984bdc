/*
 * report.h - what the command shows of plans: a table, or JSON.
 */
#ifndef PLAN_REPORT_H
#define PLAN_REPORT_H

#include "plan/columns.h"

/* An aligned table, one fact a line. At least one of the plans has no error. */
void plan_report_text(const plan_columns *shown);

/* One JSON object. */
void plan_report_json(const plan_columns *shown);

/* The rate of the plans. */
double plan_report_rate(const plan_columns *shown);

/* The seeds of a scheme, with a text between two. */
void plan_report_seeds(const seenset_scheme_arguments *given,
                       const char *between);

/* The line of the classic filter in whole numbers, if it keeps such a rate. */
void plan_report_whole_bits(double fp_rate);

#endif
