/*
 * add.c - adds keys to a set file.
 */
#define _GNU_SOURCE /* argp */
#include <argp.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "batch.h"
#include "command.h"
#include "intake.h"
#include "keys.h"
#include "lock.h"
#include "options.h"
#include "progress.h"
#include "report.h"
#include "setfile.h"

typedef struct add_request {
    const char *path;
    const char *secret_path;
    char **words; /* NULL: standard input */
    char separator;
    bool wants_stats;
} add_request;

static const struct argp_option add_options[] = {
    {"null", '0', NULL, 0, "Keys of standard input end with NUL", 0},
    {"secret-file", OPTION_SECRET_FILE, "S", 0,
     "The secret of a keyed set is in S (default: FILE.secret)", 0},
    {"stats", OPTION_STATS, NULL, 0,
     "Print what the set then is on standard error", 0},
    {0}};

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    add_request *request = state->input;
    switch (key) {
    case '0':
        request->separator = '\0';
        return 0;
    case OPTION_STATS:
        request->wants_stats = true;
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

static const struct argp add_argp = {
    .options = add_options,
    .parser = parse_option,
    .args_doc = "FILE [KEY...]",
    .doc = "Add keys to a set file: the KEYs or, without any, the lines of "
           "standard input."};

/* Returns the status; *saves tells whether there is anything to save. */
static int add_keys(intake *into, keys *from, batch *some, bool *saves)
{
    char stdin_path[] = "-";
    char *stdin_paths[] = {stdin_path};
    progress bar;
    progress_start(&bar, progress_total(stdin_paths, 1), false);
    int status = 0;
    int got = 0;
    while (status == 0 && (got = keys_next(from, some)) == 1) {
        if (!into->wants_keys)
            batch_hash(some);
        status = intake_add(into, some);
        progress_advance(&bar, some->input_bytes);
    }
    progress_clear(&bar);
    *saves = got >= 0;
    return got < 0 ? COMMAND_ERROR : status;
}

static int add_and_save(const add_request *request, seenset *set, keys *from)
{
    batch *some = batch_new();
    if (some == NULL) {
        complain("%s: %s", request->path, strerror(errno));
        return COMMAND_ERROR;
    }
    intake into;
    intake_start(&into, set, request->path);
    bool saves = false;
    int status = add_keys(&into, from, some, &saves);
    batch_free(some);
    if (saves && setfile_save(set, request->path) != 0)
        return COMMAND_ERROR;
    seenset_stats stats = {0};
    if (request->wants_stats && seenset_get_stats(set, &stats) == 0)
        report_text(stderr, &stats);
    return status;
}

static int run_locked(const add_request *request)
{
    seenset *set = NULL;
    int status = setfile_open(&set, request->path, SEENSET_OPEN_COPY,
                              request->secret_path);
    if (status != 0)
        return status;
    keys from;
    status = keys_init(&from, request->words, request->separator);
    if (status == 0) {
        status = add_and_save(request, set, &from);
        keys_free(&from);
    }
    seenset_free(set);
    return status;
}

int command_add(int argc, char **argv)
{
    add_request request = {.separator = '\n'};
    argp_parse(&add_argp, argc, argv, 0, NULL, &request);
    lock held = LOCK_FREE;
    int status = lock_take(&held, request.path);
    if (status == 0)
        status = run_locked(&request);
    lock_release(&held);
    return status;
}
