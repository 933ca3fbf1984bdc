/*
 * keys.h - keys in batches, from the command line, a file or standard input.
 */
#ifndef KEYS_H
#define KEYS_H

#include <stdbool.h>

#include "stream/lines.h"

typedef struct keys {
    char **arguments; /* the next ones; NULL: keys are lines of `path` */
    const char *path; /* "-": standard input */
    uint64_t given;   /* arguments so far */
    lines input;
} keys;

/*
 * arguments: a list that NULL ends, or NULL, or an empty list: then keys are
 * lines of the file at path ("-" or NULL: standard input), each ended by the
 * separator. Returns 0, or COMMAND_ERROR after a message. keys_free undoes it.
 */
int keys_init(keys *from, char **arguments, const char *path, char separator);
void keys_free(keys *from);

/* Returns 1 and a batch; 0 at the end; -1 after a message; LINES_LATER. */
int keys_next(keys *from, batch *out);

/* True if keys_next would have to wait. */
bool keys_would_wait(const keys *from);

/* What messages call the input: its file, "standard input" or "arguments". */
const char *keys_name(const keys *from);

#endif
