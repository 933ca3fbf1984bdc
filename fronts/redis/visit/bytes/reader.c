/* reader.c - see reader.h */
#include "visit/bytes/reader.h"

#include <string.h>

#include "server/memory.h"

int sr_damaged(sr_reader *from, const char *reason)
{
    if (from->reason == NULL)
        from->reason = reason;
    return SEENSET_ECORRUPT;
}

const uint8_t *sr_take(sr_reader *from, uint64_t len)
{
    if (len > (uint64_t)(from->end - from->at)) {
        sr_damaged(from, "it ends too early");
        return NULL;
    }
    const uint8_t *bytes = from->at;
    from->at += len;
    return bytes;
}

uint64_t sr_take_number(sr_reader *from, size_t size_bytes)
{
    const uint8_t *bytes = sr_take(from, size_bytes);
    uint64_t number = 0;
    for (size_t i = 0; bytes != NULL && i < size_bytes; i++)
        number |= (uint64_t)bytes[i] << (8 * i);
    return number;
}

/* Checks that the bytes are the items that a block has. */
static int check_items(sr_reader *from, const uint8_t *raw, uint64_t len,
                       uint64_t items)
{
    int64_t found = sr_block_count(raw, (size_t)len);
    return found >= 0 && (uint64_t)found == items
               ? 0
               : sr_damaged(from, "the items of a block are damaged");
}

static const uint8_t *take_block(sr_reader *from, sr_block *block)
{
    *block = (sr_block){0};
    block->len = sr_take_number(from, 8);
    block->raw_len = sr_take_number(from, 8);
    block->items = sr_take_number(from, 8);
    return sr_take(from, block->len);
}

/* The head or the tail. */
int sr_read_raw(sr_reader *from, sr_raw *raw)
{
    sr_block block;
    const uint8_t *bytes = take_block(from, &block);
    if (from->reason != NULL || block.len != block.raw_len)
        return sr_damaged(from, "the first or last block is packed");
    int error = check_items(from, bytes, block.len, block.items);
    if (error != 0 || block.items == 0)
        return error;
    raw->bytes = sr_redis.try_alloc((size_t)block.len);
    if (raw->bytes == NULL)
        return SEENSET_ENOMEM;
    memcpy(raw->bytes, bytes, (size_t)block.len);
    raw->len = raw->room = (size_t)block.len;
    raw->items = block.items;
    return 0;
}

/* Unpacks the block, to see that it can be, and drops what came of it. */
static int check_block(sr_reader *from, const sr_block *block)
{
    uint8_t *raw = sr_redis.try_alloc((size_t)block->raw_len);
    if (raw == NULL)
        return SEENSET_ENOMEM;
    int error = sr_block_unpack(block, raw);
    if (error == 0)
        error = check_items(from, raw, block->raw_len, block->items);
    else if (error == SEENSET_ECORRUPT)
        sr_damaged(from, "a block cannot be unpacked");
    sr_redis.free(raw);
    return error;
}

static int read_block(sr_reader *from, sr_items *items)
{
    sr_block block;
    const uint8_t *bytes = take_block(from, &block);
    if (from->reason != NULL || block.len == 0 || block.len > block.raw_len ||
        block.raw_len > SR_BLOCK_MOST_BYTES)
        return sr_damaged(from, "the length of a block is damaged");
    block.bytes = sr_redis.try_alloc((size_t)block.len);
    if (block.bytes == NULL)
        return SEENSET_ENOMEM;
    memcpy(block.bytes, bytes, (size_t)block.len);
    int error = check_block(from, &block);
    if (error == 0)
        error = sr_items_append(items, &block);
    if (error != 0)
        sr_block_free(&block);
    return error;
}

int sr_read_items(sr_reader *from, sr_items *items)
{
    uint64_t blocks = sr_take_number(from, 8);
    if (from->reason != NULL || blocks < 2)
        return sr_damaged(from, "the number of blocks is damaged");
    int error = sr_read_raw(from, &items->head);
    for (uint64_t i = 2; error == 0 && i < blocks; i++)
        error = read_block(from, items);
    return error == 0 ? sr_read_raw(from, &items->tail) : error;
}
