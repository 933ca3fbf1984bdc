/*
 * info.c - shows what a set file is and how full it is.
 */
#define _GNU_SOURCE /* argp */
#include <argp.h>
#include <stdbool.h>
#include <stdio.h>

#include "command.h"
#include "options.h"
#include "report.h"
#include "setfile.h"

typedef struct info_request {
    const char *path;
    bool wants_json;
} info_request;

static const struct argp_option info_options[] = {
    {"json", OPTION_JSON, NULL, 0, "Print one JSON object", 0}, {0}};

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    info_request *request = state->input;
    switch (key) {
    case OPTION_JSON:
        request->wants_json = true;
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

static const struct argp info_argp = {
    .options = info_options,
    .parser = parse_option,
    .args_doc = "FILE",
    .doc = "Show what a set file is, how full it is, and its true rate of "
           "false positives now."};

int command_info(int argc, char **argv)
{
    info_request request = {0};
    argp_parse(&info_argp, argc, argv, 0, NULL, &request);
    seenset *set = NULL;
    if (setfile_open(&set, request.path, SEENSET_OPEN_VIEW) != 0)
        return COMMAND_ERROR;
    seenset_stats stats = {0};
    int error = seenset_get_stats(set, &stats);
    seenset_free(set);
    if (error != 0) {
        setfile_complain(request.path, error);
        return COMMAND_ERROR;
    }
    if (request.wants_json) {
        report_json(stdout, request.path, &stats);
    } else {
        report_row(stdout, "file", "%s", request.path);
        report_text(stdout, &stats);
    }
    return COMMAND_DONE;
}
