/*
 * rename.c - files replaced and removed while they are open elsewhere.
 *
 * POSIX allows both. From version 10 (1607) Windows does so on NTFS, if it is
 * asked for by name. Older ones, and other file systems, do not know that name;
 * there it is done in the old way, which fails while the file is open
 * elsewhere.
 */
#include "base/windows/rename.h"

#include <errno.h>
#include <wchar.h>

#include "base/windows/handle.h"

enum {
    MOST_TRIES = 12 /* of a rename, while the file is in use */
};

/* What to ask of Windows 10 and later; older ones answer that they do not know
 * it. The headers have it only where a program is for no older one. */
enum {
    DISPOSITION_CLASS = 21, /* FileDispositionInfoEx */
    RENAME_CLASS = 22,      /* FileRenameInfoEx */
    REMOVE = 0x1,           /* as POSIX has it, whatever is read-only */
    REMOVE_AS_POSIX = 0x2,
    REMOVE_READ_ONLY = 0x10,
    REPLACE = 0x1,
    RENAME_AS_POSIX = 0x2,
    REPLACE_READ_ONLY = 0x40
};

typedef struct rename_request {
    DWORD flags;
    HANDLE folder;
    DWORD name_bytes;
    wchar_t name[SS_WIDE_PATH_MAX];
} rename_request;

/* Does the old way have to do? These say: not here. */
static bool is_unknown(DWORD error)
{
    return error == ERROR_INVALID_PARAMETER || error == ERROR_NOT_SUPPORTED ||
           error == ERROR_INVALID_FUNCTION || error == ERROR_INVALID_LEVEL ||
           error == ERROR_CALL_NOT_IMPLEMENTED;
}

/* The name has to be whole: it is not seen from the process's folder. */
static bool make_request(rename_request *out, const wchar_t *to)
{
    DWORD length = GetFullPathNameW(to, SS_WIDE_PATH_MAX, out->name, NULL);
    out->flags = REPLACE | RENAME_AS_POSIX | REPLACE_READ_ONLY;
    out->folder = NULL;
    out->name_bytes = length * (DWORD)sizeof(wchar_t);
    return length > 0 && length < SS_WIDE_PATH_MAX;
}

/* Written through: the new name is on the disk when this returns. */
static bool rename_as_posix(const wchar_t *from, const wchar_t *to)
{
    rename_request request;
    if (!make_request(&request, to))
        return false;
    DWORD share = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
    DWORD flags = FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_OPEN_REPARSE_POINT |
                  FILE_FLAG_WRITE_THROUGH;
    HANDLE handle = CreateFileW(from, DELETE | SYNCHRONIZE, share, NULL,
                                OPEN_EXISTING, flags, NULL);
    if (handle == INVALID_HANDLE_VALUE)
        return false;
    bool is_done = SetFileInformationByHandle(
        handle, (FILE_INFO_BY_HANDLE_CLASS)RENAME_CLASS, &request,
        (DWORD)sizeof request);
    DWORD error = GetLastError();
    CloseHandle(handle);
    SetLastError(error);
    return is_done;
}

static bool rename_once(const wchar_t *from, const wchar_t *to)
{
    if (rename_as_posix(from, to))
        return true;
    if (!is_unknown(GetLastError()))
        return false;
    return MoveFileExW(from, to,
                       MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH);
}

/* A scanner, an indexer or a reader may have the file open, for a moment, in
 * a way in which it cannot be replaced. */
static bool is_in_use(DWORD error)
{
    return error == ERROR_SHARING_VIOLATION || error == ERROR_ACCESS_DENIED ||
           error == ERROR_DELETE_PENDING;
}

int ss_windows_rename(const char *from, const char *to)
{
    wchar_t wide_from[SS_WIDE_PATH_MAX], wide_to[SS_WIDE_PATH_MAX];
    if (!ss_windows_path(wide_from, from) || !ss_windows_path(wide_to, to))
        return -1;
    for (int i = 0; i < MOST_TRIES; i++) {
        if (rename_once(wide_from, wide_to))
            return 0;
        if (!is_in_use(GetLastError()) || i + 1 == MOST_TRIES)
            break;
        Sleep(i < 8 ? 1U << i : 128U); /* 3/4 s in all */
    }
    return ss_windows_fail();
}

/* ---- removed ---- */

static bool remove_as_posix(const wchar_t *path)
{
    DWORD flags = REMOVE | REMOVE_AS_POSIX | REMOVE_READ_ONLY;
    HANDLE handle =
        ss_windows_open(path, DELETE | SYNCHRONIZE, OPEN_EXISTING, true);
    if (handle == INVALID_HANDLE_VALUE)
        return false;
    bool is_done = SetFileInformationByHandle(
        handle, (FILE_INFO_BY_HANDLE_CLASS)DISPOSITION_CLASS, &flags,
        (DWORD)sizeof flags);
    DWORD error = GetLastError();
    CloseHandle(handle);
    SetLastError(error);
    return is_done;
}

int ss_windows_unlink(const char *path)
{
    wchar_t wide[SS_WIDE_PATH_MAX];
    if (!ss_windows_path(wide, path))
        return -1;
    DWORD attributes = GetFileAttributesW(wide);
    if (attributes != INVALID_FILE_ATTRIBUTES &&
        (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0) {
        errno = EISDIR;
        return -1;
    }
    if (remove_as_posix(wide))
        return 0;
    if (!is_unknown(GetLastError()))
        return ss_windows_fail();
    return DeleteFileW(wide) ? 0 : ss_windows_fail();
}
