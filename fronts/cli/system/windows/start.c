/*
 * start.c - see system/start.h.
 *
 * Windows gives a program one line of UTF-16, which its C library splits. That
 * library also looks for files by the patterns in it, and changes the ends of
 * lines, unless it is told not to.
 */
#include "system/start.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/windows/handle.h"

/* ---- arguments ---- */

/* Of Windows' C library, which has no header with it: the command line, split.
 * Patterns are replaced by names of files if `patterns` is not 0. */
extern int __wgetmainargs(int *argc, wchar_t ***argv, wchar_t ***environment,
                          int patterns, int *new_mode);

/* A new text in UTF-8, or NULL: no memory, or half of a pair of UTF-16. */
static char *as_utf8(const wchar_t *wide)
{
    int size = WideCharToMultiByte(CP_UTF8, WC_ERR_INVALID_CHARS, wide, -1,
                                   NULL, 0, NULL, NULL);
    char *out = size > 0 ? malloc((size_t)size) : NULL;
    if (out != NULL)
        (void)WideCharToMultiByte(CP_UTF8, WC_ERR_INVALID_CHARS, wide, -1, out,
                                  size, NULL, NULL);
    return out;
}

/* They are kept until the process ends. */
static int read_arguments(int *argc, char ***argv)
{
    int count;
    wchar_t **wide, **environment;
    int new_mode = 0;
    if (__wgetmainargs(&count, &wide, &environment, 0, &new_mode) < 0)
        return -1;
    char **out = calloc((size_t)count + 1, sizeof *out);
    if (out == NULL)
        return -1;
    for (int i = 0; i < count; i++) {
        out[i] = as_utf8(wide[i]);
        if (out[i] == NULL)
            return -1;
    }
    *argc = count;
    *argv = out;
    return 0;
}

/* ---- streams ---- */

/* As on other systems: what is closed is held by what cannot be used so. */
static int open_standard(void)
{
    for (int fd = 0; fd <= 2; fd++)
        if (_get_osfhandle(fd) == (intptr_t)INVALID_HANDLE_VALUE ||
            _get_osfhandle(fd) == -2) {
            (void)_close(fd);
            if (_wopen(L"NUL", fd == 0 ? _O_WRONLY : _O_RDONLY) != fd)
                return -1;
        }
    for (int fd = 0; fd <= 2; fd++)
        (void)_setmode(fd, _O_BINARY);
    return 0;
}

/* A console shows UTF-8, and obeys the codes that erase a line; it belongs to
 * others as well, and is put back. */
static UINT code_page;

static void put_back(void)
{
    (void)SetConsoleOutputCP(code_page);
}

static void prepare_console(void)
{
    DWORD mode;
    HANDLE shown = ss_windows_handle(STDERR_FILENO);
    code_page = GetConsoleOutputCP();
    if (code_page != 0 && code_page != CP_UTF8 && SetConsoleOutputCP(CP_UTF8) &&
        atexit(put_back) != 0)
        put_back();
    if (GetConsoleMode(shown, &mode))
        (void)SetConsoleMode(shown, mode | 0x4 /* of virtual terminals */);
}

int start_process(int *argc, char ***argv)
{
    if (open_standard() != 0 || read_arguments(argc, argv) != 0)
        return -1;
    prepare_console();
    return 0;
}
