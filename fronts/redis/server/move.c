/* move.c - see move.h */
#include "server/move.h"

#include "server/memory.h"
#include "set/move.h"

enum {
    A_LOOK = 16,    /* blocks for each look at the time */
    LINE_BYTES = 64 /* the boundary of all blocks of a set */
};

sr_mover sr_move_begin(RedisModuleDefragCtx *ctx)
{
    unsigned long cursor = 0;
    bool goes_on = sr_redis.defrag_cursor_get != NULL &&
                   sr_redis.defrag_cursor_get(ctx, &cursor) == SR_OK &&
                   cursor != 0;
    return (sr_mover){.ctx = ctx, .is_first = !goes_on};
}

/* The cursor only says that there is more: where is in the value. */
int sr_move_end(const sr_mover *mover, bool is_done)
{
    return !is_done && sr_redis.defrag_cursor_set != NULL &&
           sr_redis.defrag_cursor_set(mover->ctx, 1) == SR_OK;
}

bool sr_move_is_over(sr_mover *mover)
{
    if (mover->tried < A_LOOK || sr_redis.defrag_should_stop == NULL)
        return false;
    mover->tried = 0;
    return sr_redis.defrag_should_stop(mover->ctx) != 0;
}

static void *offer(sr_mover *mover, void *block, uint64_t size_bytes)
{
    mover->tried++;
    return size_bytes >= SR_MOVE_BYTES || sr_redis.defrag_alloc == NULL
               ? NULL
               : sr_redis.defrag_alloc(mover->ctx, block);
}

void *sr_move(sr_mover *mover, void *block, uint64_t size_bytes)
{
    void *moved = block == NULL ? NULL : offer(mover, block, size_bytes);
    return moved == NULL ? block : moved;
}

void *sr_move_plain(void *mover, void *block, size_t size_bytes)
{
    return sr_move(mover, block, size_bytes);
}

static void *move_at(sr_mover *mover, void *block, size_t size_bytes,
                     size_t alignment_bytes)
{
    void *own = sr_memory_block(block);
    void *moved = offer(mover, own, size_bytes);
    return moved == NULL ? block
                         : sr_memory_moved(block, own, moved, size_bytes,
                                           alignment_bytes);
}

void *sr_move_owned(sr_mover *mover, void *block, uint64_t size_bytes)
{
    return move_at(mover, block, (size_t)size_bytes, 8);
}

static void *move_line(void *mover, void *block, size_t size_bytes)
{
    return move_at(mover, block, size_bytes, LINE_BYTES);
}

void sr_move_set(sr_mover *mover, seenset **set)
{
    if (*set != NULL)
        ss_set_move(set, move_line, mover);
}
