/*
 * count.c - prints how often a counting set file has each key.
 */
#define _GNU_SOURCE /* argp */
#include <argp.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "batch.h"
#include "command.h"
#include "keys.h"
#include "options.h"
#include "output.h"
#include "progress.h"
#include "setfile.h"

typedef struct count_request {
    const char *path;
    const char *secret_path;
    char **words; /* NULL: standard input */
    char separator;
} count_request;

static const struct argp_option count_options[] = {
    {"null", '0', NULL, 0, "Keys end with NUL, in and out", 0},
    {"secret-file", OPTION_SECRET_FILE, "S", 0,
     "The secret of a keyed set is in S (default: FILE.secret)", 0},
    {0}};

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    count_request *request = state->input;
    switch (key) {
    case '0':
        request->separator = '\0';
        return 0;
    case OPTION_SECRET_FILE:
        request->secret_path = text;
        return 0;
    case ARGP_KEY_ARG:
        if (request->path != NULL)
            request->words = options_rest(state);
        else
            request->path = text;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "which FILE?");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp count_argp = {
    .options = count_options,
    .parser = parse_option,
    .args_doc = "FILE [KEY...]",
    .doc = "Print how many copies of each key a counting set file holds, a TAB "
           "and the key: of the KEYs or, without any, of the lines of standard "
           "input.\vA count is never below the truth until it reaches the most "
           "that a counter holds (15, 255 or 65535). The exit status is 0 if "
           "a key was there, 1 if none was, and 2 after an error."};

/* Returns 0 or the library's error. */
static int print_counts(const seenset *set, const batch *some, output *out,
                        bool *is_found)
{
    for (size_t i = 0; i < some->count; i++) {
        size_t start = batch_start(some, i);
        uint64_t count = 0;
        int error = seenset_count(set, some->data + start,
                                  some->ends[i] - start, &count);
        if (error != 0)
            return error;
        char text[24];
        int length =
            snprintf(text, sizeof text, "%llu\t", (unsigned long long)count);
        output_put(out, text, (size_t)length);
        /* With the separator, which follows every key in a batch. */
        output_put(out, some->data + start, some->ends[i] - start + 1);
        *is_found = *is_found || count > 0;
    }
    return 0;
}

static int count_all(const count_request *request, const seenset *set,
                     keys *from, output *out, batch *some)
{
    char stdin_path[] = "-";
    char *stdin_paths[] = {stdin_path};
    bool is_found = false;
    int error = 0;
    int got = 1;
    progress bar;
    progress_start(&bar, progress_total(stdin_paths, 1), true);
    while (out->error == 0 && error == 0) {
        if (keys_would_wait(from) && output_flush(out) != 0)
            break;
        if ((got = keys_next(from, some)) != 1)
            break;
        error = print_counts(set, some, out, &is_found);
        progress_advance(&bar, some->input_bytes);
    }
    progress_clear(&bar);
    if (error != 0)
        setfile_complain_of_counting(request->path, error);
    if (output_flush(out) != 0)
        output_complain(out, "the output is not complete");
    if (error != 0 || got < 0 || out->error != 0)
        return COMMAND_ERROR;
    return is_found ? COMMAND_DONE : COMMAND_NOTHING;
}

static int run_with_keys(const count_request *request, const seenset *set,
                         keys *from)
{
    output out = {0};
    batch *some = batch_new();
    int status = COMMAND_ERROR;
    if (some == NULL || output_init(&out) != 0)
        complain("%s: %s", request->path, strerror(errno));
    else
        status = count_all(request, set, from, &out, some);
    output_free(&out);
    batch_free(some);
    return status;
}

int command_count(int argc, char **argv)
{
    count_request request = {.separator = '\n'};
    argp_parse(&count_argp, argc, argv, 0, NULL, &request);
    seenset *set = NULL;
    if (setfile_open(&set, request.path, SEENSET_OPEN_VIEW,
                     request.secret_path) != 0)
        return COMMAND_ERROR;
    keys from;
    int status = keys_init(&from, request.words, request.separator);
    if (status == 0) {
        status = run_with_keys(&request, set, &from);
        keys_free(&from);
    }
    seenset_free(set);
    return status;
}
