/* block.c - see block.h */
#include "visit/partition/block.h"

#include <string.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "seenset/error.h"
#include "server/api.h"

enum {
    LEVEL = 5 /* of zstd; 3 takes half of the time, and 3 % more bytes */
};

/* A copy of exactly len bytes. */
static int keep(sr_block *block, const uint8_t *bytes, size_t len)
{
    block->bytes = sr_redis.try_alloc(len);
    if (block->bytes == NULL)
        return SEENSET_ENOMEM;
    memcpy(block->bytes, bytes, len);
    block->len = len;
    return 0;
}

int sr_block_pack(sr_block *out, const uint8_t *raw, size_t raw_len,
                  uint64_t items)
{
    sr_block packed = {.raw_len = raw_len, .items = items};
    size_t room = ZSTD_compressBound(raw_len);
    uint8_t *bytes = sr_redis.try_alloc(room);
    if (bytes == NULL)
        return SEENSET_ENOMEM;
    size_t len = ZSTD_compress(bytes, room, raw, raw_len, LEVEL);
    int error;
    if (ZSTD_isError(len) || len >= raw_len)
        error = keep(&packed, raw, raw_len);
    else
        error = keep(&packed, bytes, len);
    sr_redis.free(bytes);
    if (error == 0)
        *out = packed;
    return error;
}

int sr_block_unpack(const sr_block *block, uint8_t *raw)
{
    if (block->len == block->raw_len) {
        memcpy(raw, block->bytes, block->len);
        return 0;
    }
    size_t len = ZSTD_decompress(raw, block->raw_len, block->bytes, block->len);
    if (len == block->raw_len)
        return 0;
    return ZSTD_isError(len) &&
                   ZSTD_getErrorCode(len) == ZSTD_error_memory_allocation
               ? SEENSET_ENOMEM
               : SEENSET_ECORRUPT;
}

void sr_block_free(sr_block *block)
{
    if (block->bytes != NULL)
        sr_redis.free(block->bytes);
    *block = (sr_block){0};
}

int64_t sr_block_count(const uint8_t *raw, size_t len)
{
    sr_item item;
    int64_t items = 0;
    for (size_t at = 0; at < len; items++) {
        size_t read = sr_item_read(raw + at, len - at, &item);
        if (read == 0)
            return -1;
        at += read;
    }
    return items;
}
