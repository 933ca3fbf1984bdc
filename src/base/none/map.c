/* map.c - files cannot be mapped: a set is opened as a copy */
#include "base/map.h"

#include <errno.h>

void *ss_map_file(int fd, size_t size_bytes)
{
    (void)fd;
    (void)size_bytes;
    errno = ENOSYS;
    return NULL;
}

void *ss_map_file_as_copy(int fd, size_t size_bytes)
{
    return ss_map_file(fd, size_bytes);
}

void *ss_map_file_for_few(int fd, size_t size_bytes)
{
    return ss_map_file(fd, size_bytes);
}

void ss_map_end(void *mapping, size_t size_bytes)
{
    (void)mapping;
    (void)size_bytes;
}
