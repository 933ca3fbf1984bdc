/*
 * report.h - what dedup prints when it is done: -c and --stats.
 */
#ifndef DEDUP_REPORT_H
#define DEDUP_REPORT_H

#include <stdbool.h>

#include "sets/add_stage.h"

/* On standard output; flushes it. Returns a command's status. */
int dedup_print_counts(const add_stage *into);

/* On standard error, as text or as a JSON object on a line. set_path: the file
 * that is kept from run to run, or NULL. */
void dedup_print_stats(const add_stage *into, const char *set_path,
                       bool as_json);

#endif
