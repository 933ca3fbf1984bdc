/* temporary.c - see system/temporary.h: a file without a name. */
#define _GNU_SOURCE /* O_TMPFILE, mkostemp, mmap */
#include "system/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

const char *temporary_folder(void)
{
    static const char *const folders[] = {"/var/tmp", "/tmp"};
    const char *wished = getenv("TMPDIR");
    if (wished != NULL && wished[0] != '\0')
        return wished;
    return access(folders[0], W_OK | X_OK) == 0 ? folders[0] : folders[1];
}

/* For file systems that make no file without a name. */
static int open_named(const char *folder)
{
    char path[PATH_MAX];
    int length = snprintf(path, sizeof path, "%s/seenset-XXXXXX", folder);
    if (length < 0 || (size_t)length >= sizeof path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    int fd = mkostemp(path, O_CLOEXEC);
    if (fd >= 0)
        (void)unlink(path);
    return fd;
}

int temporary_open(void)
{
    const char *folder = temporary_folder();
    int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR))
        return fd;
    return open_named(folder);
}

const void *temporary_map(int fd, size_t size)
{
    void *map = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);
    if (map == MAP_FAILED)
        return NULL;
    (void)madvise(map, size, MADV_SEQUENTIAL);
    return map;
}

void temporary_unmap(const void *map, size_t size)
{
    (void)munmap((void *)map, size);
}
