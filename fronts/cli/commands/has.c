/*
 * has.c - prints the keys that a set file has seen, or those it has not.
 */
#include <string.h>

#include "command.h"
#include "commands/key_command.h"
#include "foreign/ask.h"
#include "report/audit.h"
#include "report/complain.h"
#include "report/report.h"
#include "sets/replay.h"
#include "sets/set_batch.h"
#include "sets/set_stream.h"
#include "sets/setfile.h"
#include "text/arguments.h"
#include "text/options.h"
#include "text/units.h"

typedef struct has_request {
    key_command work;
    bool is_quiet;
    bool is_annotated; /* every line, after its answer */
    bool is_unseen;    /* -v */
    audit_request audit;
    replay replay;     /* by the times of lines, if they have some */
    bool wants_keys;   /* the set takes no hashes */
    bool wants_groups; /* --row-groups */
    bool wants_stats;
    bool is_found;
    uint8_t wanted;                 /* the answer whose keys are printed */
    uint64_t seen_count, new_count; /* keys that were answered so */
} has_request;

static const option_row has_options[] = {
    {"unseen", 'v', NULL, 0, "Print the keys that were not seen"},
    {"quiet", 'q', NULL, 0,
     "Print nothing and stop at the first such key: for the exit status"},
    {"annotate", OPTION_ANNOTATE, NULL, 0,
     "Print every line, after \"hit\" (seen) or \"miss\" and a TAB"},
    {"row-groups", OPTION_ROW_GROUPS, NULL, 0,
     "Of a Parquet file or a table of LevelDB: print before each key the row "
     "groups, or the parts, that may have it and a TAB"},
    KEY_COMMAND_FUNNEL,
    {"block", OPTION_BLOCK, "HASH", 0,
     "Of the filter of a block of Bitcoin (BIP-158): the hash of that block, "
     "as "
     "it is shown; keys are scripts"},
    {"stats", OPTION_STATS, NULL, 0,
     "When done, print on standard error how many keys were seen, and how many "
     "of these probably were not"},
    AUDIT_OPTION,
    KEY_COMMAND_OPTIONS("Lines end with NUL, in and out"),
    TIME_FIELD_OPTIONS,
    {0}};

static int parse_option(int key, char *text, arguments *state)
{
    has_request *request = state->input;
    switch (key) {
    case 'v':
        request->wanted = 0;
        request->is_unseen = true;
        return 0;
    case OPTION_ANNOTATE:
        request->is_annotated = true;
        return 0;
    case 'q':
        request->is_quiet = true;
        return 0;
    case OPTION_ROW_GROUPS:
        request->wants_groups = true;
        return 0;
    case OPTION_BLOCK:
        if (!foreign_ask_block(&request->work.foreign, text))
            arguments_refuse(state,
                             "--block '%s': it must be the hash of a "
                             "block, 64 hexadecimal digits",
                             text);
        return 0;
    case OPTION_AUDIT:
        audit_parse(&request->audit, state, text);
        return 0;
    case OPTION_STATS:
        request->wants_stats = true;
        return 0;
    case ARGUMENTS_END:
        if (request->is_annotated && (request->is_quiet || request->is_unseen))
            arguments_refuse(state,
                             "--annotate prints all lines, so -v and -q do "
                             "not go with it");
        if (request->wants_groups &&
            (request->is_annotated || request->is_quiet || request->is_unseen))
            arguments_refuse(state, "--row-groups prints the keys that were "
                                    "seen, so --annotate, -v and -q do not go "
                                    "with it");
        if (request->wants_stats && request->is_quiet)
            arguments_refuse(state, "-q stops at the first key, so --stats "
                                    "does not go with it");
        return key_command_parse(key, text, state);
    default:
        return key_command_parse(key, text, state);
    }
}

static const command_syntax has_syntax = {
    .options = has_options,
    .parser = parse_option,
    .operands = "FILE [KEY...]",
    .text =
        "Print those keys that a set file has seen: of the KEYs or, without "
        "any, of the lines of standard input. A FILE that is - is a set "
        "from standard input. A file of another system (Parquet, DCSO, Guava, "
        "LevelDB, RocksDB, RedisBloom, Bitcoin) is one as well; FILE:COLUMN "
        "names a column of it.\vThe exit status is 0 if a "
        "key was printed (with -q: would be printed; with --annotate: was "
        "seen), 1 if none was, and 2 "
        "after an error."};

/* Prints the lines of a batch with their answers; lines without a key are left
 * out. Returns 0, or SEENSET_EIO: errno. */
static int annotate(has_request *request, batch *keys)
{
    output *out = &request->work.out;
    const char *text = batch_text(keys);
    if (text == NULL)
        return SEENSET_EIO;
    for (size_t i = 0; i < keys->count; i++) {
        size_t start = batch_start(keys, i);
        if (keys->answers[i] > 1)
            continue;
        bool is_hit = keys->answers[i] == 1;
        output_put(out, is_hit ? "hit\t" : "miss\t", is_hit ? 4 : 5);
        output_put(out, text + start, keys->ends[i] - start + 1);
        request->is_found = request->is_found || is_hit;
    }
    return 0;
}

static int print_groups(has_request *request, batch *keys)
{
    int64_t printed =
        foreign_ask_print(&request->work.foreign, keys, &request->work.out);
    request->is_found = request->is_found || printed > 0;
    return printed < 0 ? SEENSET_EIO : 0;
}

static void count_answers(has_request *request, const batch *keys)
{
    for (size_t i = 0; i < keys->count; i++) {
        request->seen_count += keys->answers[i] == 1;
        request->new_count += keys->answers[i] == 0;
    }
}

/* Of keys that were never added the share p is called seen: beside those that
 * were not, p / (1 - p) of their number. */
static void print_stats(const has_request *request)
{
    seenset_stats set = {0};
    (void)seenset_get_stats(request->work.set, &set, sizeof set);
    double rate = set.current_fp_rate, seen = (double)request->seen_count;
    double wrong = (double)request->new_count * rate / (1 - rate);
    bool is_bounded = !(wrong <= seen);
    report_row(stderr, "keys", "%s",
               units_grouped(request->seen_count + request->new_count).text);
    report_row(stderr, "seen", "%s", units_grouped(request->seen_count).text);
    report_row(stderr, "wrongly seen", "%s",
               report_wrong_items(is_bounded ? seen : wrong, false, "").text);
    report_row(stderr, "rate now", "%s (planned: %.4g)",
               units_as_rate(rate).text, set.fp_rate);
}

/* Returns 0, 1 after the first key that -q looks for, or the library's
 * error. */
static int answer_batch(has_request *request, batch *keys)
{
    foreign_ask *foreign = &request->work.foreign;
    bool is_foreign = foreign->of.file != NULL;
    int error = is_foreign ? foreign_ask_batch(foreign, keys)
                           : set_batch_has(request->work.set,
                                           request->wants_keys, keys);
    if (error != 0)
        return error;
    batch_keep_missing(keys, 0);
    if (request->wants_stats)
        count_answers(request, keys);
    if (request->is_quiet) {
        request->is_found =
            memchr(keys->answers, request->wanted, keys->count) != NULL;
        return request->is_found;
    }
    if (request->is_annotated)
        return annotate(request, keys);
    if (request->wants_groups)
        return print_groups(request, keys);
    if (output_put_answered(&request->work.out, keys, request->wanted) > 0)
        request->is_found = true;
    return 0;
}

/* The filter stage and, unless quiet, the write stage. Returns the same, and 1
 * if a time is wrong. */
static int answer(void *context, batch *keys)
{
    has_request *request = context;
    replay *times = &request->replay;
    bool is_stopped = replay_follow(times, keys, request->work.path);
    int error = answer_batch(request, keys);
    return error == 0 && is_stopped ? 1 : error;
}

/* The set is asked as of the records, however new its keys are. */
static int start_replay(has_request *request)
{
    key_command *work = &request->work;
    int status =
        replay_start(&request->replay, &work->fields, work->set, work->path);
    request->replay.now = 0;
    return status;
}

static int answer_all(void *context)
{
    has_request *request = context;
    bool is_foreign = request->work.foreign.of.file != NULL;
    if (start_replay(request) != 0)
        return COMMAND_ERROR;
    request->work.foreign.wants_groups = request->wants_groups;
    request->wants_keys = is_foreign || set_batch_wants_keys(request->work.set);
    key_command_need(&request->work, request->wants_keys,
                     request->wants_keys || !request->is_quiet);
    int last;
    bool is_read = key_command_each(request, answer, !request->is_quiet, &last);
    if (last < 0 && !is_foreign)
        setfile_complain_of_content(request->work.path, last);
    replay_finish(&request->replay, request->work.path);
    int status = key_command_finish(
        &request->work, is_read && last >= 0 && !request->replay.has_stopped,
        request->is_found);
    if (status != COMMAND_ERROR && request->wants_stats)
        print_stats(request);
    if (status != COMMAND_ERROR &&
        audit_report(&request->audit, request->work.set, request->work.path) !=
            0)
        status = COMMAND_ERROR;
    return status;
}

int command_has(int argc, char **argv)
{
    has_request request = {.work.separator = '\n', .wanted = 1};
    arguments_parse(&has_syntax, argc, argv, &request);
    bool is_foreign =
        !set_stream_is(request.work.path) && foreign_file_is(request.work.path);
    if (request.wants_groups && !is_foreign) {
        complain("%s: not a Parquet file, so it has no row groups",
                 request.work.path);
        return COMMAND_ERROR;
    }
    if (is_foreign && (request.audit.is_wanted || request.wants_stats)) {
        complain("%s: %s is for sets of seenset; 'seenset check' has the rate "
                 "of other files",
                 request.work.path,
                 request.audit.is_wanted ? "--audit" : "--stats");
        return COMMAND_ERROR;
    }
    if (is_foreign)
        return key_command_query_foreign(&request, answer_all);
    return key_command_query(&request, answer_all);
}
