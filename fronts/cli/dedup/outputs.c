/*
 * outputs.c - see outputs.h.
 */
#define _GNU_SOURCE /* fileno */
#include "dedup/outputs.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "report/complain.h"
#include "sets/setfile.h"
#include "system/path.h"

static int complain_of_file(const char *path, int error)
{
    complain("%s: the lines cannot be written: %s", path,
             strerror(error != 0 ? error : EIO));
    return COMMAND_ERROR;
}

/* Stores what identifies the folder of a file. Returns whether there is one. */
static bool find_folder(const char *path, struct stat *folder)
{
    char name[PATH_MAX];
    size_t length = (size_t)(path_name(path) - path);
    if (length + 2 > sizeof name)
        return false;
    memcpy(name, path, length);
    memcpy(name + length, ".", 2);
    return stat(name, folder) == 0;
}

/* Two names of one file, which need not exist yet. */
static bool is_same(const char *a_path, const char *b_path)
{
    struct stat a;
    struct stat b;
    if (setfile_is_same(a_path, b_path))
        return true;
    return strcmp(path_name(a_path), path_name(b_path)) == 0 &&
           find_folder(a_path, &a) && find_folder(b_path, &b) &&
           a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

static int open_file(dedup_output *one, const char *set_path)
{
    bool is_set_file = setfile_is_set(one->path) ||
                       (set_path != NULL && is_same(one->path, set_path));
    if (is_set_file) {
        complain("%s: is a set file, and lines do not replace it; give them "
                 "another name",
                 one->path);
        return COMMAND_ERROR;
    }
    if (replace_begin(&one->file, one->path) != 0)
        return complain_of_file(one->path, errno);
    one->is_open = true;
    one->file.is_durable = true;
    output_redirect(&one->out, fileno(one->file.file), one->path);
    return 0;
}

static int open_one(dedup_output *one, const char *set_path)
{
    if (output_init(&one->out) != 0) {
        complain("dedup: %s", strerror(errno));
        return COMMAND_ERROR;
    }
    return one->path != NULL ? open_file(one, set_path) : 0;
}

int dedup_outputs_open(dedup_outputs *all, const char *set_path)
{
    const char *first = all->lines.path;
    const char *second = all->repeats.path;
    if (first != NULL && second != NULL && is_same(first, second)) {
        complain("%s: -o and --repeats-to are two files; give one of them "
                 "another name",
                 first);
        return COMMAND_ERROR;
    }
    int status = open_one(&all->lines, set_path);
    if (status == 0 && second != NULL)
        status = open_one(&all->repeats, set_path);
    return status;
}

/* Is it the file of an input, by any name? "-" is standard input. */
static bool is_input(const struct stat *file, const char *path)
{
    struct stat input;
    int result = strcmp(path, "-") == 0 ? fstat(STDIN_FILENO, &input)
                                        : stat(path, &input);
    return result == 0 && S_ISREG(input.st_mode) &&
           input.st_dev == file->st_dev && input.st_ino == file->st_ino;
}

int dedup_outputs_spare(const char *repeats, const char *option, char **paths,
                        int count)
{
    struct stat file;
    if (repeats == NULL || stat(repeats, &file) != 0)
        return 0;
    for (int i = 0; i < count; i++) {
        if (!is_input(&file, paths[i]))
            continue;
        complain("%s: is read, and only its repeats would be left of it; give "
                 "%s another name",
                 repeats, option);
        return COMMAND_ERROR;
    }
    return 0;
}

bool dedup_outputs_replace(const dedup_outputs *all)
{
    return all->lines.file.temporary != NULL ||
           all->repeats.file.temporary != NULL;
}

/* Repeats may go nowhere: then nothing was opened. */
static bool has_repeats(const dedup_outputs *all)
{
    return all->repeats.is_open;
}

int dedup_outputs_flush(dedup_outputs *all)
{
    int error = output_flush(&all->lines.out);
    if (error == 0 && has_repeats(all))
        error = output_flush(&all->repeats.out);
    return error;
}

int dedup_outputs_sync(dedup_outputs *all)
{
    int error = output_sync(&all->lines.out);
    if (error == 0 && has_repeats(all))
        error = output_sync(&all->repeats.out);
    return error;
}

const output *dedup_outputs_failed(const dedup_outputs *all)
{
    if (all->lines.out.error != 0)
        return &all->lines.out;
    return all->repeats.out.error != 0 ? &all->repeats.out : NULL;
}

static int keep_one(dedup_output *one)
{
    if (!one->is_open)
        return 0;
    one->is_open = false;
    errno = 0;
    if (replace_end(&one->file, true) == 0)
        return 0;
    return complain_of_file(one->path, errno);
}

int dedup_outputs_keep(dedup_outputs *all)
{
    int status = keep_one(&all->repeats);
    return status == 0 ? keep_one(&all->lines) : status;
}

static void free_one(dedup_output *one)
{
    if (one->is_open)
        (void)replace_end(&one->file, false);
    one->is_open = false;
    output_free(&one->out);
}

void dedup_outputs_free(dedup_outputs *all)
{
    free_one(&all->lines);
    free_one(&all->repeats);
}
