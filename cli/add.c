/*
 * add.c - adds keys to a set file.
 */
#define _GNU_SOURCE /* argp */
#include <stdio.h>

#include "command.h"
#include "intake.h"
#include "options.h"
#include "over_keys.h"
#include "report.h"
#include "setfile.h"

typedef struct add_request {
    over_keys keys;
    bool wants_stats;
    intake into;
} add_request;

static const struct argp_option add_options[] = {
    {"null", '0', NULL, 0, "Keys of standard input end with NUL", 0},
    {"secret-file", OPTION_SECRET_FILE, "S", 0, OPTION_SECRET_FILE_HELP, 0},
    {"stats", OPTION_STATS, NULL, 0,
     "Print what the set then is on standard error", 0},
    {0}};

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    add_request *request = state->input;
    if (key != OPTION_STATS)
        return over_keys_parse(key, text, state);
    request->wants_stats = true;
    return 0;
}

static const struct argp add_argp = {
    .options = add_options,
    .parser = parse_option,
    .args_doc = "FILE [KEY...]",
    .doc = "Add keys to a set file: the KEYs or, without any, the lines of "
           "standard input."};

static int add_batch(void *context, batch *some)
{
    add_request *request = context;
    if (!request->into.wants_keys)
        batch_hash(some);
    return intake_add(&request->into, some);
}

/* What went in before a key was refused is saved; nothing is if the input
 * could not be read to its end. */
static int add_and_save(void *context)
{
    add_request *request = context;
    const over_keys *work = &request->keys;
    intake_start(&request->into, work->set, work->path);
    int status = 0;
    bool is_read = over_keys_each(request, add_batch, false, &status);
    if (is_read && setfile_save(work->set, work->path) != 0)
        return COMMAND_ERROR;
    seenset_stats stats = {0};
    if (request->wants_stats && seenset_get_stats(work->set, &stats) == 0)
        report_text(stderr, &stats);
    return is_read ? status : COMMAND_ERROR;
}

int command_add(int argc, char **argv)
{
    add_request request = {.keys.separator = '\n'};
    argp_parse(&add_argp, argc, argv, 0, NULL, &request);
    return over_keys_change(&request, add_and_save);
}
