/*
 * merge.c - makes one set file of several: what any of them has seen.
 *
 * Nothing is written until all were read and agreed, and then the output is
 * replaced in one step; so it may be one of the inputs.
 */
#define _GNU_SOURCE /* argp, stat */
#include <argp.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>

#include "command.h"
#include "lock.h"
#include "numbers.h"
#include "options.h"
#include "setfile.h"

typedef struct merge_request {
    const char *out_path;
    char **in_paths; /* NULL ends it */
    bool is_forced;
} merge_request;

static const struct argp_option merge_options[] = {
    {"force", OPTION_FORCE, NULL, 0,
     "Replace OUT even if it is not one of the INs", 0},
    {0}};

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    merge_request *request = state->input;
    switch (key) {
    case OPTION_FORCE:
        request->is_forced = true;
        return 0;
    case ARGP_KEY_ARG:
        if (request->out_path != NULL)
            request->in_paths = options_rest(state);
        else
            request->out_path = text;
        return 0;
    case ARGP_KEY_END:
        if (request->in_paths == NULL)
            argp_error(state, "an OUT and at least one IN are needed");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp merge_argp = {
    .options = merge_options,
    .parser = parse_option,
    .args_doc = "OUT IN...",
    .doc = "Make OUT the union of the INs: what any of them has seen. They "
           "must have been made alike."};

static bool is_same_file(const struct stat *a, const char *path)
{
    struct stat b;
    return stat(path, &b) == 0 && a->st_dev == b.st_dev &&
           a->st_ino == b.st_ino;
}

static int check_out(const merge_request *request)
{
    struct stat out;
    if (request->is_forced || stat(request->out_path, &out) != 0)
        return 0;
    for (char **path = request->in_paths; *path != NULL; path++)
        if (is_same_file(&out, *path))
            return 0;
    complain("%s: exists already and is not one of the inputs; name it again "
             "to keep what it has, or --force to replace it",
             request->out_path);
    return COMMAND_ERROR;
}

/* Which of the things that must agree do not. */
static void complain_of_mismatch(const char *a_path, const seenset *a,
                                 const char *b_path, const seenset *b)
{
    seenset_stats x = {0};
    seenset_stats y = {0};
    (void)seenset_get_stats(a, &x);
    (void)seenset_get_stats(b, &y);
    if (x.layout != y.layout)
        complain("%s and %s: layouts differ, %s and %s; make both alike",
                 a_path, b_path, seenset_layout_name(x.layout),
                 seenset_layout_name(y.layout));
    else if (x.size_bits != y.size_bits)
        complain("%s and %s: sizes differ, %s and %s bits; make both with "
                 "the same -n and -p",
                 a_path, b_path, numbers_grouped(x.size_bits).text,
                 numbers_grouped(y.size_bits).text);
    else if (x.hash_count != y.hash_count)
        complain("%s and %s: a key sets %u bits in one and %u in the other; "
                 "make both with the same -n and -p",
                 a_path, b_path, x.hash_count, y.hash_count);
    else
        complain("%s and %s: hash functions differ; make both alike", a_path,
                 b_path);
}

static int merge_file(seenset *into, const char *first_path, const char *path)
{
    uint64_t file_bytes = 0;
    seenset *from = NULL;
    /* A view is not checked by opening it, and damage would spread. */
    int status = setfile_verify(path, &file_bytes);
    if (status == 0)
        status = setfile_open(&from, path, SEENSET_OPEN_VIEW);
    if (status != 0)
        return status;
    int error = seenset_merge(into, from);
    if (error == SEENSET_EMISMATCH)
        complain_of_mismatch(first_path, into, path, from);
    else if (error != 0)
        setfile_complain(path, error);
    seenset_free(from);
    return error == 0 ? 0 : COMMAND_ERROR;
}

static void warn_if_over(const char *path, const seenset *set)
{
    seenset_stats stats = {0};
    (void)seenset_get_stats(set, &stats);
    if (stats.added_items > stats.capacity_items)
        complain("%s: past its capacity: about %s keys in a set for %s; new "
                 "keys are taken for seen at a rate of %s",
                 path, numbers_grouped(stats.added_items).text,
                 numbers_grouped(stats.capacity_items).text,
                 numbers_as_rate(stats.current_fp_rate).text);
}

static int merge_locked(const merge_request *request)
{
    int status = check_out(request);
    seenset *set = NULL;
    const char *first_path = request->in_paths[0];
    if (status == 0)
        status = setfile_open(&set, first_path, SEENSET_OPEN_COPY);
    for (char **path = request->in_paths + 1; status == 0 && *path != NULL;
         path++)
        status = merge_file(set, first_path, *path);
    if (status == 0)
        status = setfile_save(set, request->out_path);
    if (status == 0)
        warn_if_over(request->out_path, set);
    seenset_free(set);
    return status;
}

int command_merge(int argc, char **argv)
{
    merge_request request = {0};
    argp_parse(&merge_argp, argc, argv, 0, NULL, &request);
    lock held = LOCK_FREE;
    int status = lock_take(&held, request.out_path);
    if (status == 0)
        status = merge_locked(&request);
    lock_release(&held);
    return status;
}
