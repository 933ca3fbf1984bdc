/* target.c - see target.h */
#include "file/target.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "seenset/hash.h"

enum {
    MOST_LINKS = 40,   /* as many as the system follows */
    PREFIX_BYTES = 25, /* ".seenset-" and 16 digits */
    BESIDE_BYTES = PREFIX_BYTES + SS_TARGET_SUFFIX_BYTES + 1
};

const char *ss_target_base(const char *path)
{
    return ss_path_name(path);
}

/* Puts `text` where the bytes from `at` on are. */
static bool put(char target[SS_PATH_MAX], size_t at, const char *text)
{
    size_t length = strlen(text);
    if (length >= SS_PATH_MAX - at) {
        errno = ENAMETOOLONG;
        return false;
    }
    memcpy(target + at, text, length + 1);
    return true;
}

static size_t folder_length(const char *path)
{
    return (size_t)(ss_target_base(path) - path);
}

/* Goes on to where one link leads. 0: it is not a link; -1: errno. */
static int follow(char target[SS_PATH_MAX])
{
    char text[SS_PATH_MAX];
    ptrdiff_t length = ss_path_read_link(target, text, sizeof text - 1);
    if (length <= 0)
        return (int)length;
    text[length] = '\0';
    size_t at = ss_path_is_slash(text[0]) ? 0 : folder_length(target);
    return put(target, at, text) ? 1 : -1;
}

bool ss_target_find(char target[SS_PATH_MAX], const char *path)
{
    char found[SS_PATH_MAX];
    int links = 0, followed = 1;
    if (!put(found, 0, path))
        return false;
    while (links++ <= MOST_LINKS && (followed = follow(found)) == 1)
        continue;
    if (followed == 1)
        errno = ELOOP;
    if (followed != 0)
        return false;
    if (folder_length(found) > SS_PATH_MAX - BESIDE_BYTES) {
        errno = ENAMETOOLONG;
        return false;
    }
    return put(target, 0, found);
}

void ss_target_beside(char out[SS_PATH_MAX], const char *target,
                      const char *suffix)
{
    const char *base = ss_target_base(target);
    size_t at = (size_t)(base - target);
    unsigned long long hash = seenset_hash(base, strlen(base));
    memcpy(out, target, at);
    (void)snprintf(out + at, BESIDE_BYTES, ".seenset-%016llx%s", hash, suffix);
}
