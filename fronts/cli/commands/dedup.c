/*
 * dedup.c - prints each line the first time it is seen, in order.
 *
 * A false positive loses a line, so the default rate is one in a million. With
 * --set the lines that were seen are remembered from run to run, and the order
 * of the last steps matters. The set is saved only after every line was written
 * without an error and, where the output is a file, is on the disk: if the
 * machine stops in between, the next run prints the same lines again, and no
 * line is lost. (If the output is a pipe, its reader has to keep the lines.)
 *
 * A stream may never end. So the set is also saved when a signal stops the
 * command and, with --save-every, in pauses: the read stage ends as if the
 * input had ended, all lines go through the other stages, the set is saved, and
 * the stages start again where the reader stopped.
 */
#define _GNU_SOURCE /* argp */
#include <argp.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "commands/dedup_report.h"
#include "commands/new_file.h"
#include "commands/wanted_set.h"
#include "report/audit.h"
#include "report/complain.h"
#include "report/progress.h"
#include "sets/add_stage.h"
#include "sets/lock.h"
#include "sets/set_batch.h"
#include "sets/setfile.h"
#include "stream/lines.h"
#include "stream/output.h"
#include "stream/pipeline.h"
#include "stream/read_pause.h"
#include "stream/stop.h"
#include "text/arguments.h"
#include "text/options.h"
#include "text/units.h"

#define DEFAULT_CAPACITY_ITEMS UINT64_C(10000000)
#define DEFAULT_FP_RATE 1e-6
#define NO_CAPACITY 0 /* a set that grows: no warning that it is full */

typedef struct dedup {
    /* from the command line; 0 and NULL: not given */
    uint64_t capacity_items;
    double fp_rate;
    const char *set_path;
    seenset_options window; /* the options that --window implies */
    bool is_window_bare;    /* a number without a unit */
    new_secret secret;
    read_pause pause; /* with a set file */
    char separator;
    bool wants_repeats, wants_counts, wants_stats;
    audit_request audit;
    bool normalises, is_strict; /* lines are URLs; others are an error */
    unsigned thread_count;
    char **paths; /* NULL ends them */
    int path_count;
    /* what it works with */
    lock held;
    seenset *set;
    add_stage into;
    lines reader;
    output out;
    progress bar;
    /* how far it is */
    char **path;     /* the file that is read; *path NULL: all were read */
    bool is_open;    /* the reader has opened it */
    int input_error; /* errno if it could not be read */
    int status;      /* of the filter stage */
    bool is_paused;  /* there is more to read, after a save */
    bool is_saved;
    bool has_save_failed; /* in a pause */
} dedup;

static const struct argp_option dedup_options[] = {
    {"capacity", 'n', "N", 0,
     "Plan for N different lines (default 10M); with more, the set and its "
     "memory grow",
     0},
    {"rate", 'p', "P", 0,
     "Drop a new line by mistake with a chance of at most P (default 1e-6)", 0},
    {"set", OPTION_SET, "FILE", 0,
     "Remember in FILE, from run to run, which lines were seen; FILE is made "
     "if it is missing",
     0},
    {"save-every", OPTION_SAVE_EVERY, "E", 0,
     "With --set: save it not only at the end, but also whenever E lines, such "
     "as 1M, were read or the time E, such as 60s, has passed",
     0},
    {"window", OPTION_WINDOW, "W", 0,
     "Forget old lines: remember the last W different ones, or each for the "
     "time W, such as 24h, after it was new",
     0},
    {"sliding", OPTION_SLIDING, NULL, 0,
     "With --window: the time of a line starts again whenever the line is seen",
     0},
    {"keyed", OPTION_KEYED, NULL, 0,
     "Hash under a secret, so that nobody can craft lines that are dropped; "
     "with --set, the secret is kept in FILE.secret",
     0},
    {"secret-file", OPTION_SECRET_FILE, "S", 0,
     "With --set: the secret is in S; with --keyed, it is made there", 0},
    {"normalise", OPTION_NORMALISE, "HOW", 0, OPTION_NORMALISE_HELP, 0},
    {"strict", OPTION_STRICT, NULL, 0, OPTION_STRICT_HELP, 0},
    {"null", '0', NULL, 0, "Lines end with NUL instead of newline", 0},
    {"repeated", 'v', NULL, 0, "Print only the repeats", 0},
    {"count", 'c', NULL, 0,
     "Print only the numbers of all lines, new lines and repeats", 0},
    {"threads", OPTION_THREADS, "N", 0,
     "Use N threads (default: the number of processors, at most 4)", 0},
    {"stats", OPTION_STATS, NULL, 0,
     "When done, print counts, size and the current rate on standard error", 0},
    AUDIT_OPTION,
    {0}};

static void check_options(struct argp_state *state, const dedup *work)
{
    if (work->secret.secret_path != NULL && work->set_path == NULL)
        argp_error(state, "--secret-file is for --set");
    if (work->pause.every_lines + work->pause.every_seconds != 0 &&
        work->set_path == NULL)
        argp_error(state, "--save-every is for --set");
    if (work->capacity_items != 0 && work->window.capacity_items != 0)
        argp_error(state, "-n and --window both say how many lines");
    if (work->window.flags != 0 &&
        work->window.on_full != SEENSET_ON_FULL_ROTATE)
        argp_error(state, "--sliding is for --window");
    if (work->wants_counts && work->wants_repeats)
        argp_error(state, "-c prints only counts, and -v only lines");
    options_check_strict(state, work->is_strict, work->normalises);
}

/* The options of the set. */
static error_t parse_set_option(int key, char *text, struct argp_state *state,
                                dedup *work)
{
    switch (key) {
    case 'n':
        work->capacity_items = options_count(state, "-n", text);
        return 0;
    case 'p':
        work->fp_rate = options_rate(state, "-p", text);
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
        work->window.flags = SEENSET_SLIDING;
        return 0;
    default:
        return new_file_parse_secret(key, text, &work->secret);
    }
}

/* The options of input and output. */
static error_t parse_stream_option(int key, char *text,
                                   struct argp_state *state, dedup *work)
{
    switch (key) {
    case '0':
        work->separator = '\0';
        return 0;
    case OPTION_NORMALISE:
        work->normalises = options_normalise(state, text);
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
    case OPTION_STATS:
        work->wants_stats = true;
        return 0;
    case OPTION_AUDIT:
        audit_parse(&work->audit, state, text);
        return 0;
    case ARGP_KEY_ARG:
        work->path_count = state->argc - state->next + 1;
        work->paths = options_rest(state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    dedup *work = state->input;
    if (key == ARGP_KEY_END) {
        check_options(state, work);
        return 0;
    }
    if (parse_set_option(key, text, state, work) == 0)
        return 0;
    return parse_stream_option(key, text, state, work);
}

static const struct argp dedup_argp = {
    .options = dedup_options,
    .parser = parse_option,
    .args_doc = "[FILE...]",
    .doc = "Print each line the first time it is seen, in order. Memory is "
           "fixed up to N different lines; where it must not grow, give an N "
           "that is large enough, or a --window of lines.\vWithout FILE, or "
           "when FILE is -, standard input is read. N: 5k, 10M, 1.5G. P: 0.01, "
           "1e-6, 1/1000, 1%. W: 10k (lines), or 90s, 15m (minutes), 24h, 7d, "
           "2w. For 10M lines at 1e-6 the set takes 40 MB; grown to 100M "
           "lines, 660 MB."};

static int make_set(dedup *work)
{
    seenset_options options = work->window;
    if (options.capacity_items == 0)
        options.capacity_items = work->capacity_items;
    options.fp_rate = work->fp_rate;
    if (options.capacity_items == 0)
        options.capacity_items = DEFAULT_CAPACITY_ITEMS;
    if (options.fp_rate == 0)
        options.fp_rate = DEFAULT_FP_RATE;
    const char *name = work->set_path != NULL ? work->set_path : "dedup";
    if (work->is_window_bare)
        options_say_window(name, options.capacity_items, "lines");
    int status = new_secret_prepare(&work->secret, work->set_path, &options);
    if (status == 0)
        status = setfile_new(&work->set, &options, name);
    if (status == 0)
        add_stage_start_empty(&work->into, work->set, name, NO_CAPACITY);
    return status;
}

static int open_set(dedup *work)
{
    if (access(work->set_path, F_OK) != 0 && errno == ENOENT)
        return make_set(work);
    int status = setfile_open(&work->set, work->set_path, SEENSET_OPEN_COPY,
                              work->secret.secret_path);
    const wanted_set what = {.path = work->set_path,
                             .capacity_items = work->capacity_items,
                             .fp_rate = work->fp_rate,
                             .is_keyed = work->secret.is_keyed,
                             .window = &work->window};
    if (status == 0)
        status = wanted_set_check(&what, work->set);
    if (status == 0)
        add_stage_start(&work->into, work->set, work->set_path);
    return status;
}

/* From here on signals stop the reader, and saves pause it. */
static int watch(dedup *work)
{
    if (stop_arm() != 0) {
        complain("dedup: %s", strerror(errno));
        return COMMAND_ERROR;
    }
    read_pause_restart(&work->pause);
    work->reader.wait = read_pause_wait;
    work->reader.wait_context = &work->pause;
    return 0;
}

static int prepare(dedup *work)
{
    if (lines_init(&work->reader, work->separator) != 0 ||
        output_init(&work->out) != 0) {
        complain("dedup: %s", strerror(errno));
        return COMMAND_ERROR;
    }
    if (work->set_path == NULL)
        return make_set(work);
    int status = lock_take(&work->held, work->set_path);
    if (status == 0)
        status = open_set(work);
    return status == 0 ? watch(work) : status;
}

static void free_all(dedup *work)
{
    progress_clear(&work->bar);
    output_free(&work->out);
    lines_free(&work->reader);
    seenset_free(work->set);
    new_secret_finish(&work->secret, work->set_path == NULL || work->is_saved);
    lock_release(&work->held);
}

static const char *input_name(const dedup *work)
{
    return strcmp(*work->path, "-") == 0 ? "standard input" : *work->path;
}

/*
 * The read stage, from file to file. After an error, or for a pause, it ends
 * as if the input had ended, so that the lines before that are still printed.
 */
static int read_batch(void *context, batch *into)
{
    dedup *work = context;
    for (; *work->path != NULL; work->path++) {
        int got = 1;
        if (!work->is_open)
            got = lines_open(&work->reader, *work->path) == 0 ? 1 : -1;
        work->is_open = true;
        if (got == 1)
            got = lines_next(&work->reader, into);
        if (got < 0)
            work->input_error = errno;
        into->input = input_name(work);
        work->is_paused = got == LINES_LATER;
        work->pause.line_count += got == 1 ? into->count : 0;
        if (got != 0)
            return got == 1;
        work->is_open = false;
    }
    return 0;
}

static int filter_batch(void *context, batch *keys)
{
    dedup *work = context;
    work->status = add_stage_run(&work->into, keys);
    return work->status;
}

/* Each batch is written at once: a program may be waiting for its answer. */
static int write_batch(void *context, const batch *keys)
{
    dedup *work = context;
    if (!work->wants_counts)
        output_put_answered(&work->out, keys, work->wants_repeats ? 0 : 1);
    progress_advance(&work->bar, keys->input_bytes);
    return output_flush(&work->out);
}

static void run_stages(dedup *work)
{
    const pipeline_stages stages = {
        .context = work,
        .read = read_batch,
        .hash = set_batch_prepare(work->into.wants_keys, work->normalises),
        .filter = filter_batch,
        .write = write_batch};
    if (pipeline_run(&stages, work->thread_count) == 0)
        return;
    complain("dedup: %s", strerror(errno));
    work->status = COMMAND_ERROR;
}

/* Saves unless the set may hold lines that were never printed. */
static int save(dedup *work)
{
    if (work->set_path == NULL)
        return 0;
    if (work->into.is_unsure) {
        complain("%s: the set was not saved", work->set_path);
        return COMMAND_ERROR;
    }
    int status = setfile_save(work->set, work->set_path);
    work->is_saved = work->is_saved || status == 0;
    return status;
}

/* In a pause, when all lines that were read are written. Returns whether to
 * read on. */
static bool save_between(dedup *work)
{
    if (work->status != 0 || output_sync(&work->out) != 0)
        return false;
    progress_clear(&work->bar);
    work->has_save_failed = save(work) != 0;
    read_pause_restart(&work->pause);
    return !work->has_save_failed;
}

static void dedup_files(dedup *work)
{
    char stdin_path[] = "-";
    char *stdin_paths[] = {stdin_path, NULL};
    char **paths = work->path_count > 0 ? work->paths : stdin_paths;
    int path_count = work->path_count > 0 ? work->path_count : 1;
    work->path = paths;
    /* A line too long for memory is not a URL, and is not printed. */
    work->reader.wants_bytes =
        !work->normalises && (work->into.wants_keys || !work->wants_counts);
    progress_start(&work->bar, progress_total(paths, path_count),
                   !work->wants_counts);
    do
        run_stages(work);
    while (work->is_paused && stop_signal() == 0 && save_between(work));
    progress_clear(&work->bar);
    /* An error of an earlier stage was reported already, and came first. */
    if (work->status != 0 || work->out.error != 0)
        work->input_error = 0;
    if (work->input_error != 0)
        complain("%s: %s%s", input_name(work),
                 lines_error(&work->reader, work->input_error).text,
                 work->set_path != NULL ? "; the set was not saved" : "");
}

static int complain_of_loss(const dedup *work)
{
    complain_of_output(&work->out, work->set_path != NULL
                                       ? "the set was not saved"
                                       : "the output is not complete");
    return COMMAND_ERROR;
}

/* Saves, if everything was written; the lines before a refused line are saved
 * too. */
static int finish(dedup *work)
{
    if (work->has_save_failed)
        return COMMAND_ERROR;
    if (work->out.error != 0)
        return complain_of_loss(work);
    if (work->input_error != 0)
        return COMMAND_ERROR;
    if (work->wants_counts && dedup_print_counts(&work->into) != 0)
        return COMMAND_ERROR;
    if (work->set_path != NULL && output_sync(&work->out) != 0)
        return complain_of_loss(work);
    if (save(work) != 0)
        return COMMAND_ERROR;
    if (work->wants_stats)
        dedup_print_stats(&work->into, work->set_path != NULL);
    if (work->status == 0)
        work->status = audit_report(&work->audit, work->set, work->into.name);
    return work->status;
}

int command_dedup(int argc, char **argv)
{
    dedup work = {.separator = '\n',
                  .thread_count = pipeline_default_threads(),
                  .held = LOCK_FREE};
    work.reader.fd = -1;
    arguments_parse(&dedup_argp, argc, argv, &work);
    int status = prepare(&work);
    if (status == 0) {
        dedup_files(&work);
        status = left_out_finish(&work.into.left_out, work.into.name,
                                 work.is_strict, finish(&work));
    }
    free_all(&work);
    return status == 0 && stop_signal() != 0 ? stop_die() : status;
}
