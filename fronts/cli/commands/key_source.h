/*
 * key_source.h - keys in batches, from the command line, a file or standard
 * input.
 */
#ifndef KEY_SOURCE_H
#define KEY_SOURCE_H

#include <stdbool.h>

#include "fields/fields.h"
#include "stream/lines.h"

typedef struct key_source {
    char **arguments; /* the next keys; NULL: keys are lines of `path` */
    const char *path; /* "-": standard input */
    uint64_t given;   /* arguments that were taken so far */
    lines input;
    fields *fields; /* what is the key in a line */
} key_source;

/*
 * arguments: a list of keys that ends with NULL. If it is empty or NULL, the
 * keys are the lines of the file at path ("-" or NULL: standard input), each
 * ended by the separator, or what `which` finds in them. Returns 0, to be
 * undone by key_source_free, or COMMAND_ERROR after a message.
 */
int key_source_init(key_source *from, char **arguments, const char *path,
                    char separator, fields *which);
void key_source_free(key_source *from);

/* The next batch. Returns 1, 0 at the end, -1 after a message, or
 * LINES_LATER. */
int key_source_next(key_source *from, batch *out);

/* True if key_source_next would have to wait. */
bool key_source_would_wait(const key_source *from);

#endif
