/*
 * options.c - see options.h.
 */
#include "dedup/options.h"

#include "text/arguments.h"
#include <string.h>

#include "commands/new_file.h"
#include "fields/options.h"
#include "input/mode.h"
#include "sets/set_options.h"
#include "text/arguments.h"
#include "text/options.h"

#define MOST_TIMES 65535u /* that a counter of 16 bits counts to */

static const option_row dedup_options[] = {
    OPTION_GROUP("What is a repeat:"),
    FIELDS_OPTIONS,
    TIME_FIELD_OPTIONS,
    {"normalise", OPTION_NORMALISE, "HOW", 0, OPTION_NORMALISE_HELP},
    {"strict", OPTION_STRICT, NULL, 0, OPTION_STRICT_HELP},
    {"shard", OPTION_SHARD, "I/N", 0, OPTION_SHARD_HELP},
    {"times", OPTION_TIMES, "N", 0,
     "Let each line through N times; with --set, FILE is a counting set"},
    OPTION_GROUP("Input:"),
    {"null", '0', NULL, 0, "Lines end with NUL instead of newline"},
    INPUT_MODE_OPTIONS,
    OPTION_GROUP("Memory, mistakes and speed:"),
    {"capacity", 'n', "N", 0,
     "Plan for N different lines (default: 10M, or more if the files have "
     "more); with more, the set and its memory grow"},
    {"rate", 'p', "P", 0,
     "Drop a new line by mistake with a chance of at most P (default 1e-6)"},
    {"exact", OPTION_EXACT, NULL, 0,
     "Drop no new line: repeats are checked in the end, by 128-bit hashes and "
     "texts in temporary files, and what was new is printed last"},
    {"on-full", OPTION_ON_FULL, "W", 0,
     "With more than N, grow (default); degrade: the memory is fixed, and new "
     "lines are dropped more and more often; refuse: end with an error"},
    {"window", OPTION_WINDOW, "W", 0,
     "Forget old lines: remember the last W different ones, or each for the "
     "time W, such as 24h, after it was new"},
    {"sliding", OPTION_SLIDING, NULL, 0,
     "With --window: the time of a line starts again whenever the line is "
     "seen"},
    {"keyed", OPTION_KEYED, NULL, 0,
     "Hash under a secret, so that an attacker cannot craft lines that are "
     "dropped; with --set, the secret is kept in FILE.secret"},
    {"threads", OPTION_THREADS, "N", 0,
     "Use N threads (default: the number of processors, at most 4)"},
    OPTION_GROUP("From run to run:"),
    {"set", OPTION_SET, "FILE", 0,
     "Remember in FILE, from run to run, which lines were seen; FILE is made "
     "if it is missing; not saved if the reader of the output goes away, as "
     "in | head"},
    {"save-every", OPTION_SAVE_EVERY, "E", 0,
     "With --set: save it not only at the end, but also whenever E lines, such "
     "as 1M, were read or the time E, such as 60s, has passed"},
    {"secret-file", OPTION_SECRET_FILE, "S", 0,
     "With --set: the secret is in S; with --keyed, it is made there"},
    {"dry-run", OPTION_DRY_RUN, NULL, 0,
     "With --set: print what would be new, and change nothing"},
    SET_OPTIONS_WRITE,
    OPTION_GROUP("Output:"),
    {"repeated", 'v', NULL, 0, "Print only the repeats"},
    {"output", 'o', "OUT", 0,
     "Print to the file OUT, which is replaced when all is in it; it may be "
     "one "
     "of the FILEs"},
    {"repeats-to", OPTION_REPEATS_TO, "OUT", 0,
     "Print the repeats to a file of their own, in the same pass; none of the "
     "FILEs"},
    {"count", 'c', NULL, 0,
     "Print only the numbers of all lines, new lines and repeats"},
    {"exit-status", OPTION_EXIT_STATUS, NULL, 0,
     "Exit with status 1 if nothing was new"},
    {"progress", OPTION_PROGRESS, NULL, 0,
     "Show progress even if standard error is not a terminal: every 10 seconds "
     "and in the end (on a terminal that is the default, after a second)"},
    {"no-progress", OPTION_NO_PROGRESS, NULL, 0,
     "Never show progress, even on a terminal; SIGUSR1 still prints it once"},
    {"stats", OPTION_STATS, "FORMAT", OPTION_VALUE_OPTIONAL,
     "When done, print counts, size and the current rate on standard error; "
     "FORMAT is text (default) or json"},
    AUDIT_OPTION,
    {0}};

/* What the options of output contradict. */
static void check_outputs(arguments *state, const dedup *work)
{
    const dedup_outputs *to = &work->outputs;
    if (work->wants_counts &&
        (to->lines.path != NULL || to->repeats.path != NULL))
        arguments_refuse(state,
                         "-c prints only counts; -o and --repeats-to are for "
                         "lines");
    if (work->wants_repeats && to->repeats.path != NULL)
        arguments_refuse(state,
                         "-v prints the repeats, and --repeats-to prints them "
                         "elsewhere; leave one out");
    bool saves_between =
        work->pause.every_lines + work->pause.every_seconds != 0;
    if (saves_between && (to->lines.path != NULL || to->repeats.path != NULL))
        arguments_refuse(state,
                         "--save-every saves the set while lines are printed; "
                         "the files of -o and --repeats-to are there only in "
                         "the end");
    if (saves_between && work->is_dry_run)
        arguments_refuse(state,
                         "--dry-run saves nothing; leave out --save-every");
}

/* What cannot happen to a full set. */
static void check_on_full(arguments *state, const dedup *work)
{
    if (work->on_full != SEENSET_ON_FULL_DEFAULT &&
        work->window.on_full == SEENSET_ON_FULL_ROTATE)
        arguments_refuse(state,
                         "--window and --on-full both say what happens when "
                         "the set is full; leave one out");
    if (work->times > 1 && work->on_full == SEENSET_ON_FULL_GROW)
        arguments_refuse(state,
                         "--times counts in a set that cannot grow; leave out "
                         "--on-full, and give an -n that is large enough");
}

/* What has to know at once, or from an earlier run, that a line is a repeat. */
static void check_exact(arguments *state, const dedup *work)
{
    if (!work->exact.is_wanted)
        return;
    if (work->set_path != NULL)
        arguments_refuse(state,
                         "--exact checks the lines of one run, and a set has "
                         "no line of the runs before; 'seenset queue push "
                         "--exact' remembers lines from run to run");
    if (work->wants_repeats || work->outputs.repeats.path != NULL)
        arguments_refuse(state,
                         "--exact knows in the end which lines are repeats; "
                         "leave out -v and --repeats-to");
    if (work->times > 1)
        arguments_refuse(state,
                         "--exact is for lines that are printed once; leave "
                         "out --times");
    if (work->window.on_full == SEENSET_ON_FULL_ROTATE)
        arguments_refuse(state,
                         "--window forgets lines, and --exact remembers all; "
                         "leave one out");
}

static void check_options(arguments *state, const dedup *work)
{
    check_exact(state, work);
    if (work->fields.time_list != NULL && work->set_path == NULL &&
        work->window.window_seconds == 0)
        arguments_refuse(state,
                         "--time-field is for a --window by time, such as "
                         "--window 24h");
    if (work->is_dry_run && work->set_path == NULL)
        arguments_refuse(state, "--dry-run is for --set");
    if (work->times > 1 && work->window.on_full == SEENSET_ON_FULL_ROTATE)
        arguments_refuse(state,
                         "--times counts in a set that cannot forget; leave "
                         "out --window");
    check_on_full(state, work);
    check_outputs(state, work);
    if (work->secret.secret_path != NULL && work->set_path == NULL)
        arguments_refuse(state, "--secret-file is for --set");
    if ((set_options_without_journal() || set_options_wait_seconds() > 0) &&
        work->set_path == NULL)
        arguments_refuse(state, "--without-journal and --wait are for --set");
    if (work->pause.every_lines + work->pause.every_seconds != 0 &&
        work->set_path == NULL)
        arguments_refuse(state, "--save-every is for --set");
    if (work->capacity_items != 0 && work->window.capacity_items != 0)
        arguments_refuse(state, "-n and --window both say how many lines");
    if (work->window.flags != 0 &&
        work->window.on_full != SEENSET_ON_FULL_ROTATE)
        arguments_refuse(state, "--sliding is for --window");
    if (work->wants_counts && work->wants_repeats)
        arguments_refuse(state, "-c prints only counts, and -v only lines");
    options_check_strict(state, work->is_strict, work->normalises);
}

/* The options of the set. */
static int parse_set_option(int key, char *text, arguments *state, dedup *work)
{
    switch (key) {
    case 'n':
        work->capacity_items = options_count(state, "-n", text);
        return 0;
    case 'p':
        work->fp_rate = options_rate(state, "-p", text);
        return 0;
    case OPTION_ON_FULL:
        work->on_full = options_on_full(state, text);
        return 0;
    case OPTION_SET:
        work->set_path = text;
        return 0;
    case OPTION_SAVE_EVERY:
        options_save_every(state, text, &work->pause.every_lines,
                           &work->pause.every_seconds);
        return 0;
    case OPTION_WINDOW:
        work->is_window_bare = options_window(state, text, &work->window);
        return 0;
    case OPTION_SLIDING:
        work->window.flags = SEENSET_FLAG_SLIDING;
        return 0;
    case OPTION_DRY_RUN:
        work->is_dry_run = true;
        return 0;
    case OPTION_TIMES:
        work->times = options_small(state, "--times", text, MOST_TIMES);
        return 0;
    default:
        if (set_options_parse(key, text, state) == 0)
            return 0;
        return new_file_parse_secret(key, text, &work->secret);
    }
}

/* "-" is standard output, as without the option. */
static const char *output_path(arguments *state, const char *text)
{
    options_check_path(state, "OUT", text);
    return strcmp(text, "-") == 0 ? NULL : text;
}

static void parse_stats(arguments *state, const char *text, dedup *work)
{
    work->wants_stats = true;
    work->wants_json = text != NULL && strcmp(text, "json") == 0;
    if (text != NULL && !work->wants_json && strcmp(text, "text") != 0)
        arguments_refuse(state, "--stats is text or json, not '%s'", text);
}

/* The options of what is printed, and of compressed input. */
static int parse_output_option(int key, char *text, arguments *state,
                               dedup *work)
{
    switch (key) {
    case 'o':
        work->outputs.lines.path = output_path(state, text);
        return 0;
    case OPTION_REPEATS_TO:
        work->outputs.repeats.path = output_path(state, text);
        if (work->outputs.repeats.path == NULL)
            arguments_refuse(state, "--repeats-to needs a file; -v prints the "
                                    "repeats to standard output");
        return 0;
    case OPTION_EXIT_STATUS:
        work->wants_exit_status = true;
        return 0;
    case OPTION_PROGRESS:
        work->watching.mode = WATCH_ALWAYS;
        return 0;
    case OPTION_NO_PROGRESS:
        work->watching.mode = WATCH_ASKED;
        return 0;
    case OPTION_STATS:
        parse_stats(state, text, work);
        return 0;
    default:
        return input_mode_parse(key, state, &work->mode);
    }
}

/* The other options of input and output. */
static int parse_stream_option(int key, char *text, arguments *state,
                               dedup *work)
{
    switch (key) {
    case '0':
        work->separator = '\0';
        return 0;
    case OPTION_NORMALISE:
        work->normalises = options_normalise(state, text);
        return 0;
    case OPTION_SHARD:
        options_shard(state, text, &work->shard.index, &work->shard.count);
        return 0;
    case OPTION_EXACT:
        work->exact.is_wanted = true;
        return 0;
    case OPTION_STRICT:
        work->is_strict = true;
        return 0;
    case 'v':
        work->wants_repeats = true;
        return 0;
    case 'c':
        work->wants_counts = true;
        return 0;
    case OPTION_THREADS:
        work->thread_count = options_threads(state, "--threads", text);
        return 0;
    case OPTION_AUDIT:
        audit_parse(&work->audit, state, text);
        return 0;
    case ARGUMENTS_WORD:
        work->path_count = state->argc - state->next + 1;
        work->paths = options_rest(state);
        return 0;
    default:
        return parse_output_option(key, text, state, work);
    }
}

static int parse_option(int key, char *text, arguments *state)
{
    dedup *work = state->input;
    if (key == ARGUMENTS_END) {
        check_options(state, work);
        fields_check(state, &work->fields, work->separator, false);
        return 0;
    }
    if (parse_set_option(key, text, state, work) == 0 ||
        fields_parse(key, text, state, &work->fields) == 0)
        return 0;
    return parse_stream_option(key, text, state, work);
}

static const command_syntax dedup_syntax = {
    .options = dedup_options,
    .parser = parse_option,
    .operands = "[FILE...]",
    .text =
        "Print each line the first time it is seen, in order. Memory is "
        "fixed up to N different lines; where it must not grow, give an N "
        "that is large enough, --on-full, or a --window of lines.\vWithout "
        "FILE, or "
        "when FILE is -, standard input is read. N: 5k, 10M, 1.5G. P: 0.01, "
        "1e-6, 1/1000, 1%. W: 10k (lines), or 90s, 15m (minutes), 24h, 7d, "
        "2w. For 10M lines at 1e-6 the set takes 40 MB; grown to 100M "
        "lines, 460 MB."};

void dedup_read_options(dedup *work, int argc, char **argv)
{
    static char stdin_path[] = "-";
    static char *stdin_paths[] = {stdin_path, NULL};
    work->paths = stdin_paths;
    work->path_count = 1;
    arguments_parse(&dedup_syntax, argc, argv, work);
}
