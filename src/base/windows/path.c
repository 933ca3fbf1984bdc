/* path.c - paths by handles; the promises are in path.h */
#include "base/path.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/windows/handle.h"

enum {
    READ_ONLY_MODE = 0444,
    USUAL_MODE = 0644,
    MAY_WRITE = 0200
};

static bool look(HANDLE handle, ss_path_found *out)
{
    BY_HANDLE_FILE_INFORMATION info;
    out->kind = SS_PATH_OTHER;
    if (GetFileType(handle) != FILE_TYPE_DISK)
        return true;
    if (!GetFileInformationByHandle(handle, &info))
        return ss_windows_fail() == 0;
    out->kind = info.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY
                    ? SS_PATH_FOLDER
                    : SS_PATH_FILE;
    out->mode = info.dwFileAttributes & FILE_ATTRIBUTE_READONLY ? READ_ONLY_MODE
                                                                : USUAL_MODE;
    return true;
}

/* Devices have names that begin so: CON, NUL, COM1. */
static bool is_device(const wchar_t *path)
{
    wchar_t full[SS_WIDE_PATH_MAX];
    DWORD length = GetFullPathNameW(path, SS_WIDE_PATH_MAX, full, NULL);
    return length > 4 && length < SS_WIDE_PATH_MAX &&
           wcsncmp(full, L"\\\\.\\", 4) == 0;
}

bool ss_path_look(const char *path, ss_path_found *out)
{
    wchar_t wide[SS_WIDE_PATH_MAX];
    *out = (ss_path_found){.kind = SS_PATH_NOTHING};
    if (!ss_windows_path(wide, path))
        return false;
    if (is_device(wide)) {
        out->kind = SS_PATH_OTHER;
        return true;
    }
    HANDLE handle =
        ss_windows_open(wide, FILE_READ_ATTRIBUTES, OPEN_EXISTING, false);
    if (handle == INVALID_HANDLE_VALUE) {
        (void)ss_windows_fail();
        return errno == ENOENT;
    }
    bool is_known = look(handle, out);
    CloseHandle(handle);
    return is_known;
}

/* Of a mode there is one bit here: may the file be written? */
bool ss_path_set_mode(int fd, unsigned mode)
{
    FILE_BASIC_INFO info = {0}; /* times of 0 stay as they are */
    info.FileAttributes =
        mode & MAY_WRITE ? FILE_ATTRIBUTE_NORMAL : FILE_ATTRIBUTE_READONLY;
    if (SetFileInformationByHandle(ss_windows_handle(fd), FileBasicInfo, &info,
                                   sizeof info))
        return true;
    return ss_windows_fail() == 0;
}

/* The whole path of what the link leads to, in the end. */
static ptrdiff_t final_path(HANDLE handle, char *text, size_t room)
{
    wchar_t wide[SS_WIDE_PATH_MAX];
    char bytes[3 * SS_PATH_MAX];
    DWORD count = GetFinalPathNameByHandleW(handle, wide, SS_WIDE_PATH_MAX, 0);
    if (count == 0)
        return ss_windows_fail();
    int length =
        count >= SS_WIDE_PATH_MAX
            ? 0
            : WideCharToMultiByte(CP_UTF8, WC_ERR_INVALID_CHARS, wide,
                                  (int)count, bytes, sizeof bytes, NULL, NULL);
    if (length == 0) {
        errno = ENAMETOOLONG;
        return -1;
    }
    for (int i = 0; i < length; i++)
        if (bytes[i] == '\\')
            bytes[i] = '/';
    size_t kept = (size_t)length < room ? (size_t)length : room;
    memcpy(text, bytes, kept);
    return (ptrdiff_t)kept;
}

/* Windows tells where a whole chain of links ends, as "//?/C:/...". */
ptrdiff_t ss_path_read_link(const char *path, char *text, size_t room)
{
    wchar_t wide[SS_WIDE_PATH_MAX];
    if (!ss_windows_path(wide, path))
        return -1;
    HANDLE handle =
        ss_windows_open(wide, FILE_READ_ATTRIBUTES, OPEN_EXISTING, true);
    if (handle == INVALID_HANDLE_VALUE)
        return ss_windows_fail(), errno == ENOENT ? 0 : -1;
    bool is_link = ss_windows_is_link(handle);
    CloseHandle(handle);
    if (!is_link)
        return 0;
    handle = ss_windows_open(wide, FILE_READ_ATTRIBUTES, OPEN_EXISTING, false);
    if (handle == INVALID_HANDLE_VALUE)
        return ss_windows_fail();
    ptrdiff_t length = final_path(handle, text, room);
    CloseHandle(handle);
    return length;
}
