/* terminal.c - see system/terminal.h */
#define _GNU_SOURCE /* isatty, ioctl */
#include "system/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

bool terminal_is(int fd)
{
    return isatty(fd) != 0;
}

size_t terminal_columns(int fd)
{
    struct winsize size;
    return ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}
