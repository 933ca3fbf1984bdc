/*
 * combine.h - one set file from several: merge and intersect.
 *
 * All inputs are read and checked before anything is written, and the output is
 * replaced in one step. So it may be one of the inputs.
 */
#ifndef COMBINE_H
#define COMBINE_H

#include "text/arguments.h"
#include <stdbool.h>

#include "seenset/seenset.h"

typedef struct combination {
    const char *doc; /* for --help */
    int least_inputs;
    const char *too_few; /* the usage error if there are fewer */
    int (*fold)(seenset *into, const seenset *from);
    bool keeps_out; /* with standard input, an OUT that exists is an input */
} combination;

/* Runs the command. Returns its status. */
int combine(const combination *how, int argc, char **argv);

/*
 * Verifies the whole file, since damage would spread to the output, and opens a
 * view of it; or reads standard input ("-").
 * Returns 0, or COMMAND_ERROR after a message.
 */
int combine_open(seenset **out, const char *path, const char *secret_path);

/* Reports why the library cannot combine the two sets. */
void combine_complain(int error, const char *a_path, const seenset *a,
                      const char *b_path, const seenset *b);

#endif
