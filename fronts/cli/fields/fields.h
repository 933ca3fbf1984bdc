/*
 * fields.h - which part of a line is its key, and what that means for the
 * reader.
 *
 * A command that reads lines has a `fields`, gives it its options (options.h),
 * and attaches it to its reader. Lines then come as the format has them, and
 * each batch has the rule by which its keys are made (batch.h).
 */
#ifndef FIELDS_H
#define FIELDS_H

#include <stdbool.h>

#include "fields/columns.h"
#include "fields/json.h"
#include "fields/selection.h"
#include "fields/time_field.h"
#include "stream/lines.h"

typedef struct fields {
    lines_format format; /* first, since its functions get only that */
    /* from the command line; all zero: the key of a line is the line */
    const char *list;           /* -f */
    const char *time_list;      /* --time-field: one field, or NULL */
    uint64_t most_jump_seconds; /* --time-jump; 0: not given */
    bool has_delimiter, has_missing;
    bool is_csv, is_json, is_columns, has_no_header; /* is_: as was asked */
    column_style style;
    /* what they mean */
    selection selected;   /* with a time: it is the last */
    column_rule *columns; /* the rules of all files so far */
    time_field time;
    json_rule json;
    char *header; /* of the first file with one */
    size_t header_bytes;
} fields;

/* Are the keys of lines anything but the lines? */
bool fields_are_used(const fields *from);

/* The rule for keys that are not read from lines, or NULL. */
const batch_rule *fields_word_rule(const fields *from);

/* For a reader that was initialised and has no file yet. Returns 0, or -1 and
 * errno. fields_free undoes it, after the last batch. */
int fields_attach(fields *from, lines *reader);
void fields_free(fields *from);

#endif
