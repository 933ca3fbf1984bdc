/* text.c - what posix.h has of text and memory */
#include <stdlib.h>
#include <string.h>

#include "base/windows/handle.h"

/* Windows' C library knows none of these. */
const char *posix_strerror(int error)
{
    static _Thread_local char text[128];
    switch (error) {
    case EWOULDBLOCK:
        return "Resource temporarily unavailable";
    case ELOOP:
        return "Too many levels of symbolic links";
    case EISDIR:
        return "Is a directory";
    default:
        return strerror_s(text, sizeof text, error) == 0 ? text : "an error";
    }
}

char *strndup(const char *text, size_t most)
{
    size_t length = strnlen(text, most);
    char *out = malloc(length + 1);
    if (out == NULL)
        return NULL;
    memcpy(out, text, length);
    out[length] = '\0';
    return out;
}

void *memrchr(const void *bytes, int byte, size_t size)
{
    const unsigned char *all = bytes;
    while (size > 0)
        if (all[--size] == (unsigned char)byte)
            return (void *)(uintptr_t)&all[size];
    return NULL;
}

void explicit_bzero(void *bytes, size_t size)
{
    SecureZeroMemory(bytes, size);
}
