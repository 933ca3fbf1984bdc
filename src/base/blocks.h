/*
 * blocks.h - small blocks of memory from the C library.
 *
 * Windows' C library has no aligned_alloc of C11. It has functions of its own,
 * whose blocks it takes back by another function than free; so all of ours are
 * taken and given back here.
 */
#ifndef SS_BASE_BLOCKS_H
#define SS_BASE_BLOCKS_H

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* `size_bytes`, a multiple of the alignment; NULL: there is no memory. */
static inline void *ss_blocks_take(size_t alignment_bytes, size_t size_bytes)
{
#ifdef _WIN32
    return _aligned_malloc(size_bytes, alignment_bytes);
#else
    return aligned_alloc(alignment_bytes, size_bytes);
#endif
}

/* Zeroed bytes on a boundary that serves any type. */
static inline void *ss_blocks_take_record(size_t size_bytes)
{
#ifdef _WIN32
    void *block = _aligned_malloc(size_bytes, 16);
    return block == NULL ? NULL : memset(block, 0, size_bytes);
#else
    return calloc(1, size_bytes);
#endif
}

/* Gives back what one of these returned; NULL allowed. */
static inline void ss_blocks_give(void *block)
{
#ifdef _WIN32
    _aligned_free(block);
#else
    free(block);
#endif
}

#endif
