/*
 * magic.c - see magic.h.
 */
#include "stream/magic.h"

#include <string.h>

bool magic_begins_set(const char *bytes, size_t size)
{
    static const char magic[] = "\x89SSET\r\n\x1a"; /* docs/format.md */
    return size >= MAGIC_BYTES && memcmp(bytes, magic, MAGIC_BYTES) == 0;
}
