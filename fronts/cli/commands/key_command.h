/*
 * key_command.h - commands of the form COMMAND FILE [KEY...].
 *
 * add, has, remove and count take the keys that follow FILE, or the lines of a
 * file (--from), or those of standard input, and do something with each in the
 * set of FILE. has and count query the set and print the answers; add and
 * remove change the set and save it.
 *
 * Such a command has a request, a struct of its own whose first member is a
 * key_command. It parses its options into the request and passes that
 * to key_command_query or key_command_change, which open everything and call
 * the command's main function. That calls key_command_each, which calls the
 * command's step with one batch of keys after the other.
 */
#ifndef KEY_COMMAND_H
#define KEY_COMMAND_H

#include "text/arguments.h"
#include <stdbool.h>

#include "commands/key_source.h"
#include "fields/options.h"
#include "foreign/ask.h"
#include "input/mode.h"
#include "report/left_out.h"
#include "seenset/seenset.h"
#include "sets/set_batch.h"
#include "sets/set_options.h"
#include "stream/output.h"
#include "stream/read_pause.h"

typedef struct key_command {
    /* from the command line */
    const char *path;
    const char *secret_path;
    char **words;          /* the KEYs, or NULL: keys are lines */
    bool are_words_quoted; /* -- came before them: they are not file names */
    char *lines_path;      /* NULL: standard input */
    input_mode mode;
    char separator;    /* set it to '\n' before the options are parsed */
    fields fields;     /* which part of a line is its key */
    batch_shard shard; /* only its keys; count 0: all */
    bool normalises;   /* keys are URLs, in normal form */
    bool is_strict;    /* and other lines are an error */
    bool is_appended;  /* a change is saved by setfile_append */
    read_pause *pause; /* when key_command_each stops reading; or NULL */
    /* open while the command's main function runs */
    seenset *set;        /* NULL in a query of: */
    foreign_ask foreign; /* a file of another system, if its of.file is open */
    key_source source;
    batch *keys;
    output out;     /* only in a query */
    bool is_paused; /* key_command_each can go on */
    set_batch_preparer *prepare;
    left_out left_out;
} key_command;

/* Of those that take files of other systems. */
#define KEY_COMMAND_FUNNEL                                                     \
    {                                                                          \
        "funnel", OPTION_FUNNEL, "F", 0,                                       \
            "How the keys of a file became bytes; of Guava: utf8 (default), "  \
            "utf16 (unencodedCharsFunnel), bytes, int or long; of Bitcoin: "   \
            "hex (default), txid (of a transaction, as it is shown; or "       \
            "TXID:N, an output) or bytes"                                      \
    }

/* The options of all such commands, in two groups. null: what -0 says. */
#define KEY_COMMAND_OPTIONS(null)                                              \
    OPTION_GROUP("Keys:"), {"null", '0', NULL, 0, null},                       \
        {"from", OPTION_FROM, "LINES", 0,                                      \
         "Read the keys from the lines of the file LINES; -: standard input"}, \
        INPUT_MODE_OPTIONS,                                                    \
        {"normalise", OPTION_NORMALISE, "HOW", 0, OPTION_NORMALISE_HELP},      \
        {"strict", OPTION_STRICT, NULL, 0, OPTION_STRICT_HELP},                \
        {"shard", OPTION_SHARD, "I/N", 0, OPTION_SHARD_HELP}, FIELDS_OPTIONS,  \
        OPTION_GROUP("The set:"),                                              \
        {"secret-file", OPTION_SECRET_FILE, "S", 0, OPTION_SECRET_FILE_HELP},  \
        SET_OPTIONS_READ

/* The parser of what they share: -0, -z, --from, --normalise, --strict,
 * --secret-file, those of fields.h, FILE and the KEYs. */
int key_command_parse(int key, char *text, arguments *state);

/* The main function of a command. Returns the exit status. */
typedef int key_command_main(void *request);

/*
 * Open the set and the keys, call `run`, and close everything. A query opens a
 * view of the set; a change locks the file and opens a copy. Return the exit
 * status.
 */
int key_command_query(void *request, key_command_main *run);
int key_command_change(void *request, key_command_main *run);

/* The same as a query, of a file of another system. */
int key_command_query_foreign(void *request, key_command_main *run);

/*
 * Before the first call of key_command_each: what the step needs. wants_keys:
 * keys, not hashes. wants_bytes: the bytes of long lines, too.
 */
void key_command_need(key_command *work, bool wants_keys, bool wants_bytes);

/* Works on one batch, which was prepared. Returns 0, or another number to get
 * no more batches. */
typedef int key_command_step(void *request, batch *keys);

/*
 * Calls the step for each batch, until the keys end or a step does not return
 * 0. *last is what the last step returned. prints_lines: the step writes to
 * `out`, which is flushed before waiting for input; the work ends if that
 * fails. If a pause is due, the call returns between two batches, and the next
 * call goes on. Returns false after a message if keys could not be read.
 */
bool key_command_each(void *request, key_command_step *step, bool prints_lines,
                      int *last);

/* Flushes `out`. is_done: nothing has failed so far; is_found: a key was found.
 * Returns the exit status. */
int key_command_finish(key_command *work, bool is_done, bool is_found);

#endif
