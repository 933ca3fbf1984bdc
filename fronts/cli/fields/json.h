/*
 * json.h - keys that are values in lines of JSON.
 *
 * The key of a string is its bytes in UTF-8, without escapes; of a number, its
 * digits as they are written; of true, false and null, their names. An object
 * or an array is not a key: the line counts as one without the field. So does a
 * line that is not one JSON value. Of two members of one name the last counts.
 */
#ifndef FIELDS_JSON_H
#define FIELDS_JSON_H

#include <stdbool.h>

#include "fields/json_path.h"
#include "fields/time_field.h"
#include "stream/batch.h"

typedef struct json_rule {
    batch_rule base;  /* first, since `extract` gets only that */
    json_paths paths; /* with a time: its path is the last */
    time_field time;
    bool ignores_case;
} json_rule;

/* Was the command built with a parser? */
bool json_is_there(void);

/* Makes the rule's keys: a batch_rule's `extract`. Needs a parser. */
int json_extract(const batch_rule *base, batch *keys);

#endif
