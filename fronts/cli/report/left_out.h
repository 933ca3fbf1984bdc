/*
 * left_out.h - lines that are not URLs, counted and reported.
 *
 * With --normalise url a line that is not a URL is left out: of the set, and of
 * what is printed. One such line must not stop those after it.
 */
#ifndef LEFT_OUT_H
#define LEFT_OUT_H

#include <stdbool.h>
#include <stdint.h>

#include "stream/batch.h"

typedef struct left_out {
    uint64_t count;
    uint64_t first_number; /* of the first one, in its input, from 1 */
    const char *input, *unit, *reason;
} left_out;

/* Counts those of a batch that was normalised, in the order of reading. */
void left_out_take(left_out *into, const batch *keys);

/*
 * Reports them, if there are any. is_strict: that is an error. Returns status,
 * or COMMAND_ERROR.
 */
int left_out_finish(const left_out *all, const char *name, bool is_strict,
                    int status);

#endif
