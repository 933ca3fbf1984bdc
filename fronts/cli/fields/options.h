/*
 * options.h - the options by which a part of a line is its key.
 */
#ifndef FIELDS_OPTIONS_H
#define FIELDS_OPTIONS_H

#include "text/arguments.h"
#include <stdbool.h>

#include "fields/fields.h"
#include "text/option_keys.h"

/* In the table of options of a command. */
#define FIELDS_OPTIONS                                                         \
    {"field", 'f', "LIST", 0,                                                  \
     "The key of a line is its field number LIST, or several: 2,4; in csv "    \
     "also by name, in json by path"},                                         \
        {"delimiter", 'd', "C", 0,                                             \
         "With -f: the byte between two fields (default: TAB; with --csv a "   \
         "comma)"},                                                            \
        {"from-format", OPTION_FROM_FORMAT, "FORMAT", 0,                       \
         "Lines are columns (default), records of csv, whose fields may be "   \
         "in quotes and whose first line in each file is a header, or json, "  \
         "where LIST is a path such as .user.id"},                             \
        {"csv", OPTION_CSV, NULL, 0, "Short for --from-format csv"},           \
        {"no-header", OPTION_NO_HEADER, NULL, 0,                               \
         "With --csv: the first line is a record like others"},                \
        {"json", OPTION_JSON_LINES, NULL, OPTION_HIDDEN,                       \
         "Refused: --from-format json"},                                \
        {"missing", OPTION_MISSING, "HOW", 0,                                  \
         "What becomes of lines without the field: keep (default: they pass "  \
         "as unseen, and are counted), drop, or error"},                       \
    {                                                                          \
        "ignore-case", OPTION_IGNORE_CASE, NULL, 0,                            \
            "A to Z in keys count as a to z"                                   \
    }

/* And of a command that can go by the time of its records. */
#define TIME_FIELD_OPTIONS                                                     \
    {"time-field", OPTION_TIME_FIELD, "FIELD", 0,                              \
     "The window goes by the time in this field of each record, and not by "   \
     "the clock: seconds or milliseconds since 1970, or as in "                \
     "2024-11-29T10:40:00Z; a path such as .ts means lines of json"},          \
    {                                                                          \
        "time-jump", OPTION_TIME_JUMP, "T", 0,                                 \
            "With --time-field: a record whose time is more than T, such as "  \
            "1d, after all before it is an error"                              \
    }

/* The parser of these options. */
int fields_parse(int key, char *text, arguments *state, fields *into);

/*
 * After all options: refuses what does not fit together, with a usage error.
 * words: keys are on the command line, and may be no fields.
 */
void fields_check(arguments *state, fields *from, char separator,
                  bool has_words);

#endif
