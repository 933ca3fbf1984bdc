/*
 * dump.c - CF.SCANDUMP and CF.LOADCHUNK: a filter in chunks.
 *
 * The chunk of iterator 1 is the header; another chunk's iterator is one more
 * than the place, after the header, at which it ends. The bytes are this
 * module's own (key/foreign/cuckoo.h): RedisBloom's have eight bits of each
 * item, of another hash, and no item can be found by them in a set of
 * fingerprints.
 */
#include "cf/filter.h"
#include "commands.h"
#include "key/loading.h"
#include "key/reply.h"
#include "server/arguments.h"

enum {
    MOST_BYTES = 16 << 20,     /* of a chunk */
    REDISBLOOM_HEAD_BYTES = 38 /* of a dump of RedisBloom's */
};

static int reply_chunk(RedisModuleCtx *ctx, uint64_t iterator,
                       const uint8_t *bytes, size_t len)
{
    sr_redis.reply_array(ctx, 2);
    sr_redis.reply_number(ctx, (long long)iterator);
    if (bytes == NULL)
        return sr_redis.reply_null(ctx);
    return sr_redis.reply_bytes(ctx, (const char *)bytes, len);
}

static int dump(RedisModuleCtx *ctx, const sr_cuckoo *cuckoo, uint64_t iterator)
{
    uint8_t head[SR_CUCKOO_MAX_HEAD_BYTES];
    size_t head_bytes = sr_cuckoo_write_head(cuckoo, head);
    if (iterator == 0)
        return reply_chunk(ctx, 1, head, head_bytes);
    uint64_t body = sr_cuckoo_total_bytes(cuckoo) - head_bytes;
    uint64_t first = iterator - 1;
    if (first >= body)
        return reply_chunk(ctx, 0, NULL, 0);
    uint64_t left = body - first;
    size_t len = (size_t)(left < MOST_BYTES ? left : MOST_BYTES);
    uint8_t *bytes = sr_redis.try_alloc(len);
    if (bytes == NULL)
        return sr_reply_error(ctx, SEENSET_ENOMEM);
    sr_cuckoo_part_bytes(cuckoo, first, bytes, len);
    reply_chunk(ctx, iterator + len, bytes, len);
    sr_redis.free(bytes);
    return SR_OK;
}

int cf_scandump(RedisModuleCtx *ctx, RedisModuleString **argv, int argc)
{
    if (argc != 3)
        return sr_redis.wrong_arity(ctx);
    sr_target target = sr_find(ctx, argv[1], SR_READ);
    if (target.state != SR_CUCKOO)
        return cf_reply_state(ctx, target.state);
    uint64_t iterator;
    if (sr_number(argv[2], 0, INT64_MAX, &iterator) != 0)
        return sr_redis.reply_error(ctx, "Invalid position");
    return dump(ctx, target.value->cuckoo, iterator);
}

/* ---- CF.LOADCHUNK ---- */

static const sr_chunk_way chunk_way = {.event = "cf.loadchunk",
                                       .head = sr_cuckoo_head,
                                       .misplaced = "Invalid position",
                                       .disordered = "Couldn't load chunk!"};

static int reply_bad_head(RedisModuleCtx *ctx, const sr_chunk *head)
{
    return sr_redis.reply_error(
        ctx, head->len == REDISBLOOM_HEAD_BYTES
                 ? "ERR a cuckoo filter of RedisBloom's cannot be loaded, as "
                   "it has other hashes: add its items again"
                 : "Invalid header");
}

static int load_head(sr_target *target, const sr_chunk *head)
{
    uint64_t body = 0;
    if (target->state != SR_MISSING && target->state != SR_LOADING)
        return sr_redis.reply_error(target->ctx, "ERR item exists");
    if (sr_cuckoo_head(head->bytes, head->len, &body) != head->len)
        return reply_bad_head(target->ctx, head);
    return sr_load_head(target, head, body, &chunk_way);
}

int cf_loadchunk(RedisModuleCtx *ctx, RedisModuleString **argv, int argc)
{
    if (argc != 4)
        return sr_redis.wrong_arity(ctx);
    long long iterator;
    if (cf_number(argv[2], &iterator) != 0 || iterator == 0)
        return sr_redis.reply_error(ctx, "Invalid position");
    sr_target target = sr_find(ctx, argv[1], SR_READ | SR_WRITE);
    sr_chunk part = {.iterator = iterator < 0 ? 0 : (uint64_t)iterator};
    part.bytes = (const uint8_t *)sr_redis.string(argv[3], &part.len);
    if (target.state == SR_OTHER_TYPE || target.state == SR_SET ||
        target.state == SR_CHAIN)
        return cf_reply_state(ctx, target.state);
    if (part.iterator == 1)
        return load_head(&target, &part);
    if (target.state == SR_MISSING)
        return cf_reply_state(ctx, target.state);
    return sr_load_body(&target, &part, &chunk_way);
}
