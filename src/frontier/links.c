/* links.c - see links.h */
#include "frontier/links.h"

#include "base/array.h"

enum {
    BLOCK_LINKS = 4096
};

struct ss_link_block {
    ss_link links[BLOCK_LINKS];
    uint32_t count; /* of items that are there */
};

static void free_block(ss_links *links, const ss_memory *memory, size_t index)
{
    if (links->blocks[index] == NULL)
        return;
    ss_memory_free(memory, links->blocks[index], 1, sizeof(ss_link_block));
    links->blocks[index] = NULL;
    links->block_total--;
}

void ss_links_free(ss_links *links, const ss_memory *memory)
{
    for (size_t i = 0; i < links->count; i++)
        free_block(links, memory, i);
    ss_memory_free(memory, links->blocks, links->room, sizeof *links->blocks);
    *links = (ss_links){0};
}

/* Blocks at the begin that are gone: once they are as many as the others. */
static void drop_first(ss_links *links)
{
    size_t gone = 0;
    while (gone < links->count && links->blocks[gone] == NULL)
        gone++;
    if (gone < links->count - gone)
        return;
    links->count -= gone;
    links->first_block += gone;
    memmove(links->blocks, links->blocks + gone,
            links->count * sizeof *links->blocks);
}

/* Room for the pointer of a block. */
static bool reserve_index(ss_links *links, const ss_memory *memory,
                          uint64_t block)
{
    void *blocks = links->blocks;
    if (links->count > 0)
        drop_first(links);
    if (links->count == 0)
        links->first_block = block;
    uint64_t wanted = block - links->first_block + 1;
    if (wanted > SIZE_MAX / sizeof *links->blocks ||
        !ss_array_reserve(memory, &blocks, &links->room, (size_t)wanted,
                          sizeof *links->blocks))
        return false;
    links->blocks = blocks;
    while (links->count < wanted)
        links->blocks[links->count++] = NULL;
    return true;
}

/* The newest block stays while it may get more, even if it has none. */
static void drop_newest(ss_links *links, const ss_memory *memory)
{
    if (links->count > 0 && links->blocks[links->count - 1] != NULL &&
        links->blocks[links->count - 1]->count == 0)
        free_block(links, memory, links->count - 1);
}

bool ss_links_reserve(ss_links *links, const ss_memory *memory, uint64_t item)
{
    uint64_t block = item / BLOCK_LINKS, last = links->first_block;
    if (links->count > 0 && block < last + links->count &&
        links->blocks[block - last] != NULL)
        return true;
    if (links->count > 0 && block >= last + links->count)
        drop_newest(links, memory);
    if (!reserve_index(links, memory, block))
        return false;
    ss_link_block *made = ss_memory_alloc(memory, 1, sizeof *made);
    if (made == NULL)
        return false;
    links->blocks[block - links->first_block] = made;
    links->block_total++;
    return true;
}

static ss_link_block *block_of(const ss_links *links, uint64_t item)
{
    uint64_t block = item / BLOCK_LINKS;
    if (block < links->first_block ||
        block - links->first_block >= links->count)
        return NULL;
    return links->blocks[block - links->first_block];
}

void ss_links_add(ss_links *links, uint64_t item, ss_link link)
{
    ss_link_block *block = block_of(links, item);
    block->links[item % BLOCK_LINKS] = link;
    block->count++;
}

ss_link *ss_links_find(const ss_links *links, uint64_t item)
{
    ss_link_block *block = block_of(links, item);
    if (block == NULL || block->links[item % BLOCK_LINKS].at == 0)
        return NULL;
    return &block->links[item % BLOCK_LINKS];
}

void ss_links_remove(ss_links *links, const ss_memory *memory, uint64_t item)
{
    ss_link_block *block = block_of(links, item);
    block->links[item % BLOCK_LINKS] = (ss_link){0};
    uint64_t index = item / BLOCK_LINKS - links->first_block;
    if (--block->count == 0 && index + 1 < links->count)
        free_block(links, memory, (size_t)index);
}

uint64_t ss_links_next(const ss_links *links, uint64_t from, uint64_t end)
{
    uint64_t first = links->first_block * BLOCK_LINKS;
    if (from < first)
        from = first;
    while (from < end) {
        const ss_link_block *block = block_of(links, from);
        if (block == NULL || block->count == 0)
            from = (from / BLOCK_LINKS + 1) * BLOCK_LINKS;
        else if (block->links[from % BLOCK_LINKS].at != 0)
            return from;
        else
            from++;
    }
    return end;
}

uint64_t ss_links_from(const ss_links *links, uint64_t from, uint64_t end,
                       uint64_t at)
{
    uint64_t low = from, high = end, found = end;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        uint64_t item = ss_links_next(links, middle, high);
        if (item == high) {
            high = middle;
        } else if (ss_links_find(links, item)->at >= at) {
            found = item;
            high = middle;
        } else {
            low = item + 1;
        }
    }
    return found;
}

uint64_t ss_links_oldest(ss_links *links, uint64_t end)
{
    links->oldest = ss_links_next(links, links->oldest, end);
    return links->oldest;
}

uint64_t ss_links_bytes(const ss_links *links)
{
    return links->block_total * sizeof(ss_link_block) +
           links->room * sizeof *links->blocks;
}
