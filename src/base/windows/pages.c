/*
 * pages.c - blocks from Windows itself, in pages of the usual size: large ones
 * are for users with a right of their own, and are never given back in part.
 *
 * Windows counts all of a block against its memory and its paging file as soon
 * as it is there, but a page takes memory when it is first written.
 */
#include "base/pages.h"

#include "base/windows/handle.h"

void *ss_pages_take(size_t size_bytes)
{
    return VirtualAlloc(NULL, size_bytes, MEM_RESERVE | MEM_COMMIT,
                        PAGE_READWRITE);
}

bool ss_pages_are_lazy(void)
{
    return true;
}

void ss_pages_give(void *block, size_t size_bytes)
{
    (void)size_bytes;
    VirtualFree(block, 0, MEM_RELEASE);
}
