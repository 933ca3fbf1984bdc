/*
 * io.c - Windows' table, and how files are opened with it.
 *
 * What differs from POSIX, and what is done about it:
 *
 *   - Opening a file also chooses what others may do with it while it is open.
 *     Here they may do everything, so that a file can be replaced while others
 *     read it.
 *   - Locks keep others from reading, too. The lock that stands for a file is
 *     taken of one byte that no file reaches.
 *   - Only some versions of Windows replace or remove a file that is open:
 *     rename.c.
 *   - A folder cannot always be synced. So a rename is written through to the
 *     disk at once, and a sync of the folder that is refused is not missed.
 *   - Bytes are never changed on their way: no line ends, no Ctrl-Z.
 */
#include "base/io.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

#include "base/windows/handle.h"
#include "base/windows/rename.h"

enum {
    /* added to the flags of open that Windows' C library has */
    NO_LINK = 0x1000000,
    ANY_KIND = 0x2000000, /* a folder, too, and only to be looked at */
    MOST_BYTES = 1 << 30  /* of one call, which takes 32 bits */
};

/* ---- opened ---- */

static DWORD access_of(int flags)
{
    switch (flags & (O_RDONLY | O_WRONLY | O_RDWR)) {
    case O_WRONLY:
        return GENERIC_WRITE;
    case O_RDWR:
        return GENERIC_READ | GENERIC_WRITE;
    default:
        return flags & ANY_KIND ? FILE_READ_ATTRIBUTES : GENERIC_READ;
    }
}

static DWORD how_of(int flags)
{
    if (!(flags & O_CREAT))
        return flags & O_TRUNC ? TRUNCATE_EXISTING : OPEN_EXISTING;
    if (flags & O_EXCL)
        return CREATE_NEW;
    return flags & O_TRUNC ? CREATE_ALWAYS : OPEN_ALWAYS;
}

static bool is_folder(HANDLE handle)
{
    BY_HANDLE_FILE_INFORMATION info;
    return GetFileInformationByHandle(handle, &info) &&
           (info.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
}

/* May it be open so? Stores errno otherwise. */
static bool is_allowed(HANDLE handle, int flags)
{
    if ((flags & NO_LINK) && ss_windows_is_link(handle)) {
        errno = ELOOP;
        return false;
    }
    if ((flags & (O_WRONLY | O_RDWR)) && !(flags & ANY_KIND) &&
        is_folder(handle)) {
        errno = EISDIR;
        return false;
    }
    return true;
}

static int descriptor_of(HANDLE handle, int flags)
{
    int kept = flags & (O_RDONLY | O_WRONLY | O_RDWR | O_APPEND);
    int fd = is_allowed(handle, flags)
                 ? _open_osfhandle((intptr_t)handle, kept | _O_BINARY)
                 : -1;
    if (fd < 0)
        CloseHandle(handle);
    return fd;
}

static int system_open(void *context, const char *path, int flags, mode_t mode)
{
    wchar_t wide[SS_WIDE_PATH_MAX];
    (void)context;
    (void)mode; /* who may do what follows from the folder */
    if (!ss_windows_path(wide, path))
        return -1;
    HANDLE handle = ss_windows_open(wide, access_of(flags), how_of(flags),
                                    (flags & NO_LINK) != 0);
    if (handle == INVALID_HANDLE_VALUE)
        return ss_windows_fail();
    return descriptor_of(handle, flags);
}

static int system_close(void *context, int fd)
{
    (void)context;
    return _close(fd);
}

/* ---- bytes ---- */

static DWORD at_most(size_t size_bytes)
{
    return size_bytes < MOST_BYTES ? (DWORD)size_bytes : (DWORD)MOST_BYTES;
}

static OVERLAPPED place_of(uint64_t offset)
{
    OVERLAPPED place = {0};
    place.Offset = (DWORD)offset;
    place.OffsetHigh = (DWORD)(offset >> 32);
    return place;
}

static ssize_t read_some(int fd, void *bytes, size_t size_bytes,
                         OVERLAPPED *place)
{
    DWORD got = 0;
    if (ReadFile(ss_windows_handle(fd), bytes, at_most(size_bytes), &got,
                 place))
        return (ssize_t)got;
    DWORD error = GetLastError();
    if (error == ERROR_HANDLE_EOF || error == ERROR_BROKEN_PIPE)
        return 0;
    return ss_windows_fail();
}

static ssize_t write_some(int fd, const void *bytes, size_t size_bytes,
                          OVERLAPPED *place)
{
    DWORD written = 0;
    if (WriteFile(ss_windows_handle(fd), bytes, at_most(size_bytes), &written,
                  place))
        return (ssize_t)written;
    return ss_windows_fail();
}

static ssize_t system_read(void *context, int fd, void *bytes,
                           size_t size_bytes)
{
    (void)context;
    return read_some(fd, bytes, size_bytes, NULL);
}

static ssize_t system_write(void *context, int fd, const void *bytes,
                            size_t size_bytes)
{
    (void)context;
    return write_some(fd, bytes, size_bytes, NULL);
}

/* A read at an offset moves the file's own position, which is put back. */
static void keep_position(int fd, LARGE_INTEGER *at, DWORD how)
{
    LARGE_INTEGER to = how == FILE_BEGIN ? *at : (LARGE_INTEGER){.QuadPart = 0};
    (void)SetFilePointerEx(ss_windows_handle(fd), to, at, how);
}

static ssize_t system_pread(void *context, int fd, void *bytes,
                            size_t size_bytes, uint64_t offset)
{
    OVERLAPPED place = place_of(offset);
    LARGE_INTEGER at;
    (void)context;
    keep_position(fd, &at, FILE_CURRENT);
    ssize_t got = read_some(fd, bytes, size_bytes, &place);
    keep_position(fd, &at, FILE_BEGIN);
    return got;
}

static ssize_t system_pwrite(void *context, int fd, const void *bytes,
                             size_t size_bytes, uint64_t offset)
{
    OVERLAPPED place = place_of(offset);
    LARGE_INTEGER at;
    (void)context;
    keep_position(fd, &at, FILE_CURRENT);
    ssize_t written = write_some(fd, bytes, size_bytes, &place);
    keep_position(fd, &at, FILE_BEGIN);
    return written;
}

static int system_truncate(void *context, int fd, uint64_t size_bytes)
{
    FILE_END_OF_FILE_INFO end = {.EndOfFile.QuadPart = (LONGLONG)size_bytes};
    (void)context;
    return SetFileInformationByHandle(ss_windows_handle(fd), FileEndOfFileInfo,
                                      &end, sizeof end)
               ? 0
               : ss_windows_fail();
}

static int system_sync(void *context, int fd)
{
    (void)context;
    if (FlushFileBuffers(ss_windows_handle(fd)))
        return 0;
    (void)ss_windows_fail();
    if (errno == EACCES && is_folder(ss_windows_handle(fd)))
        errno = EINVAL; /* nothing that could be synced */
    return -1;
}

/* ---- what is known of it ---- */

/* A file has a number of 64 bits, of which st_ino holds 16: the others are
 * where POSIX has what does not exist here. */
static void store_identity(struct stat *out,
                           const BY_HANDLE_FILE_INFORMATION *info)
{
    out->st_dev = info->dwVolumeSerialNumber;
    out->st_rdev = info->nFileIndexLow;
    out->st_ino = (unsigned short)info->nFileIndexHigh;
    out->st_gid = (short)(info->nFileIndexHigh >> 16);
}

static bool is_same_file(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_rdev == b->st_rdev &&
           a->st_ino == b->st_ino && a->st_gid == b->st_gid;
}

static int system_status(void *context, int fd, struct stat *out)
{
    HANDLE handle = ss_windows_handle(fd);
    BY_HANDLE_FILE_INFORMATION info;
    (void)context;
    *out = (struct stat){.st_mode = S_IFCHR};
    if (GetFileType(handle) == FILE_TYPE_PIPE)
        out->st_mode = S_IFIFO;
    if (GetFileType(handle) != FILE_TYPE_DISK)
        return handle == INVALID_HANDLE_VALUE ? -1 : 0;
    if (!GetFileInformationByHandle(handle, &info))
        return ss_windows_fail();
    bool is_folder = (info.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
    out->st_mode = is_folder ? S_IFDIR : S_IFREG;
    if (!is_folder && ss_windows_is_link(handle))
        out->st_mode = S_IFCHR; /* a link that was opened itself: no file */
    out->st_size =
        (int64_t)((uint64_t)info.nFileSizeHigh << 32 | info.nFileSizeLow);
    store_identity(out, &info);
    return 0;
}

/* ---- locked ---- */

static int system_lock(void *context, int fd)
{
    OVERLAPPED place = place_of(UINT64_C(0x7ffffffffffffffe));
    (void)context;
    if (LockFileEx(ss_windows_handle(fd),
                   LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0,
                   &place))
        return 0;
    if (GetLastError() == ERROR_IO_PENDING)
        SetLastError(ERROR_LOCK_VIOLATION);
    return ss_windows_fail();
}

/* ---- renamed and removed ---- */

static int system_rename(void *context, const char *from, const char *to)
{
    (void)context;
    return ss_windows_rename(from, to);
}

static int system_unlink(void *context, const char *path)
{
    (void)context;
    return ss_windows_unlink(path);
}

/* ---- folders ---- */

static int system_mkdir(void *context, const char *path, mode_t mode)
{
    wchar_t wide[SS_WIDE_PATH_MAX];
    (void)context;
    (void)mode;
    if (!ss_windows_path(wide, path))
        return -1;
    return CreateDirectoryW(wide, NULL) ? 0 : ss_windows_fail();
}

static int visit_one(const WIN32_FIND_DATAW *found, ss_io_visitor *visit,
                     void *visitor_context)
{
    char name[4 * MAX_PATH];
    if (wcscmp(found->cFileName, L".") == 0 ||
        wcscmp(found->cFileName, L"..") == 0)
        return 0;
    if (WideCharToMultiByte(CP_UTF8, WC_ERR_INVALID_CHARS, found->cFileName, -1,
                            name, sizeof name, NULL, NULL) == 0)
        return 0; /* no name that could be told: none of ours */
    return visit(visitor_context, name);
}

static int system_list(void *context, const char *path, ss_io_visitor *visit,
                       void *visitor_context)
{
    char all[SS_PATH_MAX];
    wchar_t wide[SS_WIDE_PATH_MAX];
    WIN32_FIND_DATAW found;
    (void)context;
    int length = snprintf(all, sizeof all, "%s/*", path);
    if (length < 0 || (size_t)length >= sizeof all) {
        errno = ENAMETOOLONG;
        return -1;
    }
    if (!ss_windows_path(wide, all))
        return -1;
    HANDLE search = FindFirstFileW(wide, &found);
    if (search == INVALID_HANDLE_VALUE)
        return ss_windows_fail();
    int result;
    do {
        result = visit_one(&found, visit, visitor_context);
    } while (result == 0 && FindNextFileW(search, &found));
    DWORD error = GetLastError();
    int kept = errno;
    FindClose(search);
    errno = kept;
    SetLastError(error);
    return result != 0 || error == ERROR_NO_MORE_FILES ? result
                                                       : ss_windows_fail();
}

const ss_io ss_io_system = {.open = system_open,
                            .close = system_close,
                            .read = system_read,
                            .write = system_write,
                            .sync = system_sync,
                            .rename = system_rename,
                            .unlink = system_unlink,
                            .pread = system_pread,
                            .pwrite = system_pwrite,
                            .datasync = system_sync,
                            .truncate = system_truncate,
                            .status = system_status,
                            .lock = system_lock,
                            .mkdir = system_mkdir,
                            .list = system_list,
                            .clock = &ss_clock_system,
                            .context = NULL};

/* ---- files opened for one purpose each ---- */

int ss_io_open_to_read(const ss_io *io, const char *path)
{
    return ss_io_open(io, path, O_RDONLY, 0);
}

int ss_io_open_here(const ss_io *io, const char *path)
{
    return ss_io_open(io, path, O_RDWR | NO_LINK, 0);
}

int ss_io_open_new(const ss_io *io, const char *path, mode_t mode)
{
    return ss_io_open(io, path, O_RDWR | O_CREAT | O_EXCL | NO_LINK, mode);
}

int ss_io_is_name_of(const ss_io *io, const char *path, int fd)
{
    struct stat mine, there;
    int again = ss_io_open(io, path, O_RDONLY | NO_LINK | ANY_KIND, 0);
    if (again < 0)
        return errno == ENOENT ? 0 : -1;
    int result = -1;
    if (io->status(io->context, fd, &mine) == 0 &&
        io->status(io->context, again, &there) == 0)
        result = S_ISREG(mine.st_mode) && is_same_file(&mine, &there);
    ss_io_close_quietly(io, again);
    return result;
}

/* A user who may add files to a folder may still not be allowed to open it for
 * a sync. Then nothing is missed, as renames have been written through. */
bool ss_io_sync_folder(const ss_io *io, const char *folder)
{
    int fd = ss_io_open(io, folder, O_RDWR | ANY_KIND, 0);
    if (fd < 0 && errno == EACCES) {
        fd = ss_io_open(io, folder, O_RDONLY | ANY_KIND, 0);
        if (fd >= 0)
            ss_io_close_quietly(io, fd);
        return fd >= 0;
    }
    if (fd < 0)
        return false;
    bool synced = io->sync(io->context, fd) == 0 || errno == EINVAL;
    ss_io_close_quietly(io, fd);
    return synced;
}
