/*
 * left_out.h - lines without a key, counted and reported.
 *
 * With --normalise url a line that is not a URL is left out: of the set, and of
 * what is printed. One such line must not stop those after it. A line without
 * the field that is the key is kept, left out or an error (batch_missing).
 */
#ifndef LEFT_OUT_H
#define LEFT_OUT_H

#include <stdbool.h>
#include <stdint.h>

#include "stream/batch.h"

/* Lines that have no key for the same kind of reason. */
typedef struct left_out_lines {
    uint64_t count;
    uint64_t first_number; /* of the first one, in its input, from 1 */
    const char *input, *unit;
    char reason[128]; /* why the first one has none */
} left_out_lines;

typedef struct left_out {
    left_out_lines others;    /* that are not URLs */
    left_out_lines missing;   /* without the field */
    bool is_kept;             /* and these were kept */
    uint64_t undivided_count; /* lines without the delimiter of -f 1, while
                                 none has it; */
    char delimiter;           /* 0: one has it, or it is not asked for */
    bool is_divided;
} left_out;

/* Counts those of a batch that was made ready, in the order of reading. */
void left_out_take(left_out *into, batch *keys);

/*
 * If a line without the field is an error, and one is in the batch, ends the
 * batch before it and reports it. Returns whether that is so.
 */
bool left_out_stop(batch *keys, const char *name);

/*
 * Reports them, if there are any; and that no line has the delimiter, where the
 * first field is the key: it is probably another one. is_strict: that is an
 * error for lines that are not URLs. Returns status, or COMMAND_ERROR.
 */
int left_out_finish(const left_out *all, const char *name, bool is_strict,
                    int status);

#endif
