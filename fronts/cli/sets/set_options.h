/*
 * set_options.h - the options of all commands that open set files:
 * --without-journal, and of those that write them: --wait.
 *
 * What they say holds for every file of the command, so it is kept here and
 * asked for where a file is opened (setfile.c) or locked (lock.c).
 */
#ifndef SET_OPTIONS_H
#define SET_OPTIONS_H

#include "text/arguments.h"
#include <stdbool.h>

#include "text/option_keys.h"

#define SET_OPTIONS_READ                                                       \
    {                                                                          \
        "without-journal", OPTION_WITHOUT_JOURNAL, NULL, 0,                    \
            "Open a set whose journal, FILE.log, is missing or damaged; some " \
            "of its last keys may then be missing"                             \
    }

#define SET_OPTIONS_WAIT                                                       \
    {                                                                          \
        "wait", OPTION_WAIT, "SECONDS", OPTION_VALUE_OPTIONAL,                 \
            "Wait up to SECONDS (or 15m, 2h) while others write the set "      \
            "(default 0: do not wait); without SECONDS: for ever"              \
    }

#define SET_OPTIONS_WRITE SET_OPTIONS_READ, SET_OPTIONS_WAIT

/* Reads them. Returns 0, or ARGUMENTS_UNKNOWN for all other keys. */
int set_options_parse(int key, const char *text, arguments *state);

bool set_options_without_journal(void);
double set_options_wait_seconds(void);

/* A wait for as long as --wait allows, which began now. */
typedef struct set_wait {
    double until, pause_seconds;
} set_wait;

set_wait set_wait_begin(void);

/* Sleeps a moment, each time longer, up to 50 ms. False: the time is over. */
bool set_wait_pause(set_wait *wait);

#endif
