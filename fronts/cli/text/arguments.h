/*
 * arguments.h - command lines: the rows of a command's options, and reading
 * words by them, strictly.
 *
 * A command has a table of rows and a parser (syntax.h), and calls
 * arguments_parse. The help, the usage and the guesses at what was mistyped
 * come from the same rows (help.h, strict.h).
 */
#ifndef TEXT_ARGUMENTS_H
#define TEXT_ARGUMENTS_H

#include "text/refuse.h"
#include "text/syntax.h"

/*
 * Checks the words (strict.h), then calls the parser for each. Operands may
 * stand between options, unless POSIXLY_CORRECT is set. --help, --usage and
 * --version print and exit; so do -h, -? and -V, where no option has the
 * letter. Exits with a usage error after a mistake. argv is reordered.
 */
void arguments_parse(const command_syntax *syntax, int argc, char **argv,
                     void *input);

#endif
