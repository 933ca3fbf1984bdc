/* pool.c - pages of an expandable table; the idea is in pool.h */
#include "expand/pool.h"

#include <string.h>

#include "base/pages.h"

enum {
    LAZY_PAGES = 512, /* of an extent of our own: 2 MiB */
    GIVEN_PAGES = 31, /* of one of a caller's allocator: 124 KiB (pool.h) */
    PAGE_LINES_SHIFT = 6,
    HUGE_EXTENTS = 32 /* from so many on, huge from the beginning */
};

void ss_pool_init(ss_pool *pool, const ss_memory *memory, uint32_t line_shift)
{
    bool is_small = line_shift < PAGE_LINES_SHIFT;
    bool is_lazy =
        !is_small && memory->allocator.allocate == NULL && ss_pages_are_lazy();
    *pool = (ss_pool){.memory = memory,
                      .line_shift = line_shift,
                      .is_lazy = is_lazy,
                      .extent_pages = is_small  ? 1
                                      : is_lazy ? LAZY_PAGES
                                                : GIVEN_PAGES};
}

static size_t page_bytes(const ss_pool *pool)
{
    return (size_t)SS_LINE_BYTES << pool->line_shift;
}

static size_t extent_bytes(const ss_pool *pool)
{
    return page_bytes(pool) * pool->extent_pages;
}

void ss_pool_end(ss_pool *pool)
{
    for (uint32_t i = 0; i < pool->extent_count; i++) {
        if (pool->is_lazy)
            ss_pages_give(pool->extents[i], extent_bytes(pool));
        else
            ss_memory_free(pool->memory, pool->extents[i], 1,
                           extent_bytes(pool));
    }
    ss_memory_free(pool->memory, pool->extents, pool->extent_room,
                   sizeof *pool->extents);
    pool->extents = NULL;
    pool->extent_count = pool->extent_room = 0;
}

static bool widen_list(ss_pool *pool)
{
    if (pool->extent_count < pool->extent_room)
        return true;
    uint32_t room = pool->extent_room + pool->extent_room / 4 + 4;
    uint64_t **wider = ss_memory_alloc(pool->memory, room, sizeof *wider);
    if (wider == NULL)
        return false;
    if (pool->extent_count > 0)
        memcpy(wider, pool->extents, pool->extent_count * sizeof *wider);
    ss_memory_free(pool->memory, pool->extents, pool->extent_room,
                   sizeof *wider);
    pool->extents = wider;
    pool->extent_room = room;
    return true;
}

/* Huge pages for an extent: it is full. */
static void join_extent(ss_pool *pool, uint64_t index)
{
    if (pool->is_lazy && index < HUGE_EXTENTS)
        ss_pages_join(pool->extents[index], extent_bytes(pool));
}

bool ss_pool_join_one(ss_pool *pool)
{
    uint64_t full = pool->fresh / pool->extent_pages;
    if (!pool->is_lazy || pool->joined >= full || pool->joined >= HUGE_EXTENTS)
        return false;
    ss_pages_join_now(pool->extents[pool->joined++], extent_bytes(pool));
    return true;
}

static void *take_extent(ss_pool *pool)
{
    size_t size_bytes = extent_bytes(pool);
    if (!pool->is_lazy)
        return ss_memory_alloc(pool->memory, 1, size_bytes);
    return pool->extent_count < HUGE_EXTENTS ? ss_pages_reserve(size_bytes)
                                             : ss_pages_take(size_bytes);
}

static uint64_t pages_of_extents(const ss_pool *pool)
{
    return (uint64_t)pool->extent_count * pool->extent_pages;
}

bool ss_pool_ensure(ss_pool *pool, uint64_t count)
{
    while (pages_of_extents(pool) - pool->fresh + pool->free_count < count) {
        if (!widen_list(pool))
            return false;
        uint64_t *extent = take_extent(pool);
        if (extent == NULL)
            return false;
        pool->extents[pool->extent_count++] = extent;
    }
    return true;
}

uint64_t *ss_pool_page(const ss_pool *pool, uint64_t index)
{
    uint64_t within = index % pool->extent_pages;
    return pool->extents[index / pool->extent_pages] +
           (within << pool->line_shift) * SS_LINE_WORDS;
}

uint64_t ss_pool_run_end(const ss_pool *pool, uint64_t index)
{
    return (index / pool->extent_pages + 1) * pool->extent_pages;
}

static uint64_t *take_fresh(ss_pool *pool)
{
    uint64_t page = pool->fresh++;
    if (page % pool->extent_pages == 0 && page > 0)
        join_extent(pool, page / pool->extent_pages - 1);
    return ss_pool_page(pool, page);
}

uint64_t *ss_pool_take(ss_pool *pool)
{
    uint64_t *page = pool->free_first;
    if (page == NULL)
        return take_fresh(pool);
    memcpy(&pool->free_first, page, sizeof pool->free_first);
    pool->free_count--;
    return page;
}

void ss_pool_give(ss_pool *pool, uint64_t *page)
{
    memcpy(page, &pool->free_first, sizeof pool->free_first);
    pool->free_first = page;
    pool->free_count++;
}

/* Pages of extents that take memory when they are written: those that were, and
 * all of a huge page that one of them is in. */
static uint64_t written_pages(const ss_pool *pool)
{
    const uint64_t small = (uint64_t)HUGE_EXTENTS * pool->extent_pages;
    uint64_t over = pool->fresh % pool->extent_pages;
    return pool->fresh <= small || over == 0
               ? pool->fresh
               : pool->fresh + pool->extent_pages - over;
}

uint64_t ss_pool_bytes(const ss_pool *pool)
{
    uint64_t list = (uint64_t)pool->extent_room * sizeof *pool->extents;
    uint64_t pages =
        pool->is_lazy ? written_pages(pool) : pages_of_extents(pool);
    return list + pages * page_bytes(pool);
}
