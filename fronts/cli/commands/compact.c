/*
 * compact.c - folds the journals of set files into them.
 */
#include "text/arguments.h"

#include "command.h"
#include "sets/lock.h"
#include "sets/set_options.h"
#include "sets/setfile.h"
#include "text/arguments.h"
#include "text/options.h"

typedef struct compact_request {
    char **paths; /* NULL ends them */
    const char *secret_path;
} compact_request;

static const option_row compact_options[] = {
    {"secret-file", OPTION_SECRET_FILE, "S", 0, OPTION_SECRET_FILE_HELP},
    SET_OPTIONS_WRITE,
    {0}};

static int parse_option(int key, char *text, arguments *state)
{
    compact_request *request = state->input;
    switch (key) {
    case OPTION_SECRET_FILE:
        request->secret_path = text;
        return 0;
    case ARGUMENTS_WORD:
        options_check_path(state, "FILE", text);
        request->paths = options_rest(state);
        return 0;
    case ARGUMENTS_NONE:
        return options_missing(state, "FILE");
    default:
        return set_options_parse(key, text, state);
    }
}

static const command_syntax compact_syntax = {
    .options = compact_options,
    .parser = parse_option,
    .operands = "FILE...",
    .text =
        "Fold the journal of each set file, FILE.log, into the file: before "
        "a backup, and before it is copied, sent or moved. A file without a "
        "journal is left as it is."};

static int compact(const char *path, const char *secret_path)
{
    lock held = LOCK_FREE;
    int status = lock_take(&held, path);
    if (status == 0)
        status = setfile_compact(path, secret_path);
    lock_release(&held);
    return status;
}

int command_compact(int argc, char **argv)
{
    compact_request request = {0};
    arguments_parse(&compact_syntax, argc, argv, &request);
    int status = COMMAND_DONE;
    for (char **path = request.paths; path != NULL && *path != NULL; path++)
        if (compact(*path, request.secret_path) != 0)
            status = COMMAND_ERROR;
    return status;
}
