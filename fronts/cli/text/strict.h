/*
 * strict.h - which command lines are refused before they are read.
 */
#ifndef TEXT_STRICT_H
#define TEXT_STRICT_H

#include <stdbool.h>

#include "text/syntax.h"

/*
 * Exits with a usage error for
 *
 * - an option that the command does not have, such as one that is abbreviated
 *   (--key for --keyed);
 * - an option that is given twice with different values;
 * - an option without its value, with an empty one, or with one that is the
 *   next option (--set -n 5);
 * - a value of an option that has none (--null=x).
 *
 * -h and -? become --help, where no option has the letter.
 */
void strict_check(const arguments *from);

/* Does the word begin with a dash, and is not a dash? */
bool strict_is_dashed(const char *word);

#endif
