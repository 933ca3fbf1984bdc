/* beside.c - see system/beside.h: the file has its name at once, and goes with
 * the process until it is kept. */
#include "system/beside.h"

#include "base/path.h"
#include "system/windows/new_file.h"

int beside_open(const char *target, char *name, bool *is_named)
{
    ss_path_found old;
    *is_named = false;
    int fd = new_file_open(name);
    if (fd >= 0 && ss_path_look(target, &old) && old.kind == SS_PATH_FILE)
        (void)ss_path_set_mode(fd, old.mode);
    return fd;
}

/* Some versions of Windows do so, on some file systems, if it is not a view. */
bool beside_replaces_open(void)
{
    return false;
}

int beside_keep(int fd, char *name)
{
    (void)name;
    return new_file_keep(fd);
}
