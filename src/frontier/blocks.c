/* blocks.c - see blocks.h */
#include "frontier/blocks.h"

#include <string.h>

#include "base/array.h"

void ss_blocks_init(ss_blocks *blocks, size_t block_bytes)
{
    *blocks = (ss_blocks){.block_bytes = block_bytes};
}

static void free_block(ss_blocks *blocks, const ss_memory *memory, size_t index)
{
    if (blocks->at[index] == NULL)
        return;
    ss_memory_free(memory, blocks->at[index], 1, blocks->block_bytes);
    blocks->at[index] = NULL;
    blocks->total--;
}

void ss_blocks_free(ss_blocks *blocks, const ss_memory *memory)
{
    for (size_t i = 0; i < blocks->count; i++)
        free_block(blocks, memory, i);
    ss_memory_free(memory, blocks->at, blocks->room, sizeof *blocks->at);
    ss_blocks_init(blocks, blocks->block_bytes);
}

/* Blocks at the begin that are gone, before this one: once they are as many as
 * the others. */
static void drop_first(ss_blocks *blocks, uint64_t number)
{
    size_t gone = 0;
    while (gone < blocks->count && blocks->first + gone < number &&
           blocks->at[gone] == NULL)
        gone++;
    if (gone < blocks->count - gone)
        return;
    blocks->count -= gone;
    blocks->first += gone;
    memmove(blocks->at, blocks->at + gone, blocks->count * sizeof *blocks->at);
}

/* Room for the pointers of a block before the first, and of those between. */
static bool reserve_before(ss_blocks *blocks, const ss_memory *memory,
                           uint64_t number)
{
    void *at = blocks->at;
    uint64_t more = blocks->first - number;
    if (more > SIZE_MAX / sizeof *blocks->at - blocks->count ||
        !ss_array_reserve(memory, &at, &blocks->room,
                          blocks->count + (size_t)more, sizeof *blocks->at))
        return false;
    blocks->at = at;
    memmove(blocks->at + more, blocks->at, blocks->count * sizeof *blocks->at);
    for (size_t i = 0; i < more; i++)
        blocks->at[i] = NULL;
    blocks->first = number;
    blocks->count += (size_t)more;
    return true;
}

/* Room for the pointer of a block. */
static bool reserve_pointer(ss_blocks *blocks, const ss_memory *memory,
                            uint64_t number)
{
    void *at = blocks->at;
    if (blocks->count > 0)
        drop_first(blocks, number);
    if (blocks->count == 0)
        blocks->first = number;
    if (number < blocks->first)
        return reserve_before(blocks, memory, number);
    uint64_t wanted = number - blocks->first + 1;
    if (wanted > SIZE_MAX / sizeof *blocks->at ||
        !ss_array_reserve(memory, &at, &blocks->room, (size_t)wanted,
                          sizeof *blocks->at))
        return false;
    blocks->at = at;
    while (blocks->count < wanted)
        blocks->at[blocks->count++] = NULL;
    return true;
}

static bool add(ss_blocks *blocks, const ss_memory *memory, uint64_t number)
{
    if (!reserve_pointer(blocks, memory, number))
        return false;
    void *made = ss_memory_alloc(memory, 1, blocks->block_bytes);
    if (made == NULL)
        return false;
    blocks->at[number - blocks->first] = made;
    blocks->total++;
    return true;
}

bool ss_blocks_reserve(ss_blocks *blocks, const ss_memory *memory,
                       uint64_t item)
{
    uint64_t number = item / SS_BLOCK_ITEMS;
    size_t newest = blocks->count - 1;
    if (ss_blocks_find(blocks, item) != NULL)
        return true;
    if (blocks->count > 0 && number > blocks->first + newest &&
        blocks->at[newest] != NULL && blocks->at[newest]->count == 0)
        free_block(blocks, memory, newest);
    return add(blocks, memory, number);
}

void ss_blocks_leave(ss_blocks *blocks, const ss_memory *memory, uint64_t item)
{
    size_t index = (size_t)(item / SS_BLOCK_ITEMS - blocks->first);
    if (--blocks->at[index]->count == 0 && index + 1 < blocks->count)
        free_block(blocks, memory, index);
}

uint64_t ss_blocks_bytes(const ss_blocks *blocks)
{
    return blocks->total * blocks->block_bytes +
           blocks->room * sizeof *blocks->at;
}
