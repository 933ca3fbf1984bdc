/* portable.c - ends of lines by the C library, for any processor */
#include <string.h>

#include "stream/split/split.h"

/* memchr is fast in every C library; the cost is a call for each line. */
size_t split_portable(const char *data, size_t size, char separator,
                      size_t *ends, size_t room)
{
    size_t count = 0;
    const char *from = data;
    const char *end = data + size;
    while (count < room && from < end) {
        const char *stop = memchr(from, separator, (size_t)(end - from));
        if (stop == NULL)
            break;
        ends[count++] = (size_t)(stop - data);
        from = stop + 1;
    }
    return count;
}
