/* io_folder.c - the folder of a file, made durable */
#include <errno.h>
#include <string.h>

#include "base/io.h"
#include "base/path.h"

/* The folder part of a path that fits SS_PATH_MAX: "." without a slash. */
static bool folder_of(char folder[SS_PATH_MAX], const char *path)
{
    size_t length = (size_t)(ss_path_name(path) - path);
    if (length == 0) {
        strcpy(folder, ".");
        return true;
    }
    /* the slash of a root stays: "/", "C:/" */
    if (length > 1 && ss_path_is_slash(path[length - 1]) &&
        path[length - 2] != ':')
        length--;
    if (length >= SS_PATH_MAX) {
        errno = ENAMETOOLONG;
        return false;
    }
    memcpy(folder, path, length);
    folder[length] = '\0';
    return true;
}

bool ss_io_sync_folder_of(const ss_io *io, const char *path)
{
    char folder[SS_PATH_MAX];
    return folder_of(folder, path) && ss_io_sync_folder(io, folder);
}
