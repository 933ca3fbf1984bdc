/*
 * help.h - what --help and --usage print, from the rows of a command.
 */
#ifndef TEXT_HELP_H
#define TEXT_HELP_H

#include <stdio.h>

#include "text/syntax.h"

/*
 * The text above the options, the options in their groups, in each by the
 * alphabet, and the text below. name: of the command, as it is called.
 */
void help_print(FILE *out, const command_syntax *syntax, const char *name);

/* All options in a few lines. */
void help_print_usage(FILE *out, const command_syntax *syntax,
                      const char *name);

/* Where both are, in a sentence. */
void help_print_hint(FILE *out, const char *name);

#endif
