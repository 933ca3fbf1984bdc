/* pages.c - anonymous mappings, with huge pages if there are any, by Linux */
#define _GNU_SOURCE /* MAP_ANONYMOUS, madvise */
#include "base/pages.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>

static const size_t huge_page_bytes = (size_t)2 << 20;

static bool round_up(size_t *size_bytes)
{
    if (*size_bytes > SIZE_MAX - huge_page_bytes)
        return false;
    *size_bytes =
        (*size_bytes + huge_page_bytes - 1) / huge_page_bytes * huge_page_bytes;
    return true;
}

/* Maps a huge page more than needed and unmaps what is over on both sides. */
static void *map_aligned(size_t size_bytes)
{
    if (!round_up(&size_bytes) || size_bytes > SIZE_MAX - huge_page_bytes)
        return NULL;
    size_t mapped_bytes = size_bytes + huge_page_bytes;
    char *mapped = mmap(NULL, mapped_bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED)
        return NULL;
    size_t over = (uintptr_t)mapped % huge_page_bytes;
    size_t before = over == 0 ? 0 : huge_page_bytes - over;
    size_t after = mapped_bytes - before - size_bytes;
    if (before > 0)
        munmap(mapped, before);
    if (after > 0)
        munmap(mapped + before + size_bytes, after);
    return mapped + before;
}

void *ss_pages_take(size_t size_bytes)
{
    void *block = map_aligned(size_bytes);
    /* A kernel without huge pages refuses, and the pages stay small. */
    if (block != NULL && round_up(&size_bytes))
        (void)madvise(block, size_bytes, MADV_HUGEPAGE);
    return block;
}

void *ss_pages_reserve(size_t size_bytes)
{
    void *block = map_aligned(size_bytes);
    if (block != NULL && round_up(&size_bytes))
        (void)madvise(block, size_bytes, MADV_NOHUGEPAGE);
    return block;
}

bool ss_pages_are_lazy(void)
{
    return true;
}

/* The kernel joins them in its own time, in a thread of its own: 16 MiB in ten
 * seconds. */
void ss_pages_join(void *block, size_t size_bytes)
{
    (void)round_up(&size_bytes);
    (void)madvise(block, size_bytes, MADV_HUGEPAGE);
}

#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25 /* of Linux 6.1; older ones refuse it */
#endif

void ss_pages_join_now(void *block, size_t size_bytes)
{
    ss_pages_join(block, size_bytes);
    (void)round_up(&size_bytes);
    (void)madvise(block, size_bytes, MADV_COLLAPSE);
}

void ss_pages_give(void *block, size_t size_bytes)
{
    (void)round_up(&size_bytes);
    munmap(block, size_bytes);
}
