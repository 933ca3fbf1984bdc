/*
 * target.c - see target.h.
 */
#define _GNU_SOURCE /* readlink, asprintf, pathconf */
#include "sets/target.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "seenset/hash.h"
#include "system/path.h"

enum {
    MOST_LINKS = 40 /* as many as the system follows */
};

/* The length of the folder part, with its last slash; 0 if there is none. */
static size_t folder_length(const char *path)
{
    return (size_t)(path_name(path) - path);
}

/* The first `length` bytes of the folder part, then the formatted name. */
static char *in_folder(const char *path, size_t length, const char *name)
{
    char *out = NULL;
    if (asprintf(&out, "%.*s%s", (int)length, path, name) < 0) {
        errno = ENOMEM;
        return NULL;
    }
    return out;
}

/*
 * Replaces *path by what it leads to. Returns 1; 0 if it is not a link, or not
 * there; -1 and errno.
 */
static int follow(char **path)
{
    char text[PATH_MAX];
    ssize_t length = readlink(*path, text, sizeof text - 1);
    if (length < 0)
        return errno == EINVAL || errno == ENOENT ? 0 : -1;
    text[length] = '\0';
    size_t kept = path_is_absolute(text) ? 0 : folder_length(*path);
    char *next = in_folder(*path, kept, text);
    if (next == NULL)
        return -1;
    free(*path);
    *path = next;
    return 1;
}

char *target_of(const char *path)
{
    char *out = strdup(path);
    int followed = out == NULL ? -1 : 1;
    for (int links = 0; followed == 1; links++) {
        followed = follow(&out);
        if (followed == 1 && links == MOST_LINKS) {
            errno = ELOOP;
            followed = -1;
        }
    }
    if (followed == 0)
        return out;
    free(out);
    return NULL;
}

/* Of the file system that the target's folder is on. */
static size_t longest_name(const char *target)
{
    char *folder = in_folder(target, folder_length(target), ".");
    long longest = folder == NULL ? -1 : pathconf(folder, _PC_NAME_MAX);
    free(folder);
    return longest > 0 ? (size_t)longest : NAME_MAX;
}

char *target_beside(const char *target, const char *suffix)
{
    size_t length = folder_length(target);
    const char *name = target + length;
    char *out = NULL;
    int written = 0;
    if (strlen(name) + strlen(suffix) <= longest_name(target))
        written = asprintf(&out, "%s%s", target, suffix);
    else
        written = asprintf(&out, "%.*s.seenset-%016llx%s", (int)length, target,
                           (unsigned long long)seenset_hash(name, strlen(name)),
                           suffix);
    if (written >= 0)
        return out;
    errno = ENOMEM;
    return NULL;
}
