/*
 * check.h - what check and info print of a file of another system.
 */
#ifndef CHECK_H
#define CHECK_H

#include <stdbool.h>

#include "check/verdict.h"

/* Prints the file's filters, those of its column if one is named: as text, or
 * as a JSON object, on one line if is_line. COMMAND_DONE; COMMAND_NOTHING if a
 * filter is too full; COMMAND_ERROR if one is damaged, or the file cannot be
 * read, after a message. */
int check_foreign_at(const char *name, bool wants_json, bool is_line);

/* The rows of a table of one filter. */
void check_print_figures(const verdict_figures *of, verdict found);

/* The exit status that follows. */
int check_status(verdict found);

#endif
