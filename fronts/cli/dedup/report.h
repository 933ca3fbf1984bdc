/*
 * report.h - what dedup prints when it is done: -c and --stats.
 */
#ifndef DEDUP_REPORT_H
#define DEDUP_REPORT_H

#include "dedup/state.h"

/* On standard output; flushes it. Returns a command's status. */
int dedup_print_counts(const add_stage *into);

/* On standard error, as text or as a JSON object on a line. */
void dedup_print_stats(const dedup *work);

#endif
