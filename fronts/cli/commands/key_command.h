/*
 * key_command.h - what the commands over keys share: COMMAND FILE [KEY...].
 *
 * add, has, remove and count take the keys that follow FILE, or the lines of a
 * file (--from), or those of standard input, batch by batch, and do something
 * to each with the set in FILE. Two kinds of them: has and count ask, and print
 * what they were answered; add and remove change the set, and save it.
 *
 * A command has a request, whose first member is an key_command; what else is
 * in it is the command's own. It parses its options with argp into the request,
 * hands it to key_command_query or key_command_change, is called back when all
 * is open, and then has key_command_each bring it the batches.
 */
#ifndef KEY_COMMAND_H
#define KEY_COMMAND_H

#include <argp.h> /* needs _GNU_SOURCE */
#include <stdbool.h>

#include "commands/key_source.h"
#include "seenset/seenset.h"
#include "stream/output.h"
#include "stream/read_pause.h"

typedef struct key_command {
    /* from the command line */
    const char *path;
    const char *secret_path;
    char **words;          /* NULL: lines */
    bool are_words_quoted; /* -- came before them: they are keys, no files */
    char *lines_path;      /* NULL: standard input */
    char separator;        /* to be '\n' before the options are parsed */
    read_pause *pause;     /* when key_command_each stops reading; or NULL */
    /* open while the command is called back */
    seenset *set;
    key_source from;
    batch *some;
    output out;     /* only of those that ask */
    bool is_paused; /* key_command_each can go on */
} key_command;

/* The options that all of them have. */
#define KEY_COMMAND_OPTIONS                                                    \
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
error_t key_command_parse(int key, char *text, struct argp_state *state);

/* A command that is called back; returns the exit status. */
typedef int key_command_main(void *request);

/*
 * Opens the set as it is, or a copy of it under its lock, and the keys; calls
 * the command; closes all. Returns the exit status.
 */
int key_command_query(void *request, key_command_main *command);
int key_command_change(void *request, key_command_main *command);

/* Does one batch. Returns 0, or anything else: no more are wanted. */
typedef int key_command_step(void *request, batch *some);

/*
 * Brings all batches, or those up to the one after which no more are wanted;
 * *last is what the last step returned. prints_lines: the step puts something
 * into `out`, which is flushed before input has to be waited for, and ends the
 * work when it fails. If a pause is due it returns between two batches, and
 * goes on when it is called again. Returns false after a message: keys could
 * not be read.
 */
bool key_command_each(void *request, key_command_step *step, bool prints_lines,
                      int *last);

/* Flushes `out`. is_done: nothing failed so far. Returns the exit status. */
int key_command_finish(key_command *work, bool is_done, bool is_found);

#endif
