/*
 * json_path.h - where a value is in a JSON text.
 *
 *     .user.id          the member id of the member user
 *     .tags[0]          the first element of the member tags
 *     .["a.b"].c        a name with other letters, in quotes; \" and \\ are
 *                       a quote and a backslash
 *     .                 the whole value
 */
#ifndef JSON_PATH_H
#define JSON_PATH_H

#include <stdbool.h>
#include <stddef.h>

#include "fields/selection.h"

typedef struct json_step {
    char *name; /* NULL: an index */
    size_t name_len;
    size_t index;
} json_step;

typedef struct json_path {
    size_t step_count;
    json_step *steps;
    char missing[96];   /* the words when there is none */
    char container[96]; /* when it is an object or an array */
} json_path;

typedef struct json_paths {
    size_t count;
    json_path *items;
} json_paths;

/*
 * Reads a list of paths with commas between them, the value of `option` ("-f").
 * Returns 0, to be undone by
 * json_paths_free; -1 with *wrong; or -2 if there is not enough memory.
 */
int json_paths_read(json_paths *out, const char *option, const char *list,
                    selection_text *wrong);

/* Moves the paths of `tail` to the end of `to`. Returns 0, or -2, and both are
 * as they were. */
int json_paths_append(json_paths *to, json_paths *tail);

void json_paths_free(json_paths *paths);

#endif
