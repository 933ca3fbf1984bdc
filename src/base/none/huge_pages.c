/*
 * huge_pages.c - there are none to ask for: pages have their usual size, on any
 * system but Linux.
 */
#include "base/pages.h"

void *ss_pages_reserve(size_t size_bytes)
{
    return ss_pages_take(size_bytes);
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
