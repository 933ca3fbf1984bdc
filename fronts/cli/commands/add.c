/*
 * add.c - adds keys to a set file: few keys to its journal, without reading
 * the file.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "commands/key_command.h"
#include "report/audit.h"
#include "report/complain.h"
#include "report/report.h"
#include "sets/add_stage.h"
#include "sets/sample.h"
#include "sets/setfile.h"
#include "stream/stop.h"
#include "text/arguments.h"
#include "text/options.h"

typedef struct add_request {
    key_command work;
    bool wants_stats;
    audit_request audit;
    read_pause pause;
    add_stage into;
} add_request;

static const option_row add_options[] = {
    {"save-every", OPTION_SAVE_EVERY, "E", 0,
     "Save not only at the end, but also whenever E keys, such as 1M, were "
     "read "
     "or the time E, such as 60s, has passed"},
    {"stats", OPTION_STATS, NULL, 0,
     "When done, describe the set on standard error"},
    KEY_COMMAND_FUNNEL,
    AUDIT_OPTION,
    KEY_COMMAND_OPTIONS("Lines end with NUL instead of newline"),
    TIME_FIELD_OPTIONS,
    SET_OPTIONS_WAIT,
    {0}};

static int parse_option(int key, char *text, arguments *state)
{
    add_request *request = state->input;
    switch (key) {
    case OPTION_STATS:
        request->wants_stats = true;
        return 0;
    case OPTION_AUDIT:
        audit_parse(&request->audit, state, text);
        return 0;
    case OPTION_SAVE_EVERY:
        options_save_every(state, text, &request->pause.every_lines,
                           &request->pause.every_seconds);
        return 0;
    default:
        return key_command_parse(key, text, state);
    }
}

static const command_syntax add_syntax = {
    .options = add_options,
    .parser = parse_option,
    .operands = "FILE [KEY...]",
    .text = "Add keys to a set file: the KEYs or, without any, the lines of "
            "standard input or of the file LINES. A file of DCSO, Guava, "
            "RedisBloom or Bitcoin is written again as its own system would "
            "have.\vWrite -- before the KEYs if one of them is also the name "
            "of a file or looks like an "
            "option."};

/* Tells an empty growing set how many distinct lines to expect. For a set that
 * already has keys this is not known. */
static void expect_lines(const key_command *work)
{
    char stdin_path[] = "-";
    char *paths[] = {work->lines_path != NULL ? work->lines_path : stdin_path};
    bool are_lines = work->source.arguments == NULL;
    seenset_info info = {0};
    (void)seenset_get_info(work->set, &info, sizeof info);
    if (!are_lines || work->normalises || fields_are_used(&work->fields) ||
        info.added_items > 0 || info.on_full != SEENSET_ON_FULL_GROW)
        return;
    uint64_t expected =
        sample_different_lines(paths, 1, work->separator, work->mode,
                               info.capacity_items, info.fp_rate);
    uint32_t shards = work->shard.count > 1 ? work->shard.count : 1;
    (void)seenset_expect(work->set, expected / shards);
}

static int add_batch(void *context, batch *keys)
{
    add_request *request = context;
    return add_stage_run(&request->into, keys);
}

static int save(const key_command *work)
{
    return work->foreign.of.file != NULL
               ? foreign_file_save(&work->foreign.of, work->set,
                                   work->foreign.of.path)
               : setfile_append(work->set, work->path);
}

/* Adds keys up to the end or a pause, and saves. The keys before a refused one
 * are saved. If the input could not be read to its end, or a time is wrong,
 * nothing is. */
static int add_some(add_request *request)
{
    const key_command *work = &request->work;
    int status = 0;
    bool is_read = key_command_each(request, add_batch, false, &status);
    if (!is_read || request->into.is_unsure ||
        request->into.replay.has_stopped || save(work) != 0)
        return COMMAND_ERROR;
    read_pause_restart(&request->pause);
    return status;
}

/* A file of another system that does not say for how many keys it was made. */
static bool says_no_capacity(const foreign_file *of)
{
    seenset_foreign_filter filter = {0};
    return of->file != NULL &&
           seenset_foreign_get_filter(of->file, of->chosen[0], &filter,
                                      sizeof filter) == 0 &&
           filter.capacity_items == 0;
}

static int add_and_save(void *context)
{
    add_request *request = context;
    key_command *work = &request->work;
    add_stage_start(&request->into, work->set, work->path);
    if (says_no_capacity(&work->foreign.of))
        request->into.capacity_items = 0;
    if (!funnel_keeps(work->foreign.funnel)) {
        request->into.add = foreign_ask_add;
        request->into.add_context = &work->foreign;
    }
    if (replay_start(&request->into.replay, &work->fields, work->set,
                     work->path) != 0)
        return COMMAND_ERROR;
    key_command_need(work, request->into.wants_keys, request->into.wants_keys);
    if (stop_arm() != 0) {
        complain("%s: %s", work->path, strerror(errno));
        return COMMAND_ERROR;
    }
    read_pause_restart(&request->pause);
    expect_lines(work);
    int status;
    do
        status = add_some(request);
    while (status == 0 && work->is_paused && stop_signal() == 0);
    replay_finish(&request->into.replay, work->path);
    seenset_stats stats = {0};
    if (request->wants_stats &&
        seenset_get_stats(work->set, &stats, sizeof stats) == 0)
        report_text(stderr, work->set, &stats);
    if (status == 0 && stop_signal() != 0)
        setfile_report_stop(work->path);
    if (status == 0)
        status = audit_report(&request->audit, work->set, work->path);
    return status;
}

int command_add(int argc, char **argv)
{
    add_request request = {.work.separator = '\n'};
    arguments_parse(&add_syntax, argc, argv, &request);
    request.work.pause = &request.pause;
    request.work.is_appended = true;
    int status = key_command_change(&request, add_and_save);
    return status == 0 && stop_signal() != 0 ? stop_die() : status;
}
