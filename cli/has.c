/*
 * has.c - prints the keys that a set file has seen, or those it has not.
 */
#define _GNU_SOURCE /* argp */
#include <argp.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "ask.h"
#include "batch.h"
#include "command.h"
#include "keys.h"
#include "options.h"
#include "output.h"
#include "progress.h"
#include "setfile.h"

typedef struct has_request {
    const char *path;
    const char *secret_path;
    char **words; /* NULL: standard input */
    char separator;
    bool is_quiet;
    bool wants_keys; /* the set takes no hashes */
    uint8_t wanted;  /* the answer whose keys are printed */
} has_request;

static const struct argp_option has_options[] = {
    {"unseen", 'v', NULL, 0, "Print the keys that were not seen", 0},
    {"quiet", 'q', NULL, 0,
     "Print nothing, stop at the first; exit status "
     "only",
     0},
    {"secret-file", OPTION_SECRET_FILE, "S", 0,
     "The secret of a keyed set is in S (default: FILE.secret)", 0},
    {"null", '0', NULL, 0, "Keys end with NUL, in and out", 0},
    {0}};

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    has_request *request = state->input;
    switch (key) {
    case 'v':
        request->wanted = 0;
        return 0;
    case 'q':
        request->is_quiet = true;
        return 0;
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

static const struct argp has_argp = {
    .options = has_options,
    .parser = parse_option,
    .args_doc = "FILE [KEY...]",
    .doc = "Print the keys that a set file has seen: of the KEYs or, without "
           "any, of the lines of standard input.\vThe exit status is 0 if a "
           "key was printed (or would have been, with -q), 1 if none was, and "
           "2 after an error."};

/* The hash and filter stages, and the write stage unless quiet. Returns the
 * matches. */
static uint64_t answer(const has_request *request, const seenset *set,
                       batch *some, output *out)
{
    if (!request->wants_keys)
        batch_hash(some);
    (void)ask_has(set, request->wants_keys, some);
    if (!request->is_quiet)
        return output_put_answered(out, some, request->wanted);
    return memchr(some->answers, request->wanted, some->count) != NULL;
}

static int ask_all(const has_request *request, const seenset *set, keys *from,
                   output *out, batch *some)
{
    char stdin_path[] = "-";
    char *stdin_paths[] = {stdin_path};
    uint64_t match_count = 0;
    int got = 1;
    progress bar;
    progress_start(&bar, progress_total(stdin_paths, 1), !request->is_quiet);
    while (out->error == 0 && !(request->is_quiet && match_count > 0)) {
        if (keys_would_wait(from) && output_flush(out) != 0)
            break;
        if ((got = keys_next(from, some)) != 1)
            break;
        match_count += answer(request, set, some, out);
        progress_advance(&bar, some->input_bytes);
    }
    progress_clear(&bar);
    if (output_flush(out) != 0)
        output_complain(out, "the output is not complete");
    if (got < 0 || out->error != 0)
        return COMMAND_ERROR;
    return match_count > 0 ? COMMAND_DONE : COMMAND_NOTHING;
}

static int run_with_keys(const has_request *request, const seenset *set,
                         keys *from)
{
    output out = {0};
    batch *some = batch_new();
    int status = COMMAND_ERROR;
    if (some == NULL || output_init(&out) != 0)
        complain("%s: %s", request->path, strerror(errno));
    else
        status = ask_all(request, set, from, &out, some);
    output_free(&out);
    batch_free(some);
    return status;
}

int command_has(int argc, char **argv)
{
    has_request request = {.separator = '\n', .wanted = 1};
    argp_parse(&has_argp, argc, argv, 0, NULL, &request);
    seenset *set = NULL;
    if (setfile_open(&set, request.path, SEENSET_OPEN_VIEW,
                     request.secret_path) != 0)
        return COMMAND_ERROR;
    request.wants_keys = ask_wants_keys(set);
    keys from;
    int status = keys_init(&from, request.words, request.separator);
    if (status == 0) {
        status = run_with_keys(&request, set, &from);
        keys_free(&from);
    }
    seenset_free(set);
    return status;
}
