/*
 * combine.c - see combine.h.
 */
#define _GNU_SOURCE /* argp, stat */
#include "commands/combine.h"

#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>

#include "command.h"
#include "report/complain.h"
#include "sets/lock.h"
#include "sets/secret.h"
#include "sets/setfile.h"
#include "text/arguments.h"
#include "text/options.h"
#include "text/units.h"

typedef struct combine_request {
    const combination *how;
    const char *secret_path;
    const char *out_path;
    char **in_paths; /* NULL ends it */
    bool is_forced;
} combine_request;

static const struct argp_option combine_options[] = {
    {"force", OPTION_FORCE, NULL, 0,
     "Replace OUT even if it is not one of the INs", 0},
    {"secret-file", OPTION_SECRET_FILE, "S", 0,
     "The secret of keyed sets is in S (default: IN.secret)", 0},
    {0}};

static int count_inputs(const combine_request *request)
{
    int count = 0;
    while (request->in_paths != NULL && request->in_paths[count] != NULL)
        count++;
    return count;
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    combine_request *request = state->input;
    switch (key) {
    case OPTION_FORCE:
        request->is_forced = true;
        return 0;
    case OPTION_SECRET_FILE:
        request->secret_path = text;
        return 0;
    case ARGP_KEY_ARG:
        if (request->out_path != NULL)
            request->in_paths = options_rest(state);
        else
            request->out_path = text;
        return 0;
    case ARGP_KEY_END:
        if (count_inputs(request) < request->how->least_inputs)
            argp_error(state, "%s", request->how->too_few);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
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
    if (request->is_forced || setfile_is_free(request->out_path) ||
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
    int status = setfile_verify(path, &file_bytes);
    if (status == 0)
        status = setfile_open(out, path, SEENSET_OPEN_VIEW, secret_path);
    return status;
}

static int fold_file(const combine_request *request, seenset *into,
                     const char *path)
{
    seenset *from = NULL;
    int status = combine_open(&from, path, request->secret_path);
    if (status != 0)
        return status;
    int error = request->how->fold(into, from);
    if (error != 0)
        combine_complain(error, request->in_paths[0], into, path, from);
    seenset_free(from);
    return error == 0 ? 0 : COMMAND_ERROR;
}

static bool keeps_its_rate(const seenset_stats *stats)
{
    return stats->on_full == SEENSET_ON_FULL_GROW ||
           stats->on_full == SEENSET_ON_FULL_ROTATE;
}

static void warn_if_over(const char *path, const seenset *set)
{
    seenset_stats stats = {0};
    (void)seenset_get_stats(set, &stats, sizeof stats);
    if (!keeps_its_rate(&stats) && stats.added_items > stats.capacity_items)
        complain("%s: past its capacity: about %s keys in a set for %s; its "
                 "false-positive rate is %s",
                 path, units_grouped(stats.added_items).text,
                 units_grouped(stats.capacity_items).text,
                 units_as_rate(stats.current_fp_rate).text);
}

/* The output of keyed sets has the same secret, and must find it. */
static int carry_secret(const combine_request *request, const seenset *set)
{
    if (!setfile_is_keyed(set))
        return 0;
    return secret_carry(request->in_paths[0], request->secret_path,
                        request->out_path);
}

static int run_locked(const combine_request *request)
{
    int status = check_out(request);
    seenset *set = NULL;
    if (status == 0)
        status = setfile_open(&set, request->in_paths[0], SEENSET_OPEN_COPY,
                              request->secret_path);
    for (char **path = request->in_paths + 1; status == 0 && *path != NULL;
         path++)
        status = fold_file(request, set, *path);
    if (status == 0)
        status = carry_secret(request, set);
    if (status == 0)
        status = setfile_save(set, request->out_path);
    if (status == 0)
        warn_if_over(request->out_path, set);
    seenset_free(set);
    return status;
}

int combine(const combination *how, int argc, char **argv)
{
    const struct argp argp = {.options = combine_options,
                              .parser = parse_option,
                              .args_doc = how->least_inputs > 1 ? "OUT IN IN..."
                                                                : "OUT IN...",
                              .doc = how->doc};
    combine_request request = {.how = how};
    arguments_parse(&argp, argc, argv, &request);
    lock held = LOCK_FREE;
    int status = lock_take(&held, request.out_path);
    if (status == 0)
        status = run_locked(&request);
    lock_release(&held);
    return status;
}
