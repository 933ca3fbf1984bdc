/*
 * new_file.h - a new set file, for the commands that make one: new and seal.
 *
 * The order of the steps matters. The file is locked and must be free, its
 * secret is made before the set and saved first, and the set is saved last. A
 * set without its secret would be useless; a secret without its set is used by
 * the next try.
 */
#ifndef NEW_FILE_H
#define NEW_FILE_H

#include "text/arguments.h"
#include <stdbool.h>

#include "seenset/seenset.h"
#include "sets/new_secret.h"

typedef struct new_file {
    const char *path;
    bool is_forced; /* --force: replaces a file that exists */
    new_secret secret;
} new_file;

/* Reads --keyed and --secret-file. Returns 0, or ARGUMENTS_UNKNOWN for all
 * other keys. */
int new_file_parse_secret(int key, char *text, new_secret *secret);

/* The same, and --force. */
int new_file_parse(int key, char *text, new_file *file);

/* Makes the set, from the request. Returns 0, or COMMAND_ERROR after a
 * message. */
typedef int new_file_maker(void *request, seenset **out);

/*
 * Makes the set file: `make` is called once the secret is known, which is
 * entered in *options. Returns the exit status of the command.
 */
int new_file_run(new_file *file, seenset_options *options, new_file_maker *make,
                 void *request);

#endif
