/*
 * pool.h - the pages of an expandable table.
 *
 * A page is a run of lines, 4 KiB in all but the smallest tables. Pages are
 * all of one size and any page serves any segment, so none is ever too small
 * for what is asked, and a table holds the pages that it uses and no more:
 * the few that are free are a list through their first words.
 *
 * Pages come in extents. An extent of the library's own is 2 MiB of addresses,
 * whose small pages take memory when they are first written, a page at a time;
 * the kernel may join them when it is full. So neither the memory nor the pause
 * of a first touch comes 2 MiB at a time until a table is so large that 2 MiB
 * are little beside it. Where a caller's allocator serves the table, an extent
 * is 124 KiB: a page less than a power of two. Allocators have sizes of their
 * own, powers of two among them, and those that have to align a block, or to
 * keep something beside it, take more than was asked for. So 64 KiB became 80
 * of jemalloc's in a Redis server, and 124 become 128.
 */
#ifndef SS_EXPAND_POOL_H
#define SS_EXPAND_POOL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bits.h"
#include "base/memory.h"

typedef struct ss_pool {
    const ss_memory *memory;
    uint64_t **extents;
    uint32_t extent_count, extent_room; /* extents that are; the array's size */
    uint32_t line_shift;                /* log2 of the lines of a page */
    uint32_t extent_pages;              /* pages of an extent */
    bool is_lazy;                       /* extents from ss_pages_reserve */
    uint64_t fresh;                     /* pages handed out so far */
    uint64_t free_count;                /* of them, those that came back */
    uint64_t *free_first;               /* a list of these, or NULL */
    uint32_t joined;   /* extents that ss_pool_join_one was done with */
    uint64_t borrowed; /* pages of no extent: of a file that is mapped */
} ss_pool;

/* line_shift: 0 to 6 */
void ss_pool_init(ss_pool *pool, const ss_memory *memory, uint32_t line_shift);
void ss_pool_end(ss_pool *pool);

/* Makes sure that `count` more pages can be taken; false: no memory, and
 * nothing has changed. */
bool ss_pool_ensure(ss_pool *pool, uint64_t count);

/* A page, whatever is in it; only after ss_pool_ensure. */
uint64_t *ss_pool_take(ss_pool *pool);
void ss_pool_give(ss_pool *pool, uint64_t *page);

/* Makes huge pages of the next extent that is full, if there is one, and if the
 * kernel can: some milliseconds (base/pages.h). True: there was one. */
bool ss_pool_join_one(ss_pool *pool);

/* The pages that were taken, or borrowed, and not given back. */
static inline uint64_t ss_pool_used(const ss_pool *pool)
{
    return pool->fresh + pool->borrowed - pool->free_count;
}

/* The page that was the `index`-th to be taken from a pool that none was given
 * back to, counted from 0. */
uint64_t *ss_pool_page(const ss_pool *pool, uint64_t index);

/* The pages from that one to this one are one after the other. */
uint64_t ss_pool_run_end(const ss_pool *pool, uint64_t index);

/* Bytes that the pool takes of memory, its list of extents included. */
uint64_t ss_pool_bytes(const ss_pool *pool);

#endif
