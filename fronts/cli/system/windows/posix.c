/*
 * posix.c - see posix.h: calls on files, by the library's own table of them
 * (src/base/windows).
 *
 * On Windows a read at an offset moves the position of the file, so it is put
 * back afterwards. Other threads may read from that position: one lock is held
 * by each call that moves it.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <wchar.h>

#include "base/io.h"
#include "base/windows/handle.h"
#include "base/windows/rename.h"
#include "system/windows/private_file.h"
#include "system/windows/pump.h"

enum {
    MOST_TRIES = 8 /* of an open, while a file of the name is being removed */
};

static SRWLOCK position = SRWLOCK_INIT;

static bool is_disk(int fd)
{
    return GetFileType(ss_windows_handle(fd)) == FILE_TYPE_DISK;
}

/* ---- opened ---- */

/* Is it to be a new file that others may not read? */
static bool is_private(int flags, va_list rest)
{
    return (flags & O_CREAT) && (flags & O_EXCL) &&
           (va_arg(rest, unsigned) & 077) == 0;
}

/* A removed file keeps its name until all have closed it, in some versions of
 * Windows, and cannot be opened then. */
int posix_open(const char *path, int flags, ...)
{
    va_list rest;
    va_start(rest, flags);
    bool is_own = is_private(flags, rest);
    va_end(rest);
    if (is_own)
        return private_file_open(path);
    for (int i = 0;; i++) {
        int fd = ss_io_system.open(ss_io_system.context, path, flags, 0);
        if (fd >= 0 || errno != EACCES || !(flags & O_CREAT) || i == MOST_TRIES)
            return fd;
        Sleep(1U << i);
    }
}

int posix_close(int fd)
{
    return pump_may_close(fd) ? ss_io_system.close(ss_io_system.context, fd)
                              : 0;
}

FILE *posix_fopen(const char *path, const char *mode)
{
    wchar_t wide[SS_WIDE_PATH_MAX], wide_mode[8] = {0};
    for (int i = 0; i < 7 && mode[i] != '\0'; i++)
        wide_mode[i] = (wchar_t)mode[i];
    return ss_windows_path(wide, path) ? _wfopen(wide, wide_mode) : NULL;
}

/* ---- bytes ---- */

static bool is_folder(int fd)
{
    BY_HANDLE_FILE_INFORMATION info;
    return GetFileInformationByHandle(ss_windows_handle(fd), &info) &&
           (info.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
}

static ssize_t read_pump(pump *from, void *bytes, size_t size)
{
    enum {
        LOOK_MS = 20 /* how often a thread sees that it is cancelled */
    };
    while (WaitForSingleObject(pump_event(from), LOOK_MS) == WAIT_TIMEOUT)
        pthread_testcancel();
    return pump_read(from, bytes, size);
}

ssize_t posix_read(int fd, void *bytes, size_t size)
{
    pump *from = pump_of(fd);
    if (from != NULL)
        return read_pump(from, bytes, size);
    AcquireSRWLockExclusive(&position);
    ssize_t got = ss_io_system.read(ss_io_system.context, fd, bytes, size);
    ReleaseSRWLockExclusive(&position);
    if (got < 0 && is_folder(fd))
        errno = EISDIR;
    return got;
}

ssize_t posix_write(int fd, const void *bytes, size_t size)
{
    enum {
        ENDED = 2 /* COMMAND_ERROR */
    };
    ssize_t wrote = ss_io_system.write(ss_io_system.context, fd, bytes, size);
    if (wrote < 0 && errno == EPIPE)
        _exit(ENDED);
    return wrote;
}

ssize_t posix_pread(int fd, void *bytes, size_t size, off_t offset)
{
    AcquireSRWLockExclusive(&position);
    ssize_t got = ss_io_system.pread(ss_io_system.context, fd, bytes, size,
                                     (uint64_t)offset);
    ReleaseSRWLockExclusive(&position);
    return got;
}

off_t posix_lseek(int fd, off_t offset, int from)
{
    LARGE_INTEGER by = {.QuadPart = offset}, at = {.QuadPart = -1};
    if (!is_disk(fd)) {
        errno = ESPIPE;
        return -1;
    }
    AcquireSRWLockExclusive(&position);
    if (!SetFilePointerEx(ss_windows_handle(fd), by, &at, (DWORD)from))
        at.QuadPart = ss_windows_fail();
    ReleaseSRWLockExclusive(&position);
    return at.QuadPart;
}

int posix_ftruncate(int fd, off_t size)
{
    return ss_io_system.truncate(ss_io_system.context, fd, (uint64_t)size);
}

/* Of a pipe Windows would wait until all of it was read. */
int posix_fsync(int fd)
{
    if (!is_disk(fd)) {
        errno = EINVAL;
        return -1;
    }
    return ss_io_system.sync(ss_io_system.context, fd);
}

/* ---- what is known of a file ---- */

static unsigned mode_of(HANDLE handle, DWORD attributes)
{
    unsigned may = attributes & FILE_ATTRIBUTE_READONLY ? 0400U : 0600U;
    if (ss_windows_is_link(handle))
        return S_IFLNK | may;
    return may | (attributes & FILE_ATTRIBUTE_DIRECTORY ? S_IFDIR : S_IFREG);
}

/* A file that another program has opened, and that is not to be asked more. */
static int look_at_size(HANDLE handle, struct posix_status *out)
{
    LARGE_INTEGER size;
    if (!GetFileSizeEx(handle, &size))
        return ss_windows_fail();
    out->st_mode = S_IFREG | 0600;
    out->st_size = size.QuadPart;
    return 0;
}

static int look(HANDLE handle, struct posix_status *out)
{
    BY_HANDLE_FILE_INFORMATION info;
    DWORD type = GetFileType(handle);
    *out = (struct posix_status){.st_mode = S_IFCHR};
    if (type == FILE_TYPE_PIPE)
        out->st_mode = S_IFIFO;
    if (type != FILE_TYPE_DISK)
        return handle == INVALID_HANDLE_VALUE ? ss_windows_fail() : 0;
    if (!GetFileInformationByHandle(handle, &info))
        return look_at_size(handle, out);
    out->st_mode = mode_of(handle, info.dwFileAttributes);
    out->st_dev = info.dwVolumeSerialNumber;
    out->st_ino = (uint64_t)info.nFileIndexHigh << 32 | info.nFileIndexLow;
    out->st_size =
        (off_t)((uint64_t)info.nFileSizeHigh << 32 | info.nFileSizeLow);
    return 0;
}

static int look_at(const char *path, bool is_link_meant,
                   struct posix_status *out)
{
    wchar_t wide[SS_WIDE_PATH_MAX];
    if (!ss_windows_path(wide, path))
        return -1;
    HANDLE handle = ss_windows_open(wide, FILE_READ_ATTRIBUTES, OPEN_EXISTING,
                                    is_link_meant);
    if (handle == INVALID_HANDLE_VALUE)
        return ss_windows_fail();
    int error = look(handle, out);
    CloseHandle(handle);
    return error;
}

int posix_status(const char *path, struct posix_status *out)
{
    return look_at(path, false, out);
}

int posix_lstat(const char *path, struct posix_status *out)
{
    return look_at(path, true, out);
}

int posix_fstat(int fd, struct posix_status *out)
{
    return look(ss_windows_handle(fd), out);
}

int posix_access(const char *path, int how)
{
    struct posix_status status;
    (void)how;
    return posix_status(path, &status);
}

ssize_t posix_readlink(const char *path, char *text, size_t room)
{
    ssize_t length = ss_path_read_link(path, text, room);
    if (length != 0)
        return length;
    errno = EINVAL;
    return -1;
}

/* ---- its name, and its lock ---- */

int posix_rename(const char *from, const char *to)
{
    return ss_windows_rename(from, to);
}

int posix_unlink(const char *path)
{
    return ss_windows_unlink(path);
}

long pathconf(const char *path, int what)
{
    (void)path;
    (void)what;
    return NAME_MAX;
}

int posix_nanosleep(const struct timespec *time, struct timespec *left)
{
    DWORD more = ((DWORD)time->tv_nsec + 999999) / 1000000;
    (void)left;
    Sleep((DWORD)time->tv_sec * 1000 + more);
    return 0;
}

int flock(int fd, int how)
{
    (void)how;
    return ss_io_system.lock(ss_io_system.context, fd);
}
