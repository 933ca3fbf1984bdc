/* errno_text.c - texts of errors, by strerror_r, which is one of two functions:
 * POSIX's writes the text, and glibc's may return one of its own */
#define _POSIX_C_SOURCE 200809L
#include "base/errno_text.h"

#include <errno.h>
#include <string.h>

static void take_written(int error, char *text, size_t room)
{
    (void)error;
    (void)text;
    (void)room;
}

static void take_returned(const char *words, char *text, size_t room)
{
    size_t length = strlen(words);
    if (words == text)
        return;
    length = length < room ? length : room - 1;
    memcpy(text, words, length);
    text[length] = '\0';
}

#define TAKE(result)                                                           \
    _Generic((result), int : take_written, default : take_returned)

void ss_errno_text(char *text, size_t room)
{
    int saved_errno = errno;
    text[0] = '\0';
    TAKE(strerror_r(0, text, room))
    (strerror_r(saved_errno, text, room), text, room);
    errno = saved_errno;
}
