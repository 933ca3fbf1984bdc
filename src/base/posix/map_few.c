/* map_few.c - a mapping of which few pages will be written, by POSIX, which has
 * no word for that: a system that sets memory aside does so for all */
#include "base/map.h"

void *ss_map_file_for_few(int fd, size_t size_bytes)
{
    return ss_map_file_as_copy(fd, size_bytes);
}
