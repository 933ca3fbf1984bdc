/*
 * refuse.h - how a command line that cannot be read ends the program. Apart
 * from what reads it, so that the fuzzer of options can end a command
 * otherwise.
 */
#ifndef TEXT_REFUSE_H
#define TEXT_REFUSE_H

#include "text/syntax.h"

/* Ends the program after a usage error: the message, and where the help is. */
_Noreturn void arguments_refuse(const arguments *state, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Ends the program. */
_Noreturn void arguments_exit(int status);

#endif
