/*
 * rename.c - gives a set file another name, with the files that belong to it.
 *
 * Two files cannot be renamed in one step, so the order matters. A keyed set
 * is useless without its secret, and a secret without a set does no harm:
 *
 *     1. NEW.secret is made, with the bytes of OLD.secret, and synced
 *     2. OLD becomes NEW, in one step of the file system
 *     3. OLD.secret is removed
 *
 * A journal is folded into OLD before that, as it is known by OLD's name.
 *
 * Whenever the machine stops, there is a whole set, OLD or NEW, and its secret
 * beside it. What is left over is OLD.secret or NEW.secret, perhaps in part,
 * and the same command once more ends what was begun. With --force the old NEW
 * is removed first, then its secret: a secret is never beside a set that it
 * does not fit.
 */
#define _GNU_SOURCE /* asprintf, O_DIRECTORY */
#include "text/arguments.h"
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "report/complain.h"
#include "report/replace.h"
#include "sets/fold.h"
#include "sets/lock.h"
#include "sets/secret.h"
#include "sets/set_options.h"
#include "sets/setfile.h"
#include "text/arguments.h"
#include "text/options.h"

typedef struct rename_request {
    const char *old_path, *new_path;
    bool is_forced;
    char *old_secret, *new_secret; /* where they are looked for */
    bool is_keyed;
} rename_request;

static const option_row rename_options[] = {
    {"force", OPTION_FORCE, NULL, 0, "Replace NEW if it exists"},
    SET_OPTIONS_WRITE,
    {0}};

static int parse_option(int key, char *text, arguments *state)
{
    rename_request *request = state->input;
    switch (key) {
    case OPTION_FORCE:
        request->is_forced = true;
        return 0;
    case ARGUMENTS_WORD:
        options_check_path(state, "name of a set file", text);
        if (request->old_path == NULL)
            request->old_path = text;
        else if (request->new_path == NULL)
            request->new_path = text;
        else
            arguments_refuse(state, "OLD and NEW, not also '%s'", text);
        return 0;
    case ARGUMENTS_END:
        if (request->new_path == NULL)
            arguments_refuse(state, "OLD and NEW are needed");
        return 0;
    default:
        return set_options_parse(key, text, state);
    }
}

static const command_syntax rename_syntax = {
    .options = rename_options,
    .parser = parse_option,
    .operands = "OLD NEW",
    .text =
        "Give the set file OLD the name NEW, and its secret the name "
        "NEW.secret, if it has one.\vWhenever the machine stops, the set is "
        "whole under one of its names, and its secret is beside it. If it "
        "was stopped, give the same command again."};

/* ---- what may be renamed ---- */

static bool is_there(const char *path)
{
    struct stat status;
    return lstat(path, &status) == 0;
}

static bool is_kind(const char *path, mode_t kind)
{
    struct stat status;
    return lstat(path, &status) == 0 && (status.st_mode & S_IFMT) == kind;
}

/* Only the file knows: a secret beside it may be that of another. */
static bool is_keyed(const char *path)
{
    seenset *plain = NULL;
    const seenset_open_options options = {.flags = SEENSET_OPEN_UNCHECKED};
    int error = seenset_open(&plain, path, &options);
    seenset_free(plain);
    return error == SEENSET_ESECRET;
}

static int check_old(const rename_request *request)
{
    const char *path = request->old_path;
    if (is_kind(path, S_IFLNK))
        complain("%s: a link to a set file; rename the file that it leads to, "
                 "and make the link again",
                 path);
    else if (!is_there(path))
        complain("%s: %s", path, strerror(ENOENT));
    else if (!setfile_is_set(path))
        complain("%s: not a set file; 'mv' renames other files", path);
    else
        return 0;
    return COMMAND_ERROR;
}

static int check_new(const rename_request *request)
{
    const char *path = request->new_path;
    if (setfile_is_same(request->old_path, path))
        complain("%s: the same file as %s", path, request->old_path);
    else if (is_kind(path, S_IFDIR))
        complain("%s: a folder; name the file in it", path);
    else if (is_there(path) && !is_kind(path, S_IFREG))
        complain("%s: not a file; choose another name", path);
    else if (is_there(path) && !request->is_forced)
        complain("%s: exists already; --force replaces it", path);
    else
        return 0;
    return COMMAND_ERROR;
}

/* ---- the steps ---- */

/* Some file systems cannot; the rename stays whole. */
static void sync_folder(const char *path)
{
    (void)replace_sync_folder(path);
}

/* Removes a file that may be there. */
static int remove_file(const char *path)
{
    if (unlink(path) == 0 || errno == ENOENT)
        return 0;
    complain("%s: cannot be removed: %s", path, strerror(errno));
    return COMMAND_ERROR;
}

/*
 * --force: what is in the way, the set before its secret. A secret without a
 * set may be left of an attempt that was stopped.
 */
static int clear_way(const rename_request *request, bool carries)
{
    int status = 0;
    if (!request->is_forced)
        return 0;
    bool had_secret = is_keyed(request->new_path);
    if (is_there(request->new_path)) {
        status = remove_file(request->new_path);
        sync_folder(request->new_path);
    }
    if (status == 0 && (had_secret || carries))
        status = remove_file(request->new_secret);
    return status;
}

static int move_set(const rename_request *request)
{
    if (rename(request->old_path, request->new_path) == 0) {
        sync_folder(request->new_path);
        sync_folder(request->old_path);
        return 0;
    }
    if (errno == EXDEV)
        complain("%s: on another file system than %s; 'cp' the set and its "
                 "secret there, then remove the old ones",
                 request->new_path, request->old_path);
    else
        complain("%s: cannot become %s: %s", request->old_path,
                 request->new_path, strerror(errno));
    return COMMAND_ERROR;
}

/* Is the secret where the set looks for it? With --secret-file it is not. */
static bool has_secret(const rename_request *request)
{
    return request->is_keyed && is_there(request->old_secret);
}

/* A secret of which no byte, or not every byte, was written: a copy that was
 * stopped. Nobody is writing it, as the names are locked. */
static int clear_unfinished(const char *path)
{
    struct stat status;
    if (lstat(path, &status) != 0 || !S_ISREG(status.st_mode) ||
        status.st_size >= 2 * SEENSET_SECRET_BYTES)
        return 0;
    return remove_file(path);
}

/*
 * Keys may be in a journal beside the set, which then is of one name only. They
 * are saved in the file first, so that one file is moved.
 */
static int fold(const rename_request *request)
{
    uint8_t secret[SEENSET_SECRET_BYTES];
    seenset_open_options options = {0};
    char *log = NULL;
    if (asprintf(&log, "%s.log", request->old_path) < 0) {
        complain("%s: %s", request->old_path, strerror(ENOMEM));
        return COMMAND_ERROR;
    }
    bool has_log = is_there(log);
    free(log);
    if (!has_log)
        return 0;
    if (has_secret(request)) {
        if (secret_read(request->old_secret, request->old_path, secret) != 0)
            return COMMAND_ERROR;
        options.secret = secret;
    }
    int error = fold_journal(request->old_path, &options);
    secret_wipe(secret);
    if (error != 0)
        setfile_complain(request->old_path, error);
    return error == 0 ? 0 : COMMAND_ERROR;
}

static int move_all(const rename_request *request)
{
    bool carries = has_secret(request);
    int status = fold(request);
    if (status == 0)
        status = clear_way(request, carries);
    if (status == 0 && carries)
        status = clear_unfinished(request->new_secret);
    bool was_there = is_there(request->new_secret);
    if (status == 0 && carries) {
        status = secret_carry(request->old_path, NULL, request->new_path);
        sync_folder(request->new_path);
    }
    if (status != 0)
        return status;
    status = move_set(request);
    if (status == 0 && request->is_keyed && !carries)
        complain("%s: is keyed, and its secret is not in %s: name its file "
                 "with --secret-file as before",
                 request->new_path, request->old_secret);
    if (!carries)
        return status;
    if (status == 0)
        status = remove_file(request->old_secret);
    else if (!was_there)
        (void)unlink(request->new_secret);
    return status;
}

/*
 * A rename that was stopped after its second step: NEW is there and keyed, OLD
 * is not, and both have the same secret. secret_carry compares them.
 */
static bool was_begun(const rename_request *request)
{
    return !is_there(request->old_path) && is_there(request->old_secret) &&
           is_there(request->new_secret) && is_keyed(request->new_path);
}

static int end_begun(const rename_request *request)
{
    int status = secret_carry(request->old_path, NULL, request->new_path);
    return status == 0 ? remove_file(request->old_secret) : status;
}

static int run_locked(rename_request *request)
{
    if (was_begun(request))
        return end_begun(request);
    int status = check_old(request);
    if (status == 0)
        status = check_new(request);
    if (status != 0)
        return status;
    request->is_keyed = is_keyed(request->old_path);
    status = setfile_compact(request->old_path, NULL);
    if (status != 0)
        return status;
    return move_all(request);
}

/* The locks are files beside the sets: where OLD is not there, nor is its
 * folder perhaps. */
static int run(rename_request *request)
{
    lock old_lock = LOCK_FREE;
    lock new_lock = LOCK_FREE;
    request->old_secret = secret_path_of(request->old_path);
    request->new_secret = secret_path_of(request->new_path);
    int status = COMMAND_ERROR;
    if (request->old_secret != NULL && request->new_secret != NULL)
        status = lock_take(&old_lock, request->old_path);
    if (status == 0 && !setfile_is_same(request->old_path, request->new_path))
        status = lock_take(&new_lock, request->new_path);
    if (status == 0)
        status = run_locked(request);
    lock_release(&new_lock);
    lock_release(&old_lock);
    free(request->old_secret);
    free(request->new_secret);
    return status;
}

int command_rename(int argc, char **argv)
{
    rename_request request = {0};
    arguments_parse(&rename_syntax, argc, argv, &request);
    return run(&request);
}
