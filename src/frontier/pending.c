/* pending.c - see pending.h */
#include "frontier/pending.h"

#include "base/order.h"

typedef struct pending_block {
    ss_block head; /* counts the bits that are set */
    uint64_t bits[SS_BLOCK_ITEMS / 64];
} pending_block;

void ss_pending_init(ss_pending *pending)
{
    *pending = (ss_pending){0};
    ss_blocks_init(&pending->blocks, sizeof(pending_block));
}

void ss_pending_free(ss_pending *pending, const ss_memory *memory)
{
    ss_blocks_free(&pending->blocks, memory);
    pending->oldest = 0;
}

bool ss_pending_reserve(ss_pending *pending, const ss_memory *memory,
                        uint64_t item)
{
    return ss_blocks_reserve(&pending->blocks, memory, item);
}

static uint64_t *word_of(pending_block *block, uint64_t item)
{
    return &block->bits[item % SS_BLOCK_ITEMS / 64];
}

static uint64_t bit_of(uint64_t item)
{
    return UINT64_C(1) << item % 64;
}

void ss_pending_add(ss_pending *pending, uint64_t item)
{
    pending_block *block = ss_blocks_find(&pending->blocks, item);
    *word_of(block, item) |= bit_of(item);
    block->head.count++;
    pending->oldest = ss_lower(pending->oldest, item);
}

bool ss_pending_has(const ss_pending *pending, uint64_t item)
{
    pending_block *block = ss_blocks_find(&pending->blocks, item);
    return block != NULL && (*word_of(block, item) & bit_of(item)) != 0;
}

void ss_pending_remove(ss_pending *pending, const ss_memory *memory,
                       uint64_t item)
{
    *word_of(ss_blocks_find(&pending->blocks, item), item) &= ~bit_of(item);
    ss_blocks_leave(&pending->blocks, memory, item);
}

/* The first item of a block that is there and not before `from`, or the first
 * of the next block. */
static uint64_t next_in(pending_block *block, uint64_t from)
{
    uint64_t end = (from / SS_BLOCK_ITEMS + 1) * SS_BLOCK_ITEMS;
    while (from < end) {
        uint64_t left = *word_of(block, from) >> from % 64;
        if ((left & 1) != 0)
            return from;
        from = left != 0 ? from + 1 : (from / 64 + 1) * 64;
    }
    return end;
}

uint64_t ss_pending_next(const ss_pending *pending, uint64_t from, uint64_t end)
{
    const ss_blocks *blocks = &pending->blocks;
    from = ss_higher(from, blocks->first * SS_BLOCK_ITEMS);
    while (from < end &&
           from / SS_BLOCK_ITEMS - blocks->first < blocks->count) {
        pending_block *block = ss_blocks_find(blocks, from);
        uint64_t next = (from / SS_BLOCK_ITEMS + 1) * SS_BLOCK_ITEMS;
        if (block != NULL && block->head.count > 0)
            next = next_in(block, from);
        if (next % SS_BLOCK_ITEMS != 0 || ss_pending_has(pending, next))
            return ss_lower(next, end);
        from = next;
    }
    return end;
}

uint64_t ss_pending_oldest(ss_pending *pending, uint64_t end)
{
    pending->oldest = ss_pending_next(pending, pending->oldest, end);
    return pending->oldest;
}

uint64_t ss_pending_bytes(const ss_pending *pending)
{
    return ss_blocks_bytes(&pending->blocks);
}
