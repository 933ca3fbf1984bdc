/* two_sets.h - commands that compare two set files: similarity and diff */
#ifndef TWO_SETS_H
#define TWO_SETS_H

#include "text/arguments.h"
#include <stdbool.h>

#include "seenset/seenset.h"

typedef struct two_sets {
    const char *a_path, *b_path;
    const char *secret_path;
    bool wants_json;
    seenset *a, *b; /* open while the command runs */
} two_sets;

/* --json, --secret-file, A and B; the input of the parser is a two_sets. */
extern const option_row two_sets_options[];
int two_sets_parse(int key, char *text, arguments *state);

/* Opens both, runs, and closes them. Returns the exit status. */
int two_sets_run(two_sets *of, int (*run)(const two_sets *of));

/* Reports why the library cannot compare them. Returns COMMAND_ERROR. */
int two_sets_complain(const two_sets *of, int error);

#endif
