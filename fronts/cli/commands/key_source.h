/*
 * key_source.h - keys in batches, from the command line, a file or standard
 * input.
 */
#ifndef KEY_SOURCE_H
#define KEY_SOURCE_H

#include <stdbool.h>

#include "stream/lines.h"

typedef struct key_source {
    char **arguments; /* the next ones; NULL: keys are lines of `path` */
    const char *path; /* "-": standard input */
    uint64_t given;   /* arguments so far */
    lines input;
} key_source;

/*
 * arguments: a list that NULL ends, or NULL, or an empty list: then keys are
 * lines of the file at path ("-" or NULL: standard input), each ended by the
 * separator. Returns 0, or COMMAND_ERROR after a message. key_source_free
 * undoes it.
 */
int key_source_init(key_source *from, char **arguments, const char *path,
                    char separator);
void key_source_free(key_source *from);

/* Returns 1 and a batch; 0 at the end; -1 after a message; LINES_LATER. */
int key_source_next(key_source *from, batch *out);

/* True if key_source_next would have to wait. */
bool key_source_would_wait(const key_source *from);

/* What messages call the input: its file, "standard input" or "arguments". */
const char *key_source_name(const key_source *from);

#endif
