/*
 * arguments.h - command lines, read strictly.
 *
 * Every command reads its options with this instead of argp_parse.
 */
#ifndef ARGUMENTS_H
#define ARGUMENTS_H

#include <argp.h> /* needs _GNU_SOURCE */

/*
 * Checks the words, then lets argp parse them: the parser of `argp`, which has
 * options and no children, is called with `input` in its state. Exits with a
 * usage error where argp does, and also for
 *
 * - a long option that is abbreviated (--key for --keyed), or that is not in
 *   the help (--HANG);
 * - an option that is given twice with different values;
 * - an option whose value is empty, or is the next option (--set -n 5);
 *
 * and if there is no memory.
 */
void arguments_parse(const struct argp *argp, int argc, char **argv,
                     void *input);

#endif
