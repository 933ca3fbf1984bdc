/*
 * dedup.c - prints each line the first time it is seen, in order.
 *
 * A line wrongly taken for seen is lost, so the default rate is one in a
 * million. With --set, what was seen lasts from run to run; the order of the
 * last steps then matters. The set is saved only after every line went out
 * without an error: if the machine stops in between, the next run prints the
 * same lines again, and none is ever lost.
 */
#define _GNU_SOURCE /* argp, sched_getaffinity */
#include <argp.h>
#include <errno.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ask.h"
#include "command.h"
#include "intake.h"
#include "lines.h"
#include "lock.h"
#include "made.h"
#include "numbers.h"
#include "options.h"
#include "output.h"
#include "pipeline.h"
#include "progress.h"
#include "report.h"
#include "setfile.h"

#define DEFAULT_CAPACITY_ITEMS UINT64_C(10000000)
#define DEFAULT_FP_RATE 1e-6
#define KEEPS_ITS_RATE 0 /* a capacity past which nothing is said */

typedef struct dedup {
    /* what was asked for; 0 and NULL: not given */
    uint64_t capacity_items;
    double fp_rate;
    const char *set_path;
    seenset_options window; /* what --window says */
    made_secret secret;
    char separator;
    bool wants_repeats, wants_counts, wants_stats;
    unsigned thread_count;
    char **paths; /* NULL ends them */
    int path_count;
    /* what it takes */
    lock held;
    seenset *set;
    intake into;
    lines reader;
    output out;
    progress bar;
    /* how it goes */
    char **path;     /* being read; *path NULL: all are */
    bool is_open;    /* the reader has opened it */
    int input_error; /* errno; it could not be read */
    int status;      /* of the filter */
    bool is_saved;
} dedup;

static const struct argp_option dedup_options[] = {
    {NULL, 'n', "N", 0,
     "Expect N different lines (default 10M); past them, the set grows", 0},
    {NULL, 'p', "P", 0,
     "Drop a new line by mistake with a chance of at most P (default 1e-6)", 0},
    {"set", OPTION_SET, "FILE", 0,
     "Remember what was seen in FILE, made when missing, from run to run", 0},
    {"window", OPTION_WINDOW, "W", 0,
     "Forget lines that are not among the last W different ones, or older than "
     "W seconds, such as 24h",
     0},
    {"keyed", OPTION_KEYED, NULL, 0,
     "Hash under a secret, so that nobody can make lines that are dropped; "
     "with --set, it is kept in FILE.secret",
     0},
    {"secret-file", OPTION_SECRET_FILE, "S", 0,
     "With --set: the secret is in S; with --keyed, it is made there", 0},
    {"null", '0', NULL, 0, "Lines end with NUL instead of newline", 0},
    {"repeated", 'v', NULL, 0, "Print only the repeats", 0},
    {"count", 'c', NULL, 0, "Print only how many lines were what", 0},
    {"threads", OPTION_THREADS, "N", 0,
     "Work on N threads (default: as many as there are processors, up to 4)",
     0},
    {"stats", OPTION_STATS, NULL, 0,
     "Print counts, size and the true rate on standard error when done", 0},
    {0}};

static void check_options(struct argp_state *state, const dedup *work)
{
    if (work->secret.secret_path != NULL && work->set_path == NULL)
        argp_error(state, "--secret-file is for --set");
    if (work->capacity_items != 0 && work->window.capacity_items != 0)
        argp_error(state, "-n and --window both say how many lines");
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    dedup *work = state->input;
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
    case OPTION_WINDOW:
        options_window(state, text, &work->window);
        return 0;
    case OPTION_KEYED:
        work->secret.is_keyed = true;
        return 0;
    case OPTION_SECRET_FILE:
        work->secret.secret_path = text;
        return 0;
    case '0':
        work->separator = '\0';
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
    case ARGP_KEY_ARG:
        work->path_count = state->argc - state->next + 1;
        work->paths = options_rest(state);
        return 0;
    case ARGP_KEY_END:
        check_options(state, work);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp dedup_argp = {
    .options = dedup_options,
    .parser = parse_option,
    .args_doc = "[FILE...]",
    .doc = "Print each line the first time it is seen, in order, in a fixed "
           "amount of memory.\vWithout FILE, or when FILE is -, standard "
           "input is read. N may be 5k, 10M, 1.5G; P 0.01, 1e-6, 1/1000, 1%."};

/*
 * The filter is a third of the work and goes one line after the other, so
 * that a fifth thread would only watch.
 */
static unsigned default_threads(void)
{
    enum {
        USEFUL = 4
    };
    cpu_set_t mine;
    if (sched_getaffinity(0, sizeof mine, &mine) != 0)
        return USEFUL; /* more processors than the mask has bits for */
    int count = CPU_COUNT(&mine);
    return count < USEFUL ? (unsigned)count : (unsigned)USEFUL;
}

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
    int status = made_find_secret(&work->secret, work->set_path, &options);
    if (status == 0)
        status = setfile_new(&work->set, &options, name);
    if (status == 0)
        intake_start_empty(&work->into, work->set, name, KEEPS_ITS_RATE);
    return status;
}

static int complain_of_other(const dedup *work, const char *option,
                             const char *was, const char *asked)
{
    complain("%s: was made with %s %s, not %s; leave out %s, or give another "
             "file",
             work->set_path, option, was, asked, option);
    return COMMAND_ERROR;
}

/* "86400s" or "1000": seconds, or else keys. */
static number_text window_text(uint64_t seconds, uint64_t items)
{
    number_text out;
    snprintf(out.text, sizeof out.text, "%llu%s",
             (unsigned long long)(seconds != 0 ? seconds : items),
             seconds != 0 ? "s" : "");
    return out;
}

static int check_window(const dedup *work, const seenset_stats *stats)
{
    const seenset_options *asked = &work->window;
    if (asked->on_full != SEENSET_ROTATE)
        return 0;
    if (stats->on_full != SEENSET_ROTATE) {
        complain("%s: has no window, and at its capacity will %s; leave out "
                 "--window, or give another file",
                 work->set_path, seenset_on_full_name(stats->on_full));
        return COMMAND_ERROR;
    }
    bool is_same = asked->window_seconds == stats->window_seconds &&
                   (asked->window_seconds != 0 ||
                    asked->capacity_items == stats->capacity_items);
    if (is_same)
        return 0;
    return complain_of_other(
        work, "--window",
        window_text(stats->window_seconds, stats->capacity_items).text,
        window_text(asked->window_seconds, asked->capacity_items).text);
}

static int check_count(const dedup *work, const seenset_stats *stats)
{
    if (work->capacity_items == 0 || stats->on_full == SEENSET_GROW ||
        work->capacity_items == stats->capacity_items)
        return 0;
    return complain_of_other(work, "-n",
                             window_text(0, stats->capacity_items).text,
                             window_text(0, work->capacity_items).text);
}

static int check_rate(const dedup *work, double was)
{
    char texts[2][32];
    if (work->fp_rate <= 0 || (work->fp_rate >= was && work->fp_rate <= was))
        return 0;
    snprintf(texts[0], sizeof texts[0], "%g", was);
    snprintf(texts[1], sizeof texts[1], "%g", work->fp_rate);
    return complain_of_other(work, "-p", texts[0], texts[1]);
}

/*
 * Options cannot change a set that exists: they must be what it has. Only -n
 * may be anything for a set that grows, which it does not bind.
 */
static int check_asked(const dedup *work)
{
    seenset_stats stats = {0};
    (void)seenset_get_stats(work->set, &stats);
    if (work->secret.is_keyed && !stats.is_keyed) {
        complain("%s: is not keyed; leave out --keyed, or give another file",
                 work->set_path);
        return COMMAND_ERROR;
    }
    int status = check_count(work, &stats);
    if (status == 0)
        status = check_rate(work, stats.fp_rate);
    if (status == 0)
        status = check_window(work, &stats);
    return status;
}

static int open_set(dedup *work)
{
    if (access(work->set_path, F_OK) != 0 && errno == ENOENT)
        return make_set(work);
    int status = setfile_open(&work->set, work->set_path, SEENSET_OPEN_COPY,
                              work->secret.secret_path);
    if (status == 0)
        status = check_asked(work);
    if (status == 0)
        intake_start(&work->into, work->set, work->set_path);
    return status;
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
    return status == 0 ? open_set(work) : status;
}

static void free_all(dedup *work)
{
    progress_clear(&work->bar);
    output_free(&work->out);
    lines_free(&work->reader);
    seenset_free(work->set);
    made_forget(&work->secret, work->set_path == NULL || work->is_saved);
    lock_release(&work->held);
}

static const char *input_name(const dedup *work)
{
    return strcmp(*work->path, "-") == 0 ? "standard input" : *work->path;
}

/*
 * The read stage, from file to file. After an error it ends as if all were
 * read, so that what came before still goes its way.
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
        if (got != 0)
            return got;
        work->is_open = false;
    }
    return 0;
}

static int filter_batch(void *context, batch *some)
{
    dedup *work = context;
    work->status = intake_add(&work->into, some);
    return work->status;
}

/* Each batch goes out at once: whoever waits for an answer has it. */
static int write_batch(void *context, const batch *some)
{
    dedup *work = context;
    if (!work->wants_counts)
        output_put_answered(&work->out, some, work->wants_repeats ? 0 : 1);
    progress_advance(&work->bar, some->input_bytes);
    return output_flush(&work->out);
}

static void run_stages(dedup *work)
{
    const pipeline_stages stages = {
        .context = work,
        .read = read_batch,
        .hash = work->into.wants_keys ? ask_hash_nothing : batch_hash,
        .filter = filter_batch,
        .write = write_batch};
    if (pipeline_run(&stages, work->thread_count) == 0)
        return;
    complain("dedup: %s", strerror(errno));
    work->status = COMMAND_ERROR;
}

static void dedup_files(dedup *work)
{
    char stdin_path[] = "-";
    char *stdin_paths[] = {stdin_path, NULL};
    char **paths = work->path_count > 0 ? work->paths : stdin_paths;
    int path_count = work->path_count > 0 ? work->path_count : 1;
    work->path = paths;
    progress_start(&work->bar, progress_total(paths, path_count),
                   !work->wants_counts);
    run_stages(work);
    progress_clear(&work->bar);
    /* What went wrong before this input was looked at was said already. */
    if (work->status != 0 || work->out.error != 0)
        work->input_error = 0;
    if (work->input_error != 0)
        complain("%s: %s%s", input_name(work), strerror(work->input_error),
                 work->set_path != NULL ? "; the set was not saved" : "");
}

static int print_counts(const intake *into)
{
    printf("lines     %llu\nnew       %llu\nrepeated  %llu\n",
           (unsigned long long)into->key_count,
           (unsigned long long)into->new_count,
           (unsigned long long)(into->key_count - into->new_count));
    return command_flush();
}

/*
 * How many new lines were probably taken for repeats. The expectation knows
 * only what the set holds; a set that was ruined in this very run cannot have
 * dropped more lines than were dropped.
 */
static double wrong_lines(const intake *into, const seenset_stats *stats)
{
    double repeated = (double)(into->key_count - into->new_count);
    bool is_all_of_it = into->added_items == into->new_count;
    if (is_all_of_it && !(stats->wrong_items <= repeated))
        return repeated;
    return stats->wrong_items;
}

static void print_stats(const dedup *work)
{
    const intake *into = &work->into;
    seenset_stats stats = {0};
    (void)seenset_get_stats(work->set, &stats);
    report_row(stderr, "lines", "%s", numbers_grouped(into->key_count).text);
    report_row(stderr, "new", "%s", numbers_grouped(into->new_count).text);
    report_row(stderr, "repeated", "%s",
               numbers_grouped(into->key_count - into->new_count).text);
    report_row(stderr, "wrongly dropped", "%.3g, expected%s",
               wrong_lines(into, &stats),
               work->set_path != NULL ? " in all runs together" : "");
    report_row(stderr, "set", "%s, %.2f bits per key of %s",
               numbers_as_bytes((stats.size_bits + 7) / 8).text,
               (double)stats.size_bits / (double)stats.capacity_items,
               numbers_grouped(stats.capacity_items).text);
    report_row(stderr, "fill", "%.4g %%", 100 * stats.fill);
    report_row(stderr, "rate now", "%s (planned: %.4g)",
               numbers_as_rate(stats.current_fp_rate).text, stats.fp_rate);
}

/* Not a set that has lines which were not printed, for want of an answer. */
static int save(dedup *work)
{
    if (work->set_path == NULL)
        return 0;
    if (work->into.is_unsure) {
        complain("%s: the set was not saved", work->set_path);
        return COMMAND_ERROR;
    }
    int status = setfile_save(work->set, work->set_path);
    work->is_saved = status == 0;
    return status;
}

/*
 * Saves, if all went out. After a refused line what came before it is kept
 * all the same.
 */
static int finish(dedup *work)
{
    if (work->out.error != 0) {
        output_complain(&work->out, work->set_path != NULL
                                        ? "the set was not saved"
                                        : "the output is not complete");
        return COMMAND_ERROR;
    }
    if (work->input_error != 0)
        return COMMAND_ERROR;
    if (work->wants_counts && print_counts(&work->into) != 0)
        return COMMAND_ERROR;
    if (save(work) != 0)
        return COMMAND_ERROR;
    if (work->wants_stats)
        print_stats(work);
    return work->status;
}

int command_dedup(int argc, char **argv)
{
    dedup work = {.separator = '\n',
                  .thread_count = default_threads(),
                  .held = LOCK_FREE};
    work.reader.fd = -1;
    argp_parse(&dedup_argp, argc, argv, 0, NULL, &work);
    int status = prepare(&work);
    if (status == 0) {
        dedup_files(&work);
        status = finish(&work);
    }
    free_all(&work);
    return status;
}
