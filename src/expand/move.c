/* move.c - see move.h */
#include "expand/move.h"

/* ---- the directory ---- */

/* Places of the top that lead to one chunk are one after another. */
static void move_chunks(ss_directory *directory, ss_memory_move *move,
                        void *context)
{
    const ss_entry *last = NULL;
    ss_entry *moved = NULL;
    for (uint64_t i = 0; i < UINT64_C(1) << directory->top_bits; i++) {
        ss_chunk *chunk = &directory->top[i];
        if (chunk->entries != last) {
            size_t count = (size_t)1 << (64 - chunk->shift);
            last = chunk->entries;
            moved = move(context, chunk->entries, count * sizeof *moved);
        }
        chunk->entries = moved;
    }
}

static void move_directory(ss_directory *directory, ss_memory_move *move,
                           void *context)
{
    size_t count = (size_t)1 << directory->top_bits;
    move_chunks(directory, move, context);
    directory->top =
        move(context, directory->top, count * sizeof *directory->top);
}

/* ---- pages that are blocks ---- */

typedef struct mover {
    ss_memory_move *move;
    void *context;
    ss_pool *pool;
    size_t page_bytes;
    uint64_t moved; /* pages, which are in the pool's list again */
} mover;

/* The list has the pages of segments from now on, then the free ones. */
static uint64_t *move_page(mover *by, uint64_t *page)
{
    page = by->move(by->context, page, by->page_bytes);
    by->pool->extents[by->moved++] = page;
    return page;
}

static void move_segments(mover *by, ss_directory *directory)
{
    uint64_t hash = 0;
    do {
        ss_segment segment =
            ss_entry_unpack(ss_directory_find(directory, hash));
        for (uint32_t i = 0; i < segment.pages; i++)
            segment.page[i] = move_page(by, segment.page[i]);
        ss_entry entry = ss_entry_pack(&segment);
        ss_directory_publish(directory, hash, segment.depth, &entry);
        hash += segment.depth == 0 ? 0 : UINT64_C(1) << (64 - segment.depth);
    } while (hash != 0);
}

/* A free page begins with the address of the next. */
static void move_free_pages(mover *by)
{
    uint64_t *page = by->pool->free_first, *before = NULL;
    while (page != NULL) {
        page = move_page(by, page);
        if (before == NULL)
            by->pool->free_first = page;
        else
            memcpy(before, &page, sizeof page);
        before = page;
        memcpy(&page, before, sizeof page);
    }
}

/* Each page that was ever taken is a segment's or free. */
static void move_pages(ss_expand *expand, ss_memory_move *move, void *context)
{
    ss_pool *pool = &expand->pool;
    mover by = {.move = move,
                .context = context,
                .pool = pool,
                .page_bytes = (size_t)SS_LINE_BYTES << pool->line_shift};
    if (pool->extent_pages != 1 || pool->borrowed != 0)
        return;
    move_segments(&by, &expand->directory);
    move_free_pages(&by);
    while (by.moved < pool->extent_count)
        (void)move_page(&by, pool->extents[by.moved]);
}

ss_expand *ss_expand_move(ss_expand *expand, ss_memory_move *move,
                          void *context)
{
    if (expand->image != NULL || expand->unread != NULL)
        return expand;
    expand = move(context, expand, sizeof *expand);
    expand->pool.memory = expand->directory.memory = &expand->memory;
    expand->records = move(context, expand->records,
                           expand->record_room * sizeof *expand->records);
    expand->pool.extents =
        move(context, expand->pool.extents,
             expand->pool.extent_room * sizeof *expand->pool.extents);
    move_directory(&expand->directory, move, context);
    move_pages(expand, move, context);
    return expand;
}
