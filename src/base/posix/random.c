/* random.c - the kernel's random bytes, out of the device that has them on each
 * system that POSIX describes; the promise is in random.h */
#define _POSIX_C_SOURCE 200809L
#include "base/random.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define DEVICE "/dev/urandom"

/* A file of that name, in a folder that someone made into a root, is not it. */
static bool is_device(int fd)
{
    struct stat status;
    return fstat(fd, &status) == 0 && S_ISCHR(status.st_mode);
}

static bool read_all(int fd, char *bytes, size_t size_bytes)
{
    while (size_bytes > 0) {
        ssize_t got = read(fd, bytes, size_bytes);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        bytes += got;
        size_bytes -= (size_t)got;
    }
    return true;
}

bool ss_random_fill(void *bytes, size_t size_bytes)
{
    int fd;
    do {
        fd = open(DEVICE, O_RDONLY | O_CLOEXEC);
    } while (fd < 0 && errno == EINTR);
    if (fd < 0)
        return false;
    bool is_filled = is_device(fd) && read_all(fd, bytes, size_bytes);
    (void)close(fd);
    return is_filled;
}
