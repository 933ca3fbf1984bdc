/*
 * pool.c - an allocator that keeps large blocks, to tell what a build costs
 * from what it costs to get its memory from the system.
 *
 * A virtual machine may hand free memory back to its host; the first touch of
 * such memory then costs the host a page fault too, many times its own.
 */
#define _GNU_SOURCE /* madvise */
#include "bench.h"

#include <stdlib.h>
#include <sys/mman.h>

enum {
    SLOT_COUNT = 32
};
static const size_t huge_page_bytes = (size_t)2 << 20;

typedef struct slot {
    void *memory;
    size_t size_bytes;
    bool is_used;
} slot;

static void *map_huge(size_t size_bytes)
{
    size_t whole = (size_bytes + 2 * huge_page_bytes - 1) / huge_page_bytes *
                   huge_page_bytes;
    char *mapped = mmap(NULL, whole, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED)
        return NULL;
    size_t over = (uintptr_t)mapped % huge_page_bytes;
    mapped += over == 0 ? 0 : huge_page_bytes - over;
    (void)madvise(mapped, size_bytes, MADV_HUGEPAGE);
    return mapped;
}

static void *allocate(void *context, size_t size_bytes, size_t alignment_bytes)
{
    slot *slots = context;
    if (size_bytes < huge_page_bytes)
        return aligned_alloc(alignment_bytes,
                             (size_bytes + alignment_bytes - 1) /
                                 alignment_bytes * alignment_bytes);
    for (size_t i = 0; i < SLOT_COUNT; i++) {
        slot *at = &slots[i];
        if (at->is_used || (at->memory && at->size_bytes != size_bytes))
            continue;
        if (at->memory == NULL)
            *at = (slot){map_huge(size_bytes), size_bytes, false};
        at->is_used = at->memory != NULL;
        return at->memory;
    }
    return NULL;
}

/* Large blocks stay until the program ends. */
static void release(void *context, void *memory, size_t size_bytes)
{
    slot *slots = context;
    if (size_bytes < huge_page_bytes)
        free(memory);
    else
        for (size_t i = 0; i < SLOT_COUNT; i++)
            if (slots[i].memory == memory)
                slots[i].is_used = false;
}

seenset_allocator pool_make(void)
{
    return (seenset_allocator){allocate, release,
                               take(SLOT_COUNT, sizeof(slot))};
}
