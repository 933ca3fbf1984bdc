/*
 * report.h - the statistics of a set, for people and for programs.
 */
#ifndef REPORT_H
#define REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "report/json.h"
#include "seenset/seenset.h"

/* An aligned table, one fact a line. */
void report_text(FILE *out, const seenset *set, const seenset_stats *stats);

/* The members of a JSON object, by the names of docs/json.md: the path, the
 * figures of the set, and its tables. */
void report_json(json *out, const char *path, const seenset *set,
                 const seenset_stats *stats);

/* Windows by age: how old the oldest key that is remembered is, at most. NaN of
 * others, and while there is none. */
double report_oldest_key_seconds(const seenset *set);

/* One line of such a table: a label, padded, and its value. */
void report_row(FILE *out, const char *label, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* How many new keys were taken for seen, for people: "12.3 keys, expected", or
 * "unknown, at least 12 keys"; unit is " keys" or "". */
typedef struct report_wrong {
    char text[64];
} report_wrong;

report_wrong report_wrong_items(double wrong_items, int is_at_least,
                                const char *unit);

#endif
