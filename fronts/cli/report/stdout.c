/*
 * stdout.c - see stdout.h.
 */
#include "report/stdout.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "report/complain.h"
#include "system/unread.h"

/* A failure was reported; a second message would only repeat it. A function
 * called at exit has no argument to carry this. */
static bool is_failure_said;

/* Why an earlier write failed is not known any more, unless the last one fails
 * as well: of a text longer than its buffer nothing may be left to write. */
static int end_output(int (*end)(FILE *stream))
{
    bool had_failed = ferror(stdout) != 0;
    errno = 0;
    if (end(stdout) == 0 && !had_failed)
        return COMMAND_DONE;
    if (!is_failure_said && !unread_is(STDOUT_FILENO))
        complain("standard output: %s; the output is not complete",
                 errno != 0 ? strerror(errno) : "a write failed");
    is_failure_said = true;
    return COMMAND_ERROR;
}

int stdout_flush(void)
{
    return end_output(fflush);
}

void stdout_expect_short(void)
{
    is_failure_said = true;
}

static void check_output(void)
{
    /* flushed first: after fclose a failure could not be explained */
    if (end_output(fflush) != COMMAND_DONE ||
        end_output(fclose) != COMMAND_DONE)
        _exit(COMMAND_ERROR);
}

int stdout_check_at_exit(void)
{
    return atexit(check_output);
}
