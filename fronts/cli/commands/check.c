/*
 * check.c - what a filter is, how full, and whether it has the right size: of
 * seenset's files, and of those of other systems.
 */
#include <stdio.h>
#include <sys/stat.h>

#include "check/check.h"
#include "check/members.h"
#include "command.h"
#include "foreign/foreign_file.h"
#include "report/complain.h"
#include "report/report.h"
#include "sets/set_options.h"
#include "sets/setfile.h"
#include "text/arguments.h"
#include "text/options.h"

typedef struct check_request {
    char **paths;
    const char *secret_path;
    bool wants_json;
} check_request;

static const option_row check_options[] = {
    {"json", OPTION_JSON, NULL, 0,
     "Print a JSON object; of several FILEs, one on each line"},
    {"secret-file", OPTION_SECRET_FILE, "S", 0, OPTION_SECRET_FILE_HELP},
    SET_OPTIONS_READ,
    {0}};

static int parse_option(int key, char *text, arguments *state)
{
    check_request *request = state->input;
    switch (key) {
    case OPTION_JSON:
        request->wants_json = true;
        return 0;
    case OPTION_SECRET_FILE:
        request->secret_path = text;
        return 0;
    case ARGUMENTS_WORD:
        request->paths = options_rest(state);
        for (char **path = request->paths; *path != NULL; path++)
            options_check_path(state, "FILE", *path);
        if (request->secret_path != NULL && request->paths[1] != NULL)
            arguments_refuse(state,
                             "--secret-file is for one FILE; of several, the "
                             "secret of each is in FILE.secret");
        return 0;
    case ARGUMENTS_NONE:
        return options_missing(state, "FILE");
    default:
        return set_options_parse(key, text, state);
    }
}

static const command_syntax check_syntax = {
    .options = check_options,
    .parser = parse_option,
    .operands = "FILE...",
    .text =
        "Check filters: what they are, how many keys they were made for and "
        "hold, their rate now, and whether that fits. FILEs are set files, or "
        "those of other systems: Parquet (every filter of it; FILE:COLUMN: "
        "those of a column), DCSO, Guava, LevelDB, RocksDB, RedisBloom and "
        "Bitcoin.\vThe exit status is 0 if all are sound, 1 if one is too "
        "full, and 2 if one is "
        "damaged or cannot be read."};

/* A file of ours, whose every byte is checked as well. */
static int check_set(const check_request *request, const char *path)
{
    seenset *set = NULL;
    seenset_stats stats = {0};
    uint64_t file_bytes = 0;
    if (setfile_open(&set, path, SEENSET_OPEN_UNCHECKED,
                     request->secret_path) != 0)
        return COMMAND_ERROR;
    int status = setfile_verify(path, &file_bytes);
    int error = status == 0 ? seenset_get_stats(set, &stats, sizeof stats) : 0;
    seenset_free(set);
    if (error != 0)
        setfile_complain(path, error);
    if (error != 0 || status != 0)
        return COMMAND_ERROR;
    verdict_figures figures = verdict_of_set(&stats);
    verdict found = verdict_find(&figures);
    if (request->wants_json) {
        json out = json_start(stdout, request->paths[1] != NULL);
        json_text(&out, "path", path);
        json_text(&out, "format", "seenset");
        json_count(&out, "file_bytes", file_bytes);
        json_text(&out, "scheme", seenset_scheme_name(stats.scheme));
        json_count(&out, "added_items", stats.added_items);
        members_of_figures(&out, &figures, found);
        json_end(&out);
    } else {
        report_row(stdout, "file", "%s", path);
        report_row(stdout, "format", "seenset");
        check_print_figures(&figures, found);
    }
    return check_status(found);
}

static int check_file(const check_request *request, const char *path)
{
    if (!foreign_file_is(path))
        return check_set(request, path);
    if (request->secret_path != NULL) {
        complain("%s: a file of another system has no secret", path);
        return COMMAND_ERROR;
    }
    return check_foreign_at(path, request->wants_json,
                            request->paths[1] != NULL);
}

int command_check(int argc, char **argv)
{
    check_request request = {0};
    arguments_parse(&check_syntax, argc, argv, &request);
    int worst = COMMAND_DONE;
    for (char **path = request.paths; path != NULL && *path != NULL; path++) {
        if (path > request.paths && !request.wants_json)
            putchar('\n');
        int status = check_file(&request, *path);
        worst = status > worst ? status : worst;
    }
    return worst;
}
