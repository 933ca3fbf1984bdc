/* temporary.c - see system/temporary.h */
#include "system/temporary.h"

#include "base/map.h"
#include "base/path.h"
#include "base/windows/handle.h"
#include "system/windows/new_file.h"

static bool as_utf8(char out[SS_PATH_MAX], const wchar_t *wide)
{
    return WideCharToMultiByte(CP_UTF8, WC_ERR_INVALID_CHARS, wide, -1, out,
                               SS_PATH_MAX, NULL, NULL) > 1;
}

const char *temporary_folder(void)
{
    static char folder[SS_PATH_MAX];
    wchar_t own[MAX_PATH + 1] = L"";
    const wchar_t *wished = _wgetenv(L"TMPDIR");
    if (wished != NULL && as_utf8(folder, wished))
        return folder;
    if (GetTempPathW(MAX_PATH + 1, own) == 0 || !as_utf8(folder, own))
        strcpy(folder, ".");
    return folder;
}

int temporary_open(void)
{
    static const char name[] = "/seenset-XXXXXX";
    char path[SS_PATH_MAX + sizeof name];
    strcpy(path, temporary_folder());
    strcat(path, name);
    return new_file_open(path);
}

const void *temporary_map(int fd, size_t size)
{
    return ss_map_file(fd, size);
}

void temporary_unmap(const void *map, size_t size)
{
    ss_map_end((void *)map, size);
}
