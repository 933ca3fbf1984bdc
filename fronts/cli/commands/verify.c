/*
 * verify.c - checks whole set files: header, sizes, every checksum.
 */
#include "text/arguments.h"
#include <stdio.h>

#include "command.h"
#include "sets/set_options.h"
#include "sets/setfile.h"
#include "text/arguments.h"
#include "text/options.h"
#include "text/units.h"

static int parse_option(int key, char *text, arguments *state)
{
    char ***paths = state->input;
    switch (key) {
    case ARGUMENTS_WORD:
        *paths = options_rest(state);
        return 0;
    case ARGUMENTS_NONE:
        return options_missing(state, "FILE");
    default:
        return set_options_parse(key, text, state);
    }
}

static const option_row verify_options[] = {SET_OPTIONS_READ, {0}};

static const command_syntax verify_syntax = {
    .options = verify_options,
    .parser = parse_option,
    .operands = "FILE...",
    .text = "Check set files: the header, all sizes, every checksum, and their "
            "journals. The exit "
            "status is 0 if all are sound, else 2."};

static void print_sound(const char *path, uint64_t file_bytes)
{
    uint64_t items = setfile_journal_items(path);
    printf("%s: sound, %s bytes", path, units_grouped(file_bytes).text);
    if (items > 0)
        printf(", and %s keys in its journal", units_grouped(items).text);
    printf("\n");
}

int command_verify(int argc, char **argv)
{
    char **paths = NULL;
    arguments_parse(&verify_syntax, argc, argv, &paths);
    int status = COMMAND_DONE;
    for (; paths != NULL && *paths != NULL; paths++) {
        uint64_t file_bytes = 0;
        if (setfile_verify(*paths, &file_bytes) == 0)
            print_sound(*paths, file_bytes);
        else
            status = COMMAND_ERROR;
    }
    return status;
}
