/* new_file.c - see new_file.h: a file that is marked to be removed, while it
 * is open, is removed when the last handle of it is closed. */
#include "system/windows/new_file.h"

#include "base/windows/handle.h"
#include "seenset/hash.h"

enum {
    TRIES = 100,
    LETTERS = 6
};

/* Letters that are one name in any case. */
static int choose(char *letters)
{
    static const char of[] = "0123456789abcdefghijklmnopqrstuv";
    uint8_t bytes[SEENSET_SECRET_BYTES];
    if (seenset_make_secret(bytes) != 0)
        return -1;
    for (int i = 0; i < LETTERS; i++)
        letters[i] = of[bytes[i] % 32];
    return 0;
}

static int mark(HANDLE handle, bool is_removed)
{
    FILE_DISPOSITION_INFO mark = {.DeleteFile = is_removed};
    return SetFileInformationByHandle(handle, FileDispositionInfo, &mark,
                                      sizeof mark)
               ? 0
               : ss_windows_fail();
}

/* INVALID_HANDLE_VALUE and errno. */
static HANDLE make(const char *name)
{
    wchar_t wide[SS_WIDE_PATH_MAX];
    HANDLE made = INVALID_HANDLE_VALUE;
    if (ss_windows_path(wide, name)) {
        made = ss_windows_open(wide, GENERIC_READ | GENERIC_WRITE | DELETE,
                               CREATE_NEW, false);
        if (made == INVALID_HANDLE_VALUE)
            (void)ss_windows_fail();
    }
    return made;
}

static int descriptor_of(HANDLE handle)
{
    int error = mark(handle, true);
    int fd = error == 0 ? _open_osfhandle((intptr_t)handle, _O_RDWR | _O_BINARY)
                        : -1;
    if (fd < 0)
        CloseHandle(handle);
    return fd;
}

int new_file_open(char *name)
{
    char *letters = name + strlen(name) - LETTERS;
    for (int i = 0; i < TRIES; i++) {
        if (choose(letters) != 0)
            return -1;
        HANDLE made = make(name);
        if (made != INVALID_HANDLE_VALUE)
            return descriptor_of(made);
        if (errno != EEXIST)
            return -1;
    }
    return -1;
}

int new_file_keep(int fd)
{
    return mark(ss_windows_handle(fd), false);
}
