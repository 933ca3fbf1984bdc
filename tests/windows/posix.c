/* posix.c - see posix.h */
#include "posix.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <stdio.h>
#include <string.h>
#include <windows.h>

#include <cmocka.h>

/* Files hold the bytes that were written: no line ends are changed. */
__attribute__((constructor)) static void write_binary(void)
{
    _fmode = _O_BINARY;
}

char *mkdtemp(char *name)
{
    char *end = name + strlen(name) - 6;
    static unsigned number;
    for (int tries = 0; tries < 100; tries++) {
        snprintf(end, 7, "%06x",
                 (unsigned)(GetCurrentProcessId() * 4096 + number++) &
                     0xffffff);
        if (CreateDirectoryA(name, NULL))
            return name;
    }
    return NULL;
}

int truncate(const char *path, off_t size)
{
    int fd = open(path, O_RDWR);
    int result = fd < 0 ? -1 : ftruncate(fd, size);
    if (fd >= 0)
        close(fd);
    return result;
}

int windows_rename(const char *from, const char *to)
{
    return MoveFileExA(from, to, MOVEFILE_REPLACE_EXISTING) ? 0 : -1;
}

/* The same byte that the library locks. */
int flock(int fd, int how)
{
    OVERLAPPED place = {0};
    HANDLE handle = (HANDLE)_get_osfhandle(fd);
    place.Offset = 0xfffffffe;
    place.OffsetHigh = 0x7fffffff;
    if (how == LOCK_UN)
        return UnlockFileEx(handle, 0, 1, 0, &place) ? 0 : -1;
    DWORD flags = LOCKFILE_EXCLUSIVE_LOCK |
                  (how & LOCK_NB ? LOCKFILE_FAIL_IMMEDIATELY : 0);
    errno = EWOULDBLOCK;
    return LockFileEx(handle, flags, 0, 1, 0, &place) ? 0 : -1;
}

ssize_t pread(int fd, void *bytes, size_t size, off_t offset)
{
    off_t at = lseek(fd, 0, SEEK_CUR);
    lseek(fd, offset, SEEK_SET);
    ssize_t got = read(fd, bytes, (unsigned)size);
    lseek(fd, at, SEEK_SET);
    return got;
}

ssize_t pwrite(int fd, const void *bytes, size_t size, off_t offset)
{
    off_t at = lseek(fd, 0, SEEK_CUR);
    lseek(fd, offset, SEEK_SET);
    ssize_t written = write(fd, bytes, (unsigned)size);
    lseek(fd, at, SEEK_SET);
    return written;
}

/* ---- what is not there ---- */

static int skip_for(const char *what)
{
    printf("[  WITHOUT ] %s\n", what);
    skip();
    return -1;
}

int symlink(const char *text, const char *path)
{
    (void)text;
    (void)path;
    return skip_for("links, which need a right of their own");
}

int mkfifo(const char *path, unsigned mode)
{
    (void)path;
    (void)mode;
    return skip_for("pipes in folders");
}

ssize_t readlink(const char *path, char *text, size_t room)
{
    (void)path;
    (void)text;
    (void)room;
    return skip_for("links, which need a right of their own");
}

int windows_path_flag(void)
{
    return skip_for("files opened by name only");
}
