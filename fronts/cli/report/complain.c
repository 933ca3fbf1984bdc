/*
 * complain.c - see complain.h.
 */
#define _GNU_SOURCE /* flockfile */
#include "report/complain.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "stream/output.h"

/* Guarded by the lock of stderr. A message may come from any function, and has
 * no argument to learn from that a line is drawn. */
static bool is_bar_drawn;

static void erase_bar(void)
{
    if (is_bar_drawn)
        fputs("\r\033[K", stderr);
    is_bar_drawn = false;
}

void complain_bar(const char *text, size_t columns)
{
    flockfile(stderr);
    if (text == NULL) {
        erase_bar();
    } else {
        fprintf(stderr, "\r%.*s\033[K", (int)columns, text);
        is_bar_drawn = true;
    }
    fflush(stderr);
    funlockfile(stderr);
}

void complain(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    flockfile(stderr);
    erase_bar();
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
