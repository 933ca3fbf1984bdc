/*
 * dump.c - BF.SCANDUMP and BF.LOADCHUNK: a filter in chunks.
 *
 * A filter that came from RedisBloom is dumped as RedisBloom dumps it, so that
 * RedisBloom loads it. Any other is dumped as a header and the set's file.
 * BF.LOADCHUNK takes both. The chunk of iterator 1 is the header; another
 * chunk's iterator is one more than the place, after the header, at which it
 * ends.
 */
#include <string.h>

#include "bf/ops.h"
#include "commands.h"
#include "key/loading.h"
#include "key/reply.h"
#include "key/set_part.h"
#include "server/arguments.h"

enum {
    MOST_BYTES = 16 << 20 /* of a chunk */
};

static int reply_chunk(RedisModuleCtx *ctx, uint64_t iterator,
                       const void *bytes, size_t len)
{
    sr_redis.reply_array(ctx, 2);
    sr_redis.reply_number(ctx, (long long)iterator);
    sr_redis.reply_bytes(ctx, len == 0 ? "" : bytes, len);
    return SR_OK;
}

static int reply_end(RedisModuleCtx *ctx)
{
    return reply_chunk(ctx, 0, NULL, 0);
}

/* ---- a chain ---- */

static int append(void *context, const void *bytes, size_t len)
{
    uint8_t **end = context;
    memcpy(*end, bytes, len);
    *end += len;
    return 0;
}

static int dump_chain_head(RedisModuleCtx *ctx, const sr_chain *chain)
{
    size_t len = sr_chain_head_bytes(chain);
    uint8_t *head = sr_redis.pool_alloc(ctx, len), *end = head;
    sr_chain_write_head(chain, append, &end);
    return reply_chunk(ctx, 1, head, len);
}

static int dump_chain(RedisModuleCtx *ctx, const sr_chain *chain,
                      uint64_t iterator)
{
    if (iterator == 0)
        return dump_chain_head(ctx, chain);
    size_t len = 0;
    const uint8_t *part = sr_chain_part(chain, iterator - 1, MOST_BYTES, &len);
    return part == NULL ? reply_end(ctx)
                        : reply_chunk(ctx, iterator + len, part, len);
}

/* ---- a set ---- */

static int dump_set(RedisModuleCtx *ctx, const sr_value *value,
                    uint64_t iterator)
{
    size_t total = 0;
    seenset_write_bytes(value->set, NULL, &total);
    if (iterator == 0) {
        uint8_t head[SR_DUMP_HEAD_BYTES];
        sr_dump_write_head(total, value->expansion, head);
        return reply_chunk(ctx, 1, head, sizeof head);
    }
    uint64_t first = iterator - 1;
    if (first >= total)
        return reply_end(ctx);
    uint64_t left = total - first;
    size_t len = (size_t)(left < MOST_BYTES ? left : MOST_BYTES);
    uint8_t *bytes = sr_redis.try_alloc(len);
    if (bytes == NULL)
        return sr_reply_error(ctx, SEENSET_ENOMEM);
    sr_set_part(value->set, first, bytes, len);
    reply_chunk(ctx, iterator + len, bytes, len);
    sr_redis.free(bytes);
    return SR_OK;
}

int bf_scandump(RedisModuleCtx *ctx, RedisModuleString **argv, int argc)
{
    if (argc != 3)
        return sr_redis.wrong_arity(ctx);
    sr_target target = sr_find(ctx, argv[1], SR_READ);
    if (!bf_is_filter(&target))
        return sr_reply_state(ctx, target.state);
    long long iterator;
    if (sr_redis.to_long_long(argv[2], &iterator) != SR_OK)
        return sr_redis.reply_error(ctx, "Second argument must be numeric");
    if (iterator < 0)
        return reply_end(ctx);
    if (target.state == SR_CHAIN)
        return dump_chain(ctx, target.value->chain, (uint64_t)iterator);
    if (target.value->is_keyed)
        return sr_redis.reply_error(
            ctx, "ERR a set with a secret is dumped by SEEN.DUMP");
    return dump_set(ctx, target.value, (uint64_t)iterator);
}

/* ---- BF.LOADCHUNK ---- */

static const sr_chunk_way chunk_way = {
    .event = "bf.loadchunk",
    .head = sr_dump_head,
    .misplaced = "ERR invalid offset - no link found",
    .disordered = "ERR invalid offset - chunks are loaded in order"};

static int reply_bad(RedisModuleCtx *ctx)
{
    return sr_redis.reply_error(ctx, "ERR received bad data");
}

static int load_head(sr_target *target, const sr_chunk *head)
{
    uint64_t body = 0;
    if (sr_dump_head(head->bytes, head->len, &body) != head->len)
        return reply_bad(target->ctx);
    return sr_load_head(target, head, body, &chunk_way);
}

int bf_loadchunk(RedisModuleCtx *ctx, RedisModuleString **argv, int argc)
{
    if (argc != 4)
        return sr_redis.wrong_arity(ctx);
    long long iterator;
    if (sr_redis.to_long_long(argv[2], &iterator) != SR_OK)
        return sr_redis.reply_error(ctx, "ERR Second argument must be numeric");
    sr_target target = sr_find(ctx, argv[1], SR_READ | SR_WRITE);
    bool is_head = iterator == 1;
    if (target.state == SR_OTHER_TYPE || target.state == SR_CUCKOO ||
        (target.state == SR_MISSING && !is_head))
        return sr_reply_state(ctx, target.state);
    if (iterator < 1)
        return reply_bad(ctx);
    sr_chunk part = {.iterator = (uint64_t)iterator};
    part.bytes = (const uint8_t *)sr_redis.string(argv[3], &part.len);
    return is_head ? load_head(&target, &part)
                   : sr_load_body(&target, &part, &chunk_way);
}
