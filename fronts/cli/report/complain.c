/*
 * complain.c - see complain.h.
 */
#define _GNU_SOURCE /* flockfile */
#include "report/complain.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "stream/output.h"

void complain(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    flockfile(stderr);
    fputs("seenset: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    funlockfile(stderr);
    va_end(arguments);
}

void complain_of_output(const output *out, const char *consequence)
{
    if (out->error != 0 && out->error != EPIPE)
        complain("%s: %s; %s", out->failed, strerror(out->error), consequence);
}
