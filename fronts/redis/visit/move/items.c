/* items.c - blocks of pending items; see move.h */
#include "visit/move/move.h"

void sr_move_items(sr_mover *mover, sr_items *items)
{
    items->head.bytes = sr_move(mover, items->head.bytes, items->head.room);
    items->tail.bytes = sr_move(mover, items->tail.bytes, items->tail.room);
    items->blocks =
        sr_move(mover, items->blocks, items->room * sizeof *items->blocks);
}

bool sr_move_blocks(sr_mover *mover, sr_items *items, uint64_t *at)
{
    for (; *at < items->block_count; ++*at) {
        sr_block *block = &items->blocks[items->first + *at];
        if (sr_move_is_over(mover))
            return false;
        block->bytes = sr_move(mover, block->bytes, block->len);
    }
    return true;
}
