/*
 * delete.c - removes a queue's folder.
 *
 * A folder cannot be removed in one step. The MANIFEST goes first, and that is
 * made durable: from then on there is no queue, and what a killed command or a
 * power cut leaves is recognised by its log and removed with --force. The lock
 * of the queue is held from before its items are counted to the end.
 *
 * Nothing is followed: not a link in place of the folder, and not one in it.
 * Only files with the names of a queue's (docs/queue.md) are removed. If others
 * are in the folder, it stays, with these.
 */
#define _GNU_SOURCE /* openat, flock */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "queue/access/access.h"
#include "queue/access/look.h"
#include "queue/access/wait.h"
#include "queue/queue.h"
#include "report/complain.h"
#include "text/arguments.h"
#include "text/options.h"
#include "text/units.h"

typedef struct request {
    queue_access access;
    bool is_forced;
} request;

static const option_row delete_options[] = {
    {"force", OPTION_FORCE, NULL, 0,
     "Also if items are not acked, or if the queue cannot be read"},
    QUEUE_SECRET_ROW,
    QUEUE_WAIT_ROW,
    {0}};

static int parse_option(int key, char *text, arguments *state)
{
    request *to = state->input;
    switch (key) {
    case OPTION_FORCE:
        to->is_forced = true;
        return 0;
    default:
        return queue_parse_access(state, key, text, &to->access);
    }
}

static const command_syntax delete_syntax = {
    .options = delete_options,
    .parser = parse_option,
    .operands = "DIR",
    .text = "Delete the queue in DIR, and DIR if nothing else is in it.\v"
            "A queue with items that are not acked is deleted with --force "
            "only. The secret of a keyed queue, in DIR.secret, is kept."};

/* ---- is it a queue? ---- */

typedef enum content {
    OTHER,
    QUEUE,
    REMAINS /* of one: a log, and no MANIFEST */
} content;

/* Is it a regular file that begins so? */
static bool begins_as(int folder, const char *name, const char *magic)
{
    char bytes[8] = "";
    struct stat status;
    int fd =
        openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return false;
    bool is_so = fstat(fd, &status) == 0 && S_ISREG(status.st_mode) &&
                 read(fd, bytes, 7) == 7 && strcmp(bytes, magic) == 0;
    close(fd);
    return is_so;
}

static bool has_position(const char *name, const char *prefix)
{
    size_t length = strlen(prefix);
    if (strncmp(name, prefix, length) != 0)
        return false;
    name += length;
    return strspn(name, "0123456789abcdef") == 16 &&
           (name[16] == '\0' || strcmp(name + 16, ".tmp") == 0);
}

/* Is it the name of a file that the queue makes, LOCK and MANIFEST aside? */
static bool is_own_name(const char *name)
{
    return has_position(name, "log-") || has_position(name, "set-") ||
           has_position(name, "state-") || has_position(name, "delayed-") ||
           strcmp(name, "REPAIR") == 0 || strcmp(name, "REPAIR.tmp") == 0 ||
           strcmp(name, "MANIFEST.tmp") == 0;
}

/* A list of the folder from its beginning, or NULL. */
static DIR *list(int folder)
{
    int fd = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *names = fd < 0 ? NULL : fdopendir(fd);
    if (names == NULL && fd >= 0)
        close(fd);
    return names;
}

static content look_into(int folder)
{
    const struct dirent *entry;
    content found = OTHER;
    if (begins_as(folder, "MANIFEST", "SEENQUE"))
        return QUEUE;
    DIR *names = list(folder);
    while (names != NULL && found == OTHER && (entry = readdir(names)) != NULL)
        if (has_position(entry->d_name, "log-") &&
            begins_as(folder, entry->d_name, "SEENLOG"))
            found = REMAINS;
    if (names != NULL)
        closedir(names);
    return found;
}

/* ---- may it go? ---- */

static int complain_system(const char *path)
{
    complain("%s: %s", path, strerror(errno));
    return COMMAND_ERROR;
}

/* Opens the folder, but not through a link. Returns -1 after a message. */
static int open_folder(const char *path)
{
    struct stat status;
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd >= 0)
        return fd;
    int error = errno;
    if (lstat(path, &status) == 0 && S_ISLNK(status.st_mode)) {
        complain("%s: a link is not followed; name the folder itself", path);
        return -1;
    }
    errno = error;
    (void)complain_system(path);
    return -1;
}

typedef struct locking {
    int folder, lock; /* descriptors */
} locking;

/* The lock that an open queue has (docs/queue.md). */
static int try_to_lock(void *context)
{
    locking *now = context;
    now->lock = openat(now->folder, "LOCK",
                       O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (now->lock < 0)
        return SEENSET_EIO;
    if (flock(now->lock, LOCK_EX | LOCK_NB) == 0)
        return SEENSET_OK;
    int error = errno;
    close(now->lock);
    errno = error;
    return error == EWOULDBLOCK ? SEENSET_EINUSE : SEENSET_EIO;
}

/* Returns 0 if no item would be lost, or COMMAND_ERROR after a message. */
static int check_items(const request *from)
{
    queue_look now;
    const char *dir = from->access.dir;
    if (queue_look_at(&now, &from->access) != 0) {
        complain("%s: so its items are not known; --force deletes it all the "
                 "same",
                 dir);
        return COMMAND_ERROR;
    }
    uint64_t count = now.stats.pending_items + now.stats.leased_items;
    if (count == 0)
        return 0;
    complain("%s: %s item%s not acked; --force deletes %s too", dir,
             units_grouped(count).text, count == 1 ? " is" : "s are",
             count == 1 ? "it" : "them");
    return COMMAND_ERROR;
}

static int check(const request *from, int folder)
{
    const char *dir = from->access.dir;
    content found = look_into(folder);
    if (found == OTHER) {
        complain("%s: not a queue; nothing was deleted", dir);
        return COMMAND_ERROR;
    }
    if (from->is_forced)
        return 0;
    if (found == QUEUE)
        return check_items(from);
    complain("%s: it has a log, but no MANIFEST: what is left of a queue; "
             "--force deletes it",
             dir);
    return COMMAND_ERROR;
}

/* ---- removing ---- */

/* Removes the files that it finds: the log, or those that are not. Returns how
 * many, or -1 and errno. */
static int remove_files(int folder, bool is_log)
{
    const struct dirent *entry;
    int count = 0;
    DIR *names = list(folder);
    if (names == NULL)
        return -1;
    while (count >= 0 && (entry = readdir(names)) != NULL)
        if (is_own_name(entry->d_name) &&
            (strncmp(entry->d_name, "log-", 4) == 0) == is_log)
            count = unlinkat(folder, entry->d_name, 0) == 0 ? count + 1 : -1;
    int error = errno;
    closedir(names);
    errno = error;
    return count;
}

static int remove_name(int folder, const char *name)
{
    return unlinkat(folder, name, 0) == 0 || errno == ENOENT ? 0 : -1;
}

/* A list may leave out files while others are removed, so it is read until
 * there is none. */
static int remove_all_files(int folder, bool is_log)
{
    int count = 1;
    while (count > 0)
        count = remove_files(folder, is_log);
    return count;
}

/* By the log, what is left of it is recognised, so that goes last. Returns 0,
 * or -1 and errno. */
static int remove_all(int folder)
{
    if (remove_name(folder, "MANIFEST") != 0 || fsync(folder) != 0 ||
        remove_all_files(folder, false) != 0 ||
        remove_all_files(folder, true) != 0)
        return -1;
    return remove_name(folder, "LOCK");
}

static int remove_queue(const char *path, int folder)
{
    if (remove_all(folder) != 0) {
        complain("%s: %s; once that is mended, delete it again with --force",
                 path, strerror(errno));
        return COMMAND_ERROR;
    }
    if (rmdir(path) != 0)
        complain("%s: the queue is deleted, and the folder is kept: %s", path,
                 strerror(errno));
    return COMMAND_DONE;
}

static int run(const request *from, const char *path, int folder)
{
    locking now = {.folder = folder, .lock = -1};
    double seconds = from->access.wait_seconds;
    if (look_into(folder) == OTHER) /* then not even a LOCK is made in it */
        return check(from, folder);
    int error = queue_wait(path, seconds, try_to_lock, &now);
    if (error == SEENSET_EINUSE)
        return queue_complain_in_use(path, seconds);
    if (error != SEENSET_OK)
        return complain_system(path);
    int status = check(from, folder);
    if (status == 0)
        status = remove_queue(path, folder);
    close(now.lock);
    return status;
}

int queue_delete(int argc, char **argv)
{
    request from = {.access.wait_seconds = QUEUE_WAIT_DEFAULT_SECONDS};
    arguments_parse(&delete_syntax, argc, argv, &from);
    /* With a slash at its end, a link would be followed. */
    char *path = queue_name_of(from.access.dir);
    if (path == NULL)
        return complain_system(from.access.dir);
    from.access.dir = path;
    int folder = open_folder(path);
    int status = folder < 0 ? COMMAND_ERROR : run(&from, path, folder);
    if (folder >= 0)
        close(folder);
    free(path);
    return status;
}
