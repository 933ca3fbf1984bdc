/* path.c - see system/path.h */
#define _GNU_SOURCE /* strdup, strndup */
#include "system/path.h"

#include <string.h>

const char *path_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

char *path_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (slash == NULL)
        return strdup(".");
    return strndup(path, slash == path ? 1 : (size_t)(slash - path));
}

bool path_is_absolute(const char *path)
{
    return path[0] == '/';
}
