/*
 * new_file.c - see new_file.h.
 */
#include "commands/new_file.h"

#include "command.h"
#include "sets/lock.h"
#include "sets/setfile.h"
#include "text/options.h"

int new_file_parse_secret(int key, char *text, new_secret *secret)
{
    switch (key) {
    case OPTION_KEYED:
        secret->is_keyed = true;
        return 0;
    case OPTION_SECRET_FILE:
        secret->secret_path = text;
        return 0;
    default:
        return ARGUMENTS_UNKNOWN;
    }
}

int new_file_parse(int key, char *text, new_file *file)
{
    if (key != OPTION_FORCE)
        return new_file_parse_secret(key, text, &file->secret);
    file->is_forced = true;
    return 0;
}

static int make_locked(new_file *file, seenset_options *options,
                       new_file_maker *make, void *request)
{
    if (setfile_check_free(file->path, file->is_forced) != 0)
        return COMMAND_ERROR;
    seenset *set = NULL;
    int status = new_secret_prepare(&file->secret, file->path, options);
    if (status == 0)
        status = make(request, &set);
    if (status == 0)
        status = setfile_save(set, file->path);
    new_secret_finish(&file->secret, status == 0);
    seenset_free(set);
    return status;
}

int new_file_run(new_file *file, seenset_options *options, new_file_maker *make,
                 void *request)
{
    lock held = LOCK_FREE;
    int status = lock_take(&held, file->path);
    if (status == 0)
        status = make_locked(file, options, make, request);
    lock_release(&held);
    return status;
}
