/*
 * combine.c - see combine.h.
 */
#define _GNU_SOURCE /* stat */
#include "commands/combine.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "figures/union.h"
#include "foreign/foreign_file.h"
#include "foreign/make.h"
#include "report/complain.h"
#include "sets/lock.h"
#include "sets/secret.h"
#include "sets/set_options.h"
#include "sets/set_stream.h"
#include "sets/setfile.h"
#include "text/arguments.h"
#include "text/options.h"
#include "text/units.h"

typedef struct combine_request {
    const combination *how;
    const char *secret_path;
    char *out_path;
    char **in_paths;    /* NULL ends it */
    char *found_secret; /* where that of standard input may be, or NULL */
    double fp_rate;     /* that OUT is to keep; 0: not given */
    bool is_forced;
    bool is_strict;
} combine_request;

static const option_row combine_options[] = {
    {"force", OPTION_FORCE, NULL, 0,
     "Replace OUT even if it is not one of the INs"},
    {"rate", 'p', "P", 0,
     "The false-positive rate that OUT is to keep (default: what the first IN "
     "was made with)"},
    {"strict", OPTION_STRICT, NULL, 0,
     "Where OUT would go over that rate, change nothing: that is an error"},
    {"secret-file", OPTION_SECRET_FILE, "S", 0,
     "The secret of keyed sets is in S (default: IN.secret)"},
    SET_OPTIONS_WRITE,
    {0}};

static int count_inputs(const combine_request *request)
{
    int count = 0;
    while (request->in_paths != NULL && request->in_paths[count] != NULL)
        count++;
    return count;
}

/* The inputs that are standard input. */
static int count_streams(const combine_request *request)
{
    int count = 0;
    for (int i = count_inputs(request) - 1; i >= 0; i--)
        count += set_stream_is(request->in_paths[i]);
    return count;
}

static int parse_option(int key, char *text, arguments *state)
{
    combine_request *request = state->input;
    switch (key) {
    case OPTION_FORCE:
        request->is_forced = true;
        return 0;
    case OPTION_STRICT:
        request->is_strict = true;
        return 0;
    case 'p':
        request->fp_rate = options_rate(state, "-p", text);
        return 0;
    case OPTION_SECRET_FILE:
        request->secret_path = text;
        return 0;
    case ARGUMENTS_WORD:
        if (request->out_path != NULL)
            request->in_paths = options_rest(state);
        else
            request->out_path = text;
        return 0;
    case ARGUMENTS_END:
        if (count_inputs(request) < request->how->least_inputs)
            arguments_refuse(state, "%s", request->how->too_few);
        if (count_streams(request) > 1)
            arguments_refuse(state,
                             "standard input is read once, so - is one IN");
        return 0;
    default:
        return set_options_parse(key, text, state);
    }
}

static bool is_same_file(const struct stat *a, const char *path)
{
    struct stat b;
    return stat(path, &b) == 0 && a->st_dev == b.st_dev &&
           a->st_ino == b.st_ino;
}

static int check_out(const combine_request *request)
{
    struct stat out;
    if (request->is_forced || set_stream_is(request->out_path) ||
        setfile_is_free(request->out_path) ||
        stat(request->out_path, &out) != 0)
        return 0;
    for (char **path = request->in_paths; *path != NULL; path++)
        if (is_same_file(&out, *path))
            return 0;
    complain("%s: exists already and is not one of the inputs; name it again "
             "to keep what it has, or --force to replace it",
             request->out_path);
    return COMMAND_ERROR;
}

/* What the two have that differs, or NULL. */
static const char *difference(const seenset_stats *a, const seenset_stats *b)
{
    if (a->counter_bits != b->counter_bits)
        return "counters are of different widths";
    if (!a->is_keyed != !b->is_keyed)
        return "one is keyed and the other is not";
    if (a->scheme != b->scheme)
        return "index schemes differ";
    if (a->is_keyed)
        return "secrets differ";
    if (a->on_full != b->on_full || a->window_seconds != b->window_seconds ||
        a->window_generations != b->window_generations)
        return "one grows or forgets and the other does not, or otherwise";
    return "hash functions differ";
}

/* Which of the things that must agree do not. */
static void complain_of_mismatch(const char *a_path, const seenset *a,
                                 const char *b_path, const seenset *b)
{
    seenset_stats x = {0};
    seenset_stats y = {0};
    (void)seenset_get_stats(a, &x, sizeof x);
    (void)seenset_get_stats(b, &y, sizeof y);
    bool is_alike = x.counter_bits == y.counter_bits && x.scheme == y.scheme &&
                    x.on_full == y.on_full && !x.is_keyed == !y.is_keyed;
    if (x.layout != y.layout)
        complain("%s and %s: layouts differ, %s and %s; make both alike",
                 a_path, b_path, seenset_layout_name(x.layout),
                 seenset_layout_name(y.layout));
    else if (is_alike && x.size_bits != y.size_bits)
        complain("%s and %s: sizes differ, %s and %s bits; make both with "
                 "the same -n and -p",
                 a_path, b_path, units_grouped(x.size_bits).text,
                 units_grouped(y.size_bits).text);
    else if (is_alike && x.hash_count != y.hash_count)
        complain("%s and %s: a key sets %u bits in one and %u in the other; "
                 "make both with the same -n and -p",
                 a_path, b_path, x.hash_count, y.hash_count);
    else
        complain("%s and %s: %s; make both alike", a_path, b_path,
                 difference(&x, &y));
}

/* One of the two is of a kind that cannot be combined. */
static void complain_of_kind(const char *a_path, const seenset *a,
                             const char *b_path, const seenset *b)
{
    seenset_stats x = {0};
    seenset_stats y = {0};
    (void)seenset_get_stats(a, &x, sizeof x);
    (void)seenset_get_stats(b, &y, sizeof y);
    bool is_second =
        x.table_count == 1 && x.counter_bits == 0 && x.fingerprint_bits == 0;
    const seenset_stats *odd = is_second ? &y : &x;
    const char *path = is_second ? b_path : a_path;
    if (odd->table_count > 1)
        complain("%s: has %u tables, and this takes sets of one table; make "
                 "them with --on-full degrade and an -n that is large enough",
                 path, odd->table_count);
    else
        complain("%s: a %s set cannot do this; make it with --layout blocked "
                 "or bloom",
                 path, seenset_layout_name(odd->layout));
}

void combine_complain(int error, const char *a_path, const seenset *a,
                      const char *b_path, const seenset *b)
{
    if (error == SEENSET_EMISMATCH)
        complain_of_mismatch(a_path, a, b_path, b);
    else if (error == SEENSET_EUNSUPPORTED)
        complain_of_kind(a_path, a, b_path, b);
    else
        setfile_complain(b_path, error);
}

int combine_open(seenset **out, const char *path, const char *secret_path)
{
    uint64_t file_bytes = 0;
    if (set_stream_is(path))
        return set_stream_open(out, path, SEENSET_OPEN_COPY, secret_path, NULL);
    int status = setfile_verify(path, &file_bytes);
    if (status == 0)
        status = setfile_open(out, path, SEENSET_OPEN_VIEW, secret_path);
    return status;
}

/* Sets that are combined have one secret, so that of a file is that of standard
 * input. */
static const char *secret_of(const combine_request *request, const char *path)
{
    return request->secret_path == NULL && set_stream_is(path)
               ? request->found_secret
               : request->secret_path;
}

static int fold_file(const combine_request *request, seenset *into,
                     const char *path)
{
    seenset *from = NULL;
    int status = combine_open(&from, path, secret_of(request, path));
    if (status != 0)
        return status;
    int error = request->how->fold(into, from);
    if (error != 0)
        combine_complain(error, request->in_paths[0], into, path, from);
    seenset_free(from);
    return error == 0 ? 0 : COMMAND_ERROR;
}

/* The rate that OUT is to keep: -p, or what its first IN was made with, before
 * anything was merged into it. */
static double wanted_rate(const combine_request *request, const seenset *set)
{
    seenset_info info = {0};
    (void)seenset_get_info(set, &info, sizeof info);
    return request->fp_rate > 0 ? request->fp_rate : info.made_fp_rate;
}

/* What would have kept the rate. */
static units_text advice_of(const seenset_stats *stats, double made,
                            double wanted, double now)
{
    units_text out = {{0}};
    bool is_list =
        stats->on_full == SEENSET_ON_FULL_GROW || stats->window_seconds > 0;
    if (is_list)
        snprintf(out.text, sizeof out.text, "make the sets with -p %.2g",
                 figures_union_rate(made, wanted, now));
    else if (stats->estimated_items < (double)SEENSET_MAX_SIZE_BITS)
        snprintf(out.text, sizeof out.text, "make each with -n %.0f",
                 figures_union_items(stats->estimated_items,
                                     (double)stats->capacity_items));
    else
        snprintf(out.text, sizeof out.text, "make each with a larger -n");
    return out;
}

/*
 * Reports that the union went over the rate that it is to keep, and how the
 * sets would have had to be made. With --strict that is an error.
 */
static int judge_rate(const combine_request *request, const seenset *set)
{
    seenset_stats stats = {0};
    seenset_info info = {0};
    int error = seenset_get_stats(set, &stats, sizeof stats);
    if (error == 0)
        error = seenset_get_info(set, &info, sizeof info);
    if (error != 0) {
        setfile_complain(request->out_path, error);
        return COMMAND_ERROR;
    }
    double wanted = wanted_rate(request, set);
    double now = fmax(stats.current_fp_rate, stats.fp_rate);
    if (!figures_union_is_over(now, wanted))
        return 0;
    complain("%s: %s its rate can reach %s (now %s), over the %s that %s; to "
             "keep that, %s",
             request->out_path,
             request->is_strict ? "not saved:" : "merged, but",
             units_as_rate(now).text, units_as_rate(stats.current_fp_rate).text,
             units_as_rate(wanted).text,
             request->fp_rate > 0 ? "-p asks for" : "it was made with",
             advice_of(&stats, info.made_fp_rate, wanted, now).text);
    return request->is_strict ? COMMAND_ERROR : 0;
}

/* The first input that is a file, or NULL. */
static const char *first_file(const combine_request *request)
{
    for (char **path = request->in_paths; *path != NULL; path++)
        if (!set_stream_is(*path))
            return *path;
    return NULL;
}

/* The output of keyed sets has the same secret, and must find it. */
static int carry_secret(const combine_request *request, const seenset *set)
{
    const char *from_path = first_file(request);
    if (!setfile_is_keyed(set) || from_path == NULL ||
        set_stream_is(request->out_path))
        return 0;
    return secret_carry(from_path, request->secret_path, request->out_path);
}

/* The secret beside the first file, if it has one. */
static void find_secret(combine_request *request)
{
    const char *beside = first_file(request);
    if (request->secret_path != NULL || beside == NULL ||
        count_streams(request) == 0)
        return;
    request->found_secret = secret_path_of(beside);
    if (request->found_secret == NULL ||
        access(request->found_secret, F_OK) == 0)
        return;
    free(request->found_secret);
    request->found_secret = NULL;
}

/* -p, --strict and --secret-file are for sets. */
static int run_foreign(const combine_request *request)
{
    const char *first = request->in_paths[0];
    const char *wrong = NULL;
    const foreign_folding how = {request->how->fold, combine_complain};
    if (request->secret_path != NULL)
        wrong = "a file of another system has no secret";
    else if (request->fp_rate > 0 || request->is_strict)
        wrong = "-p and --strict are for sets of seenset";
    else if (set_stream_is(request->out_path))
        wrong = "a file of another system is not written to standard output";
    if (wrong == NULL)
        return foreign_make_of(&how, request->in_paths, request->out_path);
    complain("%s: %s", first, wrong);
    return COMMAND_ERROR;
}

static int run_locked(const combine_request *request)
{
    int status = check_out(request);
    seenset *set = NULL;
    const char *first = request->in_paths[0];
    if (status == 0 && !set_stream_is(first) && foreign_file_is(first))
        return run_foreign(request);
    if (status == 0)
        status =
            set_stream_open(&set, request->in_paths[0], SEENSET_OPEN_COPY,
                            secret_of(request, request->in_paths[0]), NULL);
    for (char **path = request->in_paths + 1; status == 0 && *path != NULL;
         path++)
        status = fold_file(request, set, *path);
    if (status == 0)
        status = judge_rate(request, set);
    if (status == 0)
        status = carry_secret(request, set);
    if (status == 0)
        status = set_stream_save(set, request->out_path);
    seenset_free(set);
    return status;
}

/*
 * With standard input among the INs, an OUT that exists is one of them where
 * the combination wants it: "merge all.set -" keeps what all.set has. Returns
 * the longer list of INs, to be freed, or NULL: as it is, or no memory.
 */
static char **with_out(const combine_request *request)
{
    size_t count = (size_t)count_inputs(request);
    if (!request->how->keeps_out || request->is_forced ||
        count_streams(request) == 0 || set_stream_is(request->out_path) ||
        setfile_is_free(request->out_path))
        return NULL;
    for (size_t i = 0; i < count; i++)
        if (setfile_is_same(request->in_paths[i], request->out_path))
            return NULL;
    char **longer = calloc(count + 2, sizeof *longer);
    if (longer == NULL)
        return NULL;
    longer[0] = request->out_path;
    memcpy(longer + 1, request->in_paths, count * sizeof *longer);
    return longer;
}

/* Standard output needs no lock. */
static int run(combine_request *request)
{
    lock held = LOCK_FREE;
    int status = 0;
    if (!set_stream_is(request->out_path))
        status = lock_take(&held, request->out_path);
    char **longer = status == 0 ? with_out(request) : NULL;
    if (longer != NULL)
        request->in_paths = longer;
    if (status == 0) {
        find_secret(request);
        status = run_locked(request);
    }
    free(longer);
    free(request->found_secret);
    lock_release(&held);
    return status;
}

int combine(const combination *how, int argc, char **argv)
{
    const command_syntax syntax = {
        .options = combine_options,
        .parser = parse_option,
        .operands = how->least_inputs > 1 ? "OUT IN IN..." : "OUT IN...",
        .text = how->doc};
    combine_request request = {.how = how};
    arguments_parse(&syntax, argc, argv, &request);
    return run(&request);
}
