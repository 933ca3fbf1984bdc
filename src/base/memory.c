/* memory.c - checked, zeroed, aligned memory; the idea is in memory.h */
#define _GNU_SOURCE /* MAP_ANONYMOUS, madvise */
#include "base/memory.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
    ALIGNMENT_BYTES = 64
};
static const size_t huge_page_bytes = (size_t)2 << 20;

int ss_memory_init(ss_memory *memory, const seenset_allocator *allocator)
{
    *memory = (ss_memory){{NULL, NULL, NULL}};
    if (allocator == NULL)
        return SEENSET_OK;
    if (allocator->allocate == NULL || allocator->release == NULL)
        return SEENSET_EINVAL;
    memory->allocator = *allocator;
    return SEENSET_OK;
}

static bool round_up(size_t *size_bytes, size_t unit_bytes)
{
    if (*size_bytes > SIZE_MAX - unit_bytes)
        return false;
    *size_bytes = (*size_bytes + unit_bytes - 1) / unit_bytes * unit_bytes;
    return true;
}

/* Maps a huge page more than needed and unmaps what sticks out. */
static void *map_huge(size_t size_bytes)
{
    if (!round_up(&size_bytes, huge_page_bytes) ||
        size_bytes > SIZE_MAX - huge_page_bytes)
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
#ifdef MADV_HUGEPAGE
    /* A kernel without huge pages says no, and the pages stay small. */
    (void)madvise(mapped + before, size_bytes, MADV_HUGEPAGE);
#endif
    return mapped + before;
}

static void *take_own(size_t size_bytes)
{
    if (size_bytes >= SS_MEMORY_HUGE_BYTES)
        return map_huge(size_bytes);
    if (!round_up(&size_bytes, ALIGNMENT_BYTES))
        return NULL;
    void *block = aligned_alloc(ALIGNMENT_BYTES, size_bytes);
    if (block != NULL)
        memset(block, 0, size_bytes);
    return block;
}

static void give_own(void *block, size_t size_bytes)
{
    if (size_bytes < SS_MEMORY_HUGE_BYTES) {
        free(block);
        return;
    }
    (void)round_up(&size_bytes, huge_page_bytes);
    munmap(block, size_bytes);
}

void *ss_memory_alloc(const ss_memory *memory, uint64_t count,
                      size_t size_bytes)
{
    size_t total;
    if (__builtin_mul_overflow(count, size_bytes, &total) || total == 0)
        return NULL;
    const seenset_allocator *allocator = &memory->allocator;
    if (allocator->allocate == NULL)
        return take_own(total);
    void *block =
        allocator->allocate(allocator->context, total, ALIGNMENT_BYTES);
    if (block != NULL)
        memset(block, 0, total);
    return block;
}

void ss_memory_free(const ss_memory *memory, void *block, uint64_t count,
                    size_t size_bytes)
{
    if (block == NULL)
        return;
    size_t total = (size_t)count * size_bytes;
    const seenset_allocator *allocator = &memory->allocator;
    if (allocator->allocate == NULL)
        give_own(block, total);
    else
        allocator->release(allocator->context, block, total);
}

void ss_memory_unmap(void *mapping, size_t size_bytes)
{
    if (mapping != NULL)
        munmap(mapping, size_bytes);
}
