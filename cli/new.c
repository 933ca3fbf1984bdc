/*
 * new.c - makes an empty set file.
 */
#define _GNU_SOURCE /* argp */
#include <argp.h>
#include <stdbool.h>
#include <unistd.h>

#include "command.h"
#include "lock.h"
#include "options.h"
#include "setfile.h"

typedef struct new_request {
    const char *path;
    bool is_forced;
    seenset_options options;
} new_request;

static const struct argp_option new_options[] = {
    {NULL, 'n', "N", 0, "Plan for N different keys (default 1M)", 0},
    {NULL, 'p', "P", 0,
     "Take a new key for seen with a chance of at most P (default 1%)", 0},
    {"layout", OPTION_LAYOUT, "L", 0,
     "blocked: fast (default); bloom: the fewest bits", 0},
    {"on-full", OPTION_ON_FULL, "W", 0,
     "Past N keys, degrade: keep adding at a rising rate (default); refuse: "
     "add no more",
     0},
    {"force", OPTION_FORCE, NULL, 0, "Replace FILE if it exists", 0},
    {0}};

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    new_request *request = state->input;
    switch (key) {
    case 'n':
        request->options.capacity_items = options_count(state, "-n", text);
        return 0;
    case 'p':
        request->options.fp_rate = options_rate(state, "-p", text);
        return 0;
    case OPTION_LAYOUT:
        request->options.layout = options_layout(state, text);
        return 0;
    case OPTION_ON_FULL:
        request->options.on_full = options_on_full(state, text);
        return 0;
    case OPTION_FORCE:
        request->is_forced = true;
        return 0;
    case ARGP_KEY_ARG:
        if (request->path != NULL)
            argp_error(state, "one FILE at a time, not also '%s'", text);
        request->path = text;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "which FILE?");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp new_argp = {
    .options = new_options,
    .parser = parse_option,
    .args_doc = "FILE",
    .doc = "Make an empty set file.\vN may be 5k, 10M, 1.5G; P 0.01, 1e-6, "
           "1/1000, 1%."};

static int make_file(const new_request *request)
{
    if (!request->is_forced && access(request->path, F_OK) == 0) {
        complain("%s: exists already; --force replaces it", request->path);
        return COMMAND_ERROR;
    }
    seenset *set = NULL;
    int status = setfile_new(&set, &request->options, request->path);
    if (status == 0)
        status = setfile_save(set, request->path);
    seenset_free(set);
    return status;
}

int command_new(int argc, char **argv)
{
    new_request request = {0};
    argp_parse(&new_argp, argc, argv, 0, NULL, &request);
    if (request.options.capacity_items == 0)
        request.options.capacity_items = 1000000;
    lock held = LOCK_FREE;
    int status = lock_take(&held, request.path);
    if (status == 0)
        status = make_file(&request);
    lock_release(&held);
    return status;
}
