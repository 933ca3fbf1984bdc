/*
 * report.h - what dedup prints when it is done: -c and --stats.
 */
#ifndef DEDUP_REPORT_H
#define DEDUP_REPORT_H

#include <stdbool.h>

#include "sets/add_stage.h"

/* On standard output; flushes it. Returns a command's status. */
int dedup_print_counts(const add_stage *into);

/* On standard error; has_file: the set is kept from run to run. */
void dedup_print_stats(const add_stage *into, bool has_file);

#endif
