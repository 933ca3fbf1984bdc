/* exists.c - is there a queue in a folder? */
#define _POSIX_C_SOURCE 200809L /* fstatat */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "queue/queue.h"

bool queue_is_at(const char *dir)
{
    struct stat found;
    int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return false;
    bool is_there = fstatat(fd, "MANIFEST", &found, 0) == 0;
    close(fd);
    return is_there;
}
