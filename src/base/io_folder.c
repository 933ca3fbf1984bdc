/* io_folder.c - the folder of a file, made durable */
#include <errno.h>
#include <string.h>

#include "base/io.h"
#include "base/path.h"

/* The folder part of a path that fits SS_PATH_MAX: "." without a slash. */
static bool folder_of(char folder[SS_PATH_MAX], const char *path)
{
    const char *slash = strrchr(path, '/');
    size_t length = slash == NULL ? 0 : (size_t)(slash - path);
    if (length >= SS_PATH_MAX) {
        errno = ENAMETOOLONG;
        return false;
    }
    memcpy(folder, path, length);
    folder[length] = '\0';
    if (slash == NULL)
        strcpy(folder, ".");
    else if (length == 0)
        strcpy(folder, "/");
    return true;
}

bool ss_io_sync_folder_of(const ss_io *io, const char *path)
{
    char folder[SS_PATH_MAX];
    return folder_of(folder, path) && ss_io_sync_folder(io, folder);
}
