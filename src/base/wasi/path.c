/* path.c - there are no folders; the promises are in path.h */
#include "base/path.h"

#include <errno.h>

bool ss_path_look(const char *path, ss_path_found *out)
{
    (void)path;
    (void)out;
    errno = ENOSYS;
    return false;
}

bool ss_path_set_mode(int fd, unsigned mode)
{
    (void)fd;
    (void)mode;
    errno = ENOSYS;
    return false;
}

ptrdiff_t ss_path_read_link(const char *path, char *text, size_t room)
{
    (void)path;
    (void)text;
    (void)room;
    errno = ENOSYS;
    return -1;
}
