/* make.c - see make.h */
#define _GNU_SOURCE /* strdup */
#include "foreign/make.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "foreign/foreign_file.h"
#include "report/complain.h"
#include "sets/lock.h"
#include "sets/setfile.h"

/* As of `new` without them. */
static const seenset_plan usual = {.capacity_items = 1000000, .fp_rate = 0.01};

seenset_format foreign_make_find(const char *name)
{
    static const seenset_format made[] = {
        SEENSET_FORMAT_DCSO, SEENSET_FORMAT_GUAVA, SEENSET_FORMAT_BIP37};
    for (size_t i = 0; i < sizeof made / sizeof made[0]; i++)
        if (strcmp(name, seenset_format_name(made[i])) == 0)
            return made[i];
    return SEENSET_FORMAT_UNKNOWN;
}

/* ---- a new file ---- */

/* From malloc; NULL after a message. */
static void *make_bytes(const char *path, seenset_format format,
                        seenset_scheme scheme, const seenset_plan *plan,
                        size_t *size_bytes)
{
    *size_bytes = 0;
    int error =
        seenset_foreign_new_bytes(format, scheme, plan, NULL, size_bytes);
    void *bytes = error == SEENSET_ESPACE ? malloc(*size_bytes) : NULL;
    if (bytes != NULL)
        (void)seenset_foreign_new_bytes(format, scheme, plan, bytes,
                                        size_bytes);
    else if (error == SEENSET_ESPACE)
        complain("%s: %s", path, strerror(errno));
    else
        complain("%s: no file of %s is of that size%s", path,
                 seenset_format_name(format),
                 error == SEENSET_EMISMATCH
                     ? ", as its bits are words of 64"
                     : "; take a smaller -n or a larger -p");
    return bytes;
}

int foreign_make_like(foreign_file *out, const char *path,
                      seenset_format format, seenset_scheme scheme,
                      const seenset_plan *plan)
{
    size_t size_bytes;
    out->bytes = make_bytes(path, format, scheme, plan, &size_bytes);
    if (out->bytes == NULL)
        return COMMAND_ERROR;
    out->path = strdup(path);
    int error = out->path == NULL ? SEENSET_ENOMEM : 0;
    if (error == 0)
        error = seenset_foreign_open_bytes(&out->file, out->bytes, size_bytes,
                                           NULL);
    if (error == 0)
        return 0;
    complain("%s: %s", path, seenset_strerror(error));
    return COMMAND_ERROR;
}

/* An empty set with a seed, which a file takes from its set. */
static int seeded_set(seenset **out, const foreign_file *like,
                      const seenset_scheme_arguments *seed)
{
    seenset_foreign_filter filter = foreign_file_filter(like, 0);
    const seenset_options options = {.layout = filter.layout,
                                     .scheme = filter.scheme,
                                     .size_bits = filter.size_bits,
                                     .hash_count = filter.hash_count,
                                     .scheme_arguments = seed};
    int error = seenset_new(out, &options);
    if (error == 0)
        return 0;
    complain("%s: %s", like->path, seenset_strerror(error));
    return COMMAND_ERROR;
}

static int make_file(const char *path, bool is_forced, seenset_format format,
                     const seenset_plan *plan,
                     const seenset_scheme_arguments *seed)
{
    foreign_file made = {0};
    seenset *set = NULL;
    if (setfile_check_free(path, is_forced) != 0)
        return COMMAND_ERROR;
    int status =
        foreign_make_like(&made, path, format, SEENSET_SCHEME_DEFAULT, plan);
    if (status == 0)
        status = seed == NULL ? foreign_file_set(&set, &made)
                              : seeded_set(&set, &made, seed);
    if (status == 0)
        status = foreign_file_save(&made, set, path);
    seenset_free(set);
    foreign_file_close(&made);
    return status;
}

int foreign_make_new(const char *path, bool is_forced, seenset_format format,
                     const seenset_options *options)
{
    seenset_plan plan = usual;
    lock held = LOCK_FREE;
    if (options->capacity_items != 0)
        plan.capacity_items = options->capacity_items;
    if (options->fp_rate > 0)
        plan.fp_rate = options->fp_rate;
    int status = lock_take(&held, path);
    if (status == 0)
        status = make_file(path, is_forced, format, &plan,
                           options->scheme_arguments);
    lock_release(&held);
    return status;
}

/* ---- several files ---- */

static int open_to_change(foreign_file *out, seenset **set, const char *path)
{
    int status = foreign_file_open(out, path);
    if (status == 0)
        status = foreign_file_check_change(out);
    return status == 0 ? foreign_file_set(set, out) : status;
}

static int fold(const foreign_folding *how, seenset *into,
                const char *first_path, const char *path)
{
    foreign_file of = {0};
    seenset *from = NULL;
    if (!foreign_file_is(path)) {
        complain("%s and %s: the first is a file of another system, and the "
                 "second is not",
                 first_path, path);
        return COMMAND_ERROR;
    }
    int status = open_to_change(&of, &from, path);
    int error = status == 0 ? how->fold(into, from) : 0;
    if (error != 0) {
        how->complain(error, first_path, into, path, from);
        status = COMMAND_ERROR;
    }
    seenset_free(from);
    foreign_file_close(&of);
    return status;
}

int foreign_make_of(const foreign_folding *how, char **in_paths,
                    const char *out_path)
{
    foreign_file first = {0};
    seenset *set = NULL;
    int status = open_to_change(&first, &set, in_paths[0]);
    for (char **path = in_paths + 1; status == 0 && *path != NULL; path++)
        status = fold(how, set, in_paths[0], *path);
    if (status == 0)
        status = foreign_file_save(&first, set, out_path);
    seenset_free(set);
    foreign_file_close(&first);
    return status;
}
