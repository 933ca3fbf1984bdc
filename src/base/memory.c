/* memory.c - checked, aligned memory, zeroed but for buffers; the idea is in
 * memory.h */
#include "base/memory.h"

#include <string.h>

#include "base/blocks.h"
#include "base/pages.h"

enum {
    ALIGNMENT_BYTES = 64
};

int ss_memory_init(ss_memory *memory, const seenset_allocator *allocator)
{
    *memory = (ss_memory){{NULL, NULL, NULL}, false};
    if (allocator == NULL)
        return SEENSET_OK;
    if (allocator->allocate == NULL || allocator->release == NULL)
        return SEENSET_EINVAL;
    memory->allocator = *allocator;
    return SEENSET_OK;
}

static void *take_own(size_t size_bytes, bool *is_zeroed)
{
    *is_zeroed = size_bytes >= SS_MEMORY_HUGE_BYTES;
    if (*is_zeroed)
        return ss_pages_take(size_bytes);
    size_t over = size_bytes % ALIGNMENT_BYTES;
    size_bytes += over == 0 ? 0 : ALIGNMENT_BYTES - over;
    return ss_blocks_take(ALIGNMENT_BYTES, size_bytes);
}

static void give_own(void *block, size_t size_bytes)
{
    if (size_bytes < SS_MEMORY_HUGE_BYTES)
        ss_blocks_give(block);
    else
        ss_pages_give(block, size_bytes);
}

static void *take(const ss_memory *memory, size_t size_bytes, bool *is_zeroed)
{
    const seenset_allocator *allocator = &memory->allocator;
    if (allocator->allocate == NULL)
        return take_own(size_bytes, is_zeroed);
    *is_zeroed = memory->is_zeroed;
    return allocator->allocate(allocator->context, size_bytes, ALIGNMENT_BYTES);
}

void *ss_memory_alloc(const ss_memory *memory, uint64_t count,
                      size_t size_bytes)
{
    size_t total;
    bool is_zeroed;
    if (__builtin_mul_overflow(count, size_bytes, &total) || total == 0 ||
        total > PTRDIFF_MAX) /* further apart, pointers have no difference */
        return NULL;
    void *block = take(memory, total, &is_zeroed);
    if (block != NULL && !is_zeroed)
        memset(block, 0, total);
    return block;
}

void *ss_memory_alloc_buffer(const ss_memory *memory, size_t size_bytes)
{
    bool is_zeroed;
    return take(memory, size_bytes, &is_zeroed);
}

void *ss_memory_alloc_record(const ss_memory *memory, size_t size_bytes)
{
    if (memory->allocator.allocate != NULL ||
        size_bytes >= SS_MEMORY_HUGE_BYTES)
        return ss_memory_alloc(memory, 1, size_bytes);
    return ss_blocks_take_record(size_bytes);
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
