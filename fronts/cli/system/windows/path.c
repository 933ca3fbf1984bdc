/* path.c - see system/path.h: names end with '/' or '\', and a drive's with
 * ':'. */
#include "system/path.h"

#include "base/path.h"

const char *path_name(const char *path)
{
    return ss_path_name(path);
}

char *path_folder(const char *path)
{
    size_t length = (size_t)(path_name(path) - path);
    if (length == 0)
        return strdup(".");
    bool is_root = length == 1 || path[length - 2] == ':';
    return strndup(path, is_root ? length : length - 1);
}

bool path_is_absolute(const char *path)
{
    return ss_path_is_slash(path[0]) || (path[0] != '\0' && path[1] == ':');
}
