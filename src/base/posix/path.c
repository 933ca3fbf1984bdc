/* path.c - paths by stat and readlink; the promises are in path.h */
#define _POSIX_C_SOURCE 200809L
#include "base/path.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

bool ss_path_look(const char *path, ss_path_found *out)
{
    struct stat status;
    *out = (ss_path_found){.kind = SS_PATH_NOTHING};
    if (stat(path, &status) != 0)
        return errno == ENOENT;
    out->kind = S_ISREG(status.st_mode)   ? SS_PATH_FILE
                : S_ISDIR(status.st_mode) ? SS_PATH_FOLDER
                                          : SS_PATH_OTHER;
    out->mode = status.st_mode & 07777;
    return true;
}

bool ss_path_set_mode(int fd, unsigned mode)
{
    return fchmod(fd, (mode_t)mode) == 0;
}

ptrdiff_t ss_path_read_link(const char *path, char *text, size_t room)
{
    ssize_t length = readlink(path, text, room);
    if (length < 0 && (errno == EINVAL || errno == ENOENT))
        return 0;
    return length;
}
