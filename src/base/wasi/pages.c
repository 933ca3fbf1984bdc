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

void *ss_pages_reserve(size_t size_bytes)
{
    return ss_pages_take(size_bytes);
}

bool ss_pages_are_lazy(void)
{
    return false;
}

void ss_pages_join(void *block, size_t size_bytes)
{
    (void)block;
    (void)size_bytes;
}

void ss_pages_join_now(void *block, size_t size_bytes)
{
    (void)block;
    (void)size_bytes;
}

void ss_pages_give(void *block, size_t size_bytes)
{
    (void)size_bytes;
    free(block);
}
