/*
 * blocks.h - what there is of items, in blocks of 4096 by their numbers.
 *
 * Numbers only grow, and what is done goes: so an array of blocks, from the
 * oldest that is there on, some of them gone already. An item is found in one
 * step, however many there are. A block goes when its count is 0, but for the
 * newest, which may get more.
 */
#ifndef SS_FRONTIER_BLOCKS_H
#define SS_FRONTIER_BLOCKS_H

#include "base/memory.h"

enum {
    SS_BLOCK_ITEMS = 4096
};

/* What each block begins with. */
typedef struct ss_block {
    uint32_t count; /* of what is in it, kept by its owner */
} ss_block;

typedef struct ss_blocks {
    size_t block_bytes;
    ss_block **at; /* or NULL where all items are gone */
    size_t count, room;
    uint64_t first; /* the number of at[0] */
    uint64_t total; /* blocks that there are */
} ss_blocks;

void ss_blocks_init(ss_blocks *blocks, size_t block_bytes);
void ss_blocks_free(ss_blocks *blocks, const ss_memory *memory);

/* The block of an item, or NULL. */
static inline void *ss_blocks_find(const ss_blocks *blocks, uint64_t item)
{
    uint64_t index = item / SS_BLOCK_ITEMS - blocks->first;
    return index < blocks->count ? blocks->at[index] : NULL;
}

/* Makes sure that the item has a block. It is usually the newest; adding one
 * before the oldest moves the pointers of all. False: no memory. */
bool ss_blocks_reserve(ss_blocks *blocks, const ss_memory *memory,
                       uint64_t item);

/* One less is in the block of an item. */
void ss_blocks_leave(ss_blocks *blocks, const ss_memory *memory, uint64_t item);

uint64_t ss_blocks_bytes(const ss_blocks *blocks);

#endif
