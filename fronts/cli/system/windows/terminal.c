/* terminal.c - see system/terminal.h: a console. The C library's isatty takes
 * NUL for one. */
#include "system/terminal.h"

#include "base/windows/handle.h"

bool terminal_is(int fd)
{
    DWORD mode;
    return GetConsoleMode(ss_windows_handle(fd), &mode) != 0;
}

size_t terminal_columns(int fd)
{
    CONSOLE_SCREEN_BUFFER_INFO info;
    if (!GetConsoleScreenBufferInfo(ss_windows_handle(fd), &info))
        return 0;
    return (size_t)(info.srWindow.Right - info.srWindow.Left + 1);
}
