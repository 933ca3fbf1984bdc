/*
 * json_walk.h - follows a parser through a JSON text, and keeps the values at
 * some paths.
 *
 * The parser reports each name, each scalar, and where containers begin and
 * end. For each path, `matched` is the number of steps that match so far. No
 * step beyond the depth can match, so one number for each path is enough.
 */
#ifndef JSON_WALK_H
#define JSON_WALK_H

#include <stdbool.h>
#include <stddef.h>

#include "fields/json_path.h"

typedef enum json_found {
    JSON_FOUND_NOTHING,
    JSON_FOUND_SCALAR,
    JSON_FOUND_CONTAINER
} json_found;

/* How far a path is followed, and what is at its end. */
typedef struct json_trace {
    size_t matched;
    json_found found;
    size_t start, end; /* of the value, in `text` of the walk */
} json_trace;

typedef struct json_level {
    bool is_array;
    size_t index; /* of the next element */
} json_level;

typedef struct json_walk {
    const json_paths *paths;
    json_trace *traces; /* one for each path */
    json_level *levels; /* of the containers that are open */
    size_t depth, level_room;
    char *text; /* the values */
    size_t used, room;
    size_t root_count; /* values that are in no container */
} json_walk;

/* Returns 0, or -1 and errno. json_walk_free undoes it. */
int json_walk_init(json_walk *walk, const json_paths *paths);
void json_walk_free(json_walk *walk);

/* A new text. */
void json_walk_clear(json_walk *walk);

/* What the parser reports. They return false if there is not enough memory. */
bool json_walk_name(json_walk *walk, const char *name, size_t len);
bool json_walk_scalar(json_walk *walk, const char *text, size_t len);
bool json_walk_begin(json_walk *walk, bool is_array);
bool json_walk_end(json_walk *walk);

#endif
