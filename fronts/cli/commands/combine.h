/*
 * combine.h - one set file of several: what `merge` and `intersect` share.
 *
 * Nothing is written until all were read and agreed, and then the output is
 * replaced in one step; so it may be one of the inputs.
 */
#ifndef COMBINE_H
#define COMBINE_H

#include <argp.h>

#include "seenset/seenset.h"

typedef struct combination {
    const char *doc; /* for --help */
    int least_inputs;
    const char *too_few; /* the usage error below that */
    int (*fold)(seenset *into, const seenset *from);
} combination;

/* Runs the command. Returns its status. */
int combine(const combination *how, int argc, char **argv);

/*
 * Verifies the file whole, for damage would spread, and opens a view of it.
 * Returns 0, or COMMAND_ERROR after a message.
 */
int combine_open(seenset **out, const char *path, const char *secret_path);

/* Says what keeps the library from combining the two sets. */
void combine_complain(int error, const char *a_path, const seenset *a,
                      const char *b_path, const seenset *b);

#endif
