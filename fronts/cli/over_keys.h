/*
 * over_keys.h - what the commands over keys share: COMMAND FILE [KEY...].
 *
 * add, has, remove and count take the keys that follow FILE, or the lines of a
 * file (--from), or those of standard input, batch by batch, and do something
 * to each with the set in FILE. Two kinds of them: has and count ask, and print
 * what they were answered; add and remove change the set, and save it.
 *
 * A command has a request, whose first member is an over_keys; what else is in
 * it is the command's own. It parses its options with argp into the request,
 * hands it to over_keys_ask or over_keys_change, is called back when all is
 * open, and then has over_keys_each bring it the batches.
 */
#ifndef OVER_KEYS_H
#define OVER_KEYS_H

#include <argp.h> /* needs _GNU_SOURCE */
#include <stdbool.h>

#include "keys.h"
#include "output.h"
#include "pause.h"
#include "seenset/seenset.h"

typedef struct over_keys {
    /* from the command line */
    const char *path;
    const char *secret_path;
    char **words;          /* NULL: lines */
    bool are_words_quoted; /* -- came before them: they are keys, no files */
    char *lines_path;      /* NULL: standard input */
    char separator;        /* to be '\n' before the options are parsed */
    pauses *pause;         /* when over_keys_each stops reading; or NULL */
    /* open while the command is called back */
    seenset *set;
    keys from;
    batch *some;
    output out;     /* only of those that ask */
    bool is_paused; /* over_keys_each can go on */
} over_keys;

/* The options that all of them have. */
#define OVER_KEYS_OPTIONS                                                      \
    {"from",                                                                   \
     OPTION_FROM,                                                              \
     "LINES",                                                                  \
     0,                                                                        \
     "The keys are the lines of the file LINES; -: of standard input",         \
     0},                                                                       \
    {                                                                          \
        "secret-file", OPTION_SECRET_FILE, "S", 0, OPTION_SECRET_FILE_HELP, 0  \
    }

/* What an argp parser does with all that is not the command's own: -0, --from,
 * --secret-file, FILE and the KEYs. */
error_t over_keys_parse(int key, char *text, struct argp_state *state);

/* A command that is called back; returns the exit status. */
typedef int over_keys_command(void *request);

/*
 * Opens the set as it is, or a copy of it under its lock, and the keys; calls
 * the command; closes all. Returns the exit status.
 */
int over_keys_ask(void *request, over_keys_command *command);
int over_keys_change(void *request, over_keys_command *command);

/* Does one batch. Returns 0, or anything else: no more are wanted. */
typedef int over_keys_step(void *request, batch *some);

/*
 * Brings all batches, or those up to the one after which no more are wanted;
 * *last is what the last step returned. prints_lines: the step puts something
 * into `out`, which is flushed before input has to be waited for, and ends the
 * work when it fails. If the pauses say so it returns between two batches, and
 * goes on when it is called again. Returns false after a message: keys could
 * not be read.
 */
bool over_keys_each(void *request, over_keys_step *step, bool prints_lines,
                    int *last);

/* Flushes `out`. is_done: nothing failed so far. Returns the exit status. */
int over_keys_finish(over_keys *work, bool is_done, bool is_found);

#endif
