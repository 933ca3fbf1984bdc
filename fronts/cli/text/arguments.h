/*
 * arguments.h - the words of a command line, taken at their word.
 *
 * Every command reads its options by this instead of argp_parse.
 */
#ifndef ARGUMENTS_H
#define ARGUMENTS_H

#include <argp.h> /* needs _GNU_SOURCE */

/*
 * Looks through the words, and then has argp read them: the parser of `argp`
 * is called with `input` as the state's. argp has options and no children.
 * Ends the program with a usage error where argp does, and also
 *
 * - at a long option that is only the beginning of one (--key for --keyed), or
 *   that is in no command's help (--HANG);
 * - at an option that is given twice with two values: both can't be meant;
 * - at an option whose value is empty, or is the next option (--set -n 5).
 */
void arguments_parse(const struct argp *argp, int argc, char **argv,
                     void *input);

#endif
