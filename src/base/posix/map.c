/* map.c - files as memory, by mmap */
#define _POSIX_C_SOURCE 200809L
#include "base/map.h"

#include <sys/mman.h>

static void *map(int fd, size_t size_bytes, int protection, int flags)
{
    void *mapping = mmap(NULL, size_bytes, protection, flags, fd, 0);
    return mapping == MAP_FAILED ? NULL : mapping;
}

void *ss_map_file(int fd, size_t size_bytes)
{
    return map(fd, size_bytes, PROT_READ, MAP_SHARED);
}

void *ss_map_file_as_copy(int fd, size_t size_bytes)
{
    return map(fd, size_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE);
}

void ss_map_end(void *mapping, size_t size_bytes)
{
    if (mapping != NULL)
        munmap(mapping, size_bytes);
}
