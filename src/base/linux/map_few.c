/* map_few.c - a mapping of which few pages will be written, by Linux: no memory
 * is set aside for all */
#define _GNU_SOURCE /* MAP_NORESERVE */
#include "base/map.h"

#include <sys/mman.h>

void *ss_map_file_for_few(int fd, size_t size_bytes)
{
    void *mapping = mmap(NULL, size_bytes, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_NORESERVE, fd, 0);
    return mapping == MAP_FAILED ? NULL : mapping;
}
