/*
 * columns.h - keys that are fields of delimited lines, or of records of CSV.
 */
#ifndef COLUMNS_H
#define COLUMNS_H

#include <stdbool.h>
#include <stddef.h>

#include "fields/kernels.h"
#include "fields/selection.h"
#include "fields/time_field.h"
#include "stream/batch.h"

/* What does not depend on the header of a file. */
typedef struct column_style {
    char separator, delimiter;
    bool is_csv, ignores_case;
    batch_missing missing;
    const field_kernels *kernels;
} column_style;

typedef struct column_rule column_rule;
struct column_rule {
    batch_rule base; /* first, since `extract` gets only that */
    column_style style;
    size_t key_count; /* fields of a key; 0: the whole line */
    size_t count;     /* the same, and of the time, which is the last */
    time_field time;
    size_t *order;       /* of each, its place in wanted */
    char (*reasons)[96]; /* of each, the words when it is missing */
    size_t *wanted;      /* for the kernels */
    size_t wanted_count;
    column_rule *next; /* for the owner: rules of other files */
};

/*
 * The rule for a selection of numbers, the last of which is the time, if there
 * is one. Returns NULL and errno if there is not
 * enough memory. column_rule_free frees those that follow, too.
 */
column_rule *column_rule_new(const column_style *style, const selection *fields,
                             const time_field *time);
void column_rule_free(column_rule *rule);

#endif
