/* refuse.c - see refuse.h. */
#include "text/refuse.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "command.h"
#include "text/help.h"

void arguments_exit(int status)
{
    exit(status);
}

void arguments_refuse(const arguments *state, const char *format, ...)
{
    va_list values;
    fprintf(stderr, "%s: ", state->argv[0]);
    va_start(values, format);
    vfprintf(stderr, format, values);
    va_end(values);
    fputc('\n', stderr);
    help_print_hint(stderr, state->argv[0]);
    exit(COMMAND_ERROR);
}
