/* handle.c - paths, handles and errors of Windows; the idea is in handle.h */
#include "base/windows/handle.h"

#include <errno.h>
#include <io.h>
#include <wchar.h>

/* ---- errors ---- */

static const struct {
    DWORD error;
    int number;
} errors[] = {{ERROR_FILE_NOT_FOUND, ENOENT},
              {ERROR_PATH_NOT_FOUND, ENOENT},
              {ERROR_INVALID_NAME, ENOENT},
              {ERROR_BAD_PATHNAME, ENOENT},
              {ERROR_BAD_NETPATH, ENOENT},
              {ERROR_BAD_NET_NAME, ENOENT},
              {ERROR_INVALID_DRIVE, ENOENT},
              {ERROR_NOT_READY, ENXIO},
              {ERROR_TOO_MANY_OPEN_FILES, EMFILE},
              {ERROR_ACCESS_DENIED, EACCES},
              {ERROR_SHARING_VIOLATION, EACCES},
              {ERROR_USER_MAPPED_FILE, EACCES},
              {ERROR_DELETE_PENDING, EACCES},
              {ERROR_CANT_ACCESS_FILE, EACCES},
              {ERROR_PRIVILEGE_NOT_HELD, EPERM},
              {ERROR_WRITE_PROTECT, EROFS},
              {ERROR_LOCK_VIOLATION, EWOULDBLOCK},
              {ERROR_INVALID_HANDLE, EBADF},
              {ERROR_NOT_ENOUGH_MEMORY, ENOMEM},
              {ERROR_OUTOFMEMORY, ENOMEM},
              {ERROR_COMMITMENT_LIMIT, ENOMEM},
              {ERROR_NOT_ENOUGH_QUOTA, ENOMEM},
              {ERROR_NO_SYSTEM_RESOURCES, ENOMEM},
              {ERROR_FILE_EXISTS, EEXIST},
              {ERROR_ALREADY_EXISTS, EEXIST},
              {ERROR_DIRECTORY, ENOTDIR},
              {ERROR_DIR_NOT_EMPTY, ENOTEMPTY},
              {ERROR_NOT_SAME_DEVICE, EXDEV},
              {ERROR_DISK_FULL, ENOSPC},
              {ERROR_HANDLE_DISK_FULL, ENOSPC},
              {ERROR_FILE_TOO_LARGE, EFBIG},
              {ERROR_FILENAME_EXCED_RANGE, ENAMETOOLONG},
              {ERROR_BUFFER_OVERFLOW, ENAMETOOLONG},
              {ERROR_CANT_RESOLVE_FILENAME, ELOOP},
              {ERROR_NO_UNICODE_TRANSLATION, EILSEQ},
              {ERROR_INVALID_FUNCTION, EINVAL},
              {ERROR_INVALID_PARAMETER, EINVAL},
              {ERROR_NOT_SUPPORTED, EINVAL},
              {ERROR_NEGATIVE_SEEK, EINVAL},
              {ERROR_BROKEN_PIPE, EPIPE},
              {ERROR_PIPE_NOT_CONNECTED, EPIPE},
              {ERROR_NO_DATA, EPIPE}};

int ss_windows_fail(void)
{
    DWORD error = GetLastError();
    errno = EIO;
    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++)
        if (errors[i].error == error)
            errno = errors[i].number;
    return -1;
}

/* ---- paths ---- */

/* Windows takes a path of this length as it is; a longer one must be whole and
 * begin with "\\?\". It is the limit for a folder, which is the lower one. */
static const size_t short_path = 248;

static bool is_prefixed(const wchar_t *path)
{
    return wcsncmp(path, L"\\\\?\\", 4) == 0 ||
           wcsncmp(path, L"\\\\.\\", 4) == 0;
}

/* The path from its drive on, with the prefix. */
static bool make_whole(wchar_t out[SS_WIDE_PATH_MAX], const wchar_t *path)
{
    static const wchar_t prefix[] = L"\\\\?\\", share[] = L"\\\\?\\UNC";
    wchar_t full[SS_WIDE_PATH_MAX];
    DWORD length = GetFullPathNameW(path, SS_WIDE_PATH_MAX, full, NULL);
    bool is_share = full[0] == L'\\' && full[1] == L'\\';
    if (length == 0)
        return ss_windows_fail() == 0;
    if (length >= SS_WIDE_PATH_MAX - 8) {
        errno = ENAMETOOLONG;
        return false;
    }
    wcscpy(out, is_share ? share : prefix);
    wcscat(out, is_share ? full + 1 : full);
    return true;
}

bool ss_windows_path(wchar_t out[SS_WIDE_PATH_MAX], const char *path)
{
    wchar_t wide[SS_PATH_MAX];
    int length = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1,
                                     wide, SS_PATH_MAX);
    if (length == 0) {
        (void)ss_windows_fail();
        if (GetLastError() == ERROR_INSUFFICIENT_BUFFER)
            errno = ENAMETOOLONG;
        return false;
    }
    for (int i = 0; i < length; i++)
        if (wide[i] == L'/')
            wide[i] = L'\\';
    if ((size_t)length >= short_path && !is_prefixed(wide))
        return make_whole(out, wide);
    wmemcpy(out, wide, (size_t)length);
    return true;
}

/* ---- handles ---- */

HANDLE ss_windows_handle(int fd)
{
    return (HANDLE)_get_osfhandle(fd);
}

HANDLE ss_windows_open(const wchar_t *path, DWORD access, DWORD how,
                       bool is_link_meant)
{
    DWORD share = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
    DWORD flags = FILE_ATTRIBUTE_NORMAL | FILE_FLAG_BACKUP_SEMANTICS |
                  (is_link_meant ? FILE_FLAG_OPEN_REPARSE_POINT : 0);
    return CreateFileW(path, access, share, NULL, how, flags, NULL);
}

bool ss_windows_is_link(HANDLE handle)
{
    FILE_ATTRIBUTE_TAG_INFO info;
    return GetFileInformationByHandleEx(handle, FileAttributeTagInfo, &info,
                                        sizeof info) &&
           (info.FileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0 &&
           IsReparseTagNameSurrogate(info.ReparseTag);
}
