/* map_posix.c - files as memory, by mmap */
#define _POSIX_C_SOURCE 200809L
#include "base/map.h"

#include <sys/mman.h>

void *ss_map_file(int fd, size_t size_bytes)
{
    void *mapping = mmap(NULL, size_bytes, PROT_READ, MAP_SHARED, fd, 0);
    return mapping == MAP_FAILED ? NULL : mapping;
}

void ss_map_end(void *mapping, size_t size_bytes)
{
    if (mapping != NULL)
        munmap(mapping, size_bytes);
}
