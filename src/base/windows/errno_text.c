/* errno_text.c - texts of errors, by the function of Windows' C library that
 * any thread may call */
#include "base/errno_text.h"

#include <errno.h>
#include <string.h>

void ss_errno_text(char *text, size_t room)
{
    int saved_errno = errno;
    text[0] = '\0';
    (void)strerror_s(text, room, saved_errno);
    errno = saved_errno;
}
