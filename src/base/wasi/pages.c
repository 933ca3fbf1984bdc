/* pages.c - large blocks from the one memory that the module has */
#include "base/pages.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const size_t line_bytes = 64;

void *ss_pages_take(size_t size_bytes)
{
    if (size_bytes > SIZE_MAX - line_bytes)
        return NULL;
    size_bytes = (size_bytes + line_bytes - 1) / line_bytes * line_bytes;
    void *block = aligned_alloc(line_bytes, size_bytes);
    if (block != NULL)
        memset(block, 0, size_bytes);
    return block;
}

bool ss_pages_are_lazy(void)
{
    return false;
}

void ss_pages_give(void *block, size_t size_bytes)
{
    (void)size_bytes;
    free(block);
}
