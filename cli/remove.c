/*
 * remove.c - takes keys out of a counting set file, one copy of each.
 */
#define _GNU_SOURCE /* argp */
#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "batch.h"
#include "command.h"
#include "keys.h"
#include "lock.h"
#include "numbers.h"
#include "options.h"
#include "progress.h"
#include "setfile.h"

typedef struct remove_request {
    const char *path;
    const char *secret_path;
    char **words; /* NULL: standard input */
    char separator;
} remove_request;

/* What became of the keys. */
typedef struct tally {
    uint64_t key_count;
    uint64_t absent_count;
} tally;

static const struct argp_option remove_options[] = {
    {"null", '0', NULL, 0, "Keys of standard input end with NUL", 0},
    {"secret-file", OPTION_SECRET_FILE, "S", 0,
     "The secret of a keyed set is in S (default: FILE.secret)", 0},
    {0}};

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    remove_request *request = state->input;
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

static const struct argp remove_argp = {
    .options = remove_options,
    .parser = parse_option,
    .args_doc = "FILE [KEY...]",
    .doc = "Take keys out of a counting set file, one copy of each: the KEYs "
           "or, without any, the lines of standard input.\vOnly remove keys "
           "that were added: one that is merely taken for seen takes others "
           "with it. The exit status is 0 if all were there, 1 if one was "
           "not, and 2 after an error."};

static int remove_batch(seenset *set, const batch *some, tally *sums)
{
    for (size_t i = 0; i < some->count; i++) {
        size_t start = batch_start(some, i);
        int removed =
            seenset_remove(set, some->data + start, some->ends[i] - start);
        if (removed < 0)
            return removed;
        sums->key_count++;
        sums->absent_count += removed == 0;
    }
    return 0;
}

static int remove_all(const remove_request *request, seenset *set, keys *from,
                      batch *some)
{
    char stdin_path[] = "-";
    char *stdin_paths[] = {stdin_path};
    tally sums = {0};
    progress bar;
    progress_start(&bar, progress_total(stdin_paths, 1), false);
    int error = 0;
    int got = 0;
    while (error == 0 && (got = keys_next(from, some)) == 1) {
        error = remove_batch(set, some, &sums);
        progress_advance(&bar, some->input_bytes);
    }
    progress_clear(&bar);
    if (error != 0)
        setfile_complain_of_counting(request->path, error);
    if (error != 0 || got < 0 || setfile_save(set, request->path) != 0)
        return COMMAND_ERROR;
    if (sums.absent_count == 0)
        return COMMAND_DONE;
    complain("%s: %s of %s keys were not in it", request->path,
             numbers_grouped(sums.absent_count).text,
             numbers_grouped(sums.key_count).text);
    return COMMAND_NOTHING;
}

static int run_with_keys(const remove_request *request, seenset *set)
{
    keys from;
    if (keys_init(&from, request->words, request->separator) != 0)
        return COMMAND_ERROR;
    int status = COMMAND_ERROR;
    batch *some = batch_new();
    if (some == NULL)
        complain("%s: %s", request->path, strerror(errno));
    else
        status = remove_all(request, set, &from, some);
    batch_free(some);
    keys_free(&from);
    return status;
}

static int run_locked(const remove_request *request)
{
    seenset *set = NULL;
    int status = setfile_open(&set, request->path, SEENSET_OPEN_COPY,
                              request->secret_path);
    if (status == 0)
        status = run_with_keys(request, set);
    seenset_free(set);
    return status;
}

int command_remove(int argc, char **argv)
{
    remove_request request = {.separator = '\n'};
    argp_parse(&remove_argp, argc, argv, 0, NULL, &request);
    lock held = LOCK_FREE;
    int status = lock_take(&held, request.path);
    if (status == 0)
        status = run_locked(&request);
    lock_release(&held);
    return status;
}
