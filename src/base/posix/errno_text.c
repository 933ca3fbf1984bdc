/* errno_text.c - texts of errors, by strerror_r as POSIX has it */
#define _POSIX_C_SOURCE 200809L /* else it is another function */
#include "base/errno_text.h"

#include <errno.h>
#include <string.h>

void ss_errno_text(char *text, size_t room)
{
    int saved_errno = errno;
    text[0] = '\0';
    (void)strerror_r(saved_errno, text, room);
    errno = saved_errno;
}
