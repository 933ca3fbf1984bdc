/*
 * report.h - the statistics of a set, for people and for programs.
 */
#ifndef REPORT_H
#define REPORT_H

#include <stdio.h>

#include "seenset/seenset.h"

/* An aligned table, one fact a line. */
void report_text(FILE *out, const seenset *set, const seenset_stats *stats);

/* One JSON object: the path, the fields of seenset_stats, and whether it is a
 * sliding window. More members, each after a comma, may be printed before
 * report_json_end. */
void report_json(FILE *out, const char *path, const seenset *set,
                 const seenset_stats *stats);
void report_json_end(FILE *out);

/* One line of such a table: a label, padded, and its value. */
void report_row(FILE *out, const char *label, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A JSON number that is read back as the same double; null if not finite. */
void report_json_number(FILE *out, double value);

#endif
