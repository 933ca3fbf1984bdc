/*
 * memory.h - the one way the library gets memory.
 *
 * Every block is zeroed (but for buffers), begins on a cache line (but for
 * records), and its size is a checked product. The caller's allocator serves it
 * if there is one. Otherwise small blocks come from the C library, and blocks
 * of 4 MiB and more from the operating system in huge pages (pages.h): random
 * lines of a large table then miss the TLB far less often.
 */
#ifndef SS_BASE_MEMORY_H
#define SS_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/export.h"
#include "seenset/base.h"
#include "seenset/error.h"

typedef struct ss_memory {
    seenset_allocator allocator; /* allocate NULL: the library's own */
    bool is_zeroed;              /* what the caller's allocator returns */
} ss_memory;

#define SS_MEMORY_HUGE_BYTES ((size_t)4 << 20)

/* allocator may be NULL; SEENSET_EINVAL if it lacks a function */
SS_EXPORT int ss_memory_init(ss_memory *memory,
                             const seenset_allocator *allocator);

/* count * size_bytes zeroed bytes on a 64-byte boundary, or NULL */
SS_EXPORT void *ss_memory_alloc(const ss_memory *memory, uint64_t count,
                                size_t size_bytes);

/* size_bytes bytes (over 0) that are written before they are read: they are not
 * zeroed, so that a large buffer costs nothing until it is used. Given back by
 * ss_memory_free, with a size of 1. */
SS_EXPORT void *ss_memory_alloc_buffer(const ss_memory *memory,
                                       size_t size_bytes);

/*
 * size_bytes zeroed bytes (over 0) for a record, which need not begin on a
 * cache line: on a boundary that serves any type. The C library has such a
 * block in half the time. Given back by ss_memory_free, with a count of 1.
 */
SS_EXPORT void *ss_memory_alloc_record(const ss_memory *memory,
                                       size_t size_bytes);

/* Gives back what ss_memory_alloc returned for the same count and size; NULL
 * allowed. */
SS_EXPORT void ss_memory_free(const ss_memory *memory, void *block,
                              uint64_t count, size_t size_bytes);

/*
 * Moves a block of so many bytes to where an allocator that defragments its
 * memory would rather have it: copies it there, frees the old one, and returns
 * the new address, or the old one if the block may stay. The caller then mends
 * all that points to it.
 */
typedef void *ss_memory_move(void *context, void *block, size_t size_bytes);

#endif
