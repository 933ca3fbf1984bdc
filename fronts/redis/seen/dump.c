/*
 * dump.c - SEEN.DUMP: a set as the bytes of its file, in chunks.
 *
 * The chunks together are what seenset_save writes, so the command opens them,
 * and SEEN.LOAD takes the chunks of any such file. A set that changes between
 * two chunks gives a file whose checksums are wrong, which is refused when it
 * is loaded.
 */
#include "commands.h"
#include "key/reply.h"
#include "key/set_part.h"
#include "server/arguments.h"

enum {
    CHUNK_BYTES = 16 << 20
};

static int reply_part(RedisModuleCtx *ctx, const seenset *set, uint64_t first,
                      uint64_t total)
{
    uint64_t left = total - first;
    size_t len = (size_t)(left < CHUNK_BYTES ? left : CHUNK_BYTES);
    uint8_t *bytes = sr_redis.try_alloc(len + 1); /* also at the end */
    if (bytes == NULL)
        return sr_reply_error(ctx, SEENSET_ENOMEM);
    sr_set_part(set, first, bytes, len);
    sr_redis.reply_array(ctx, 2);
    sr_redis.reply_number(ctx, (long long)total);
    sr_redis.reply_bytes(ctx, (const char *)bytes, len);
    sr_redis.free(bytes);
    return SR_OK;
}

int seen_dump(RedisModuleCtx *ctx, RedisModuleString **argv, int argc)
{
    if (argc != 3)
        return sr_redis.wrong_arity(ctx);
    sr_target target = sr_find(ctx, argv[1], SR_READ);
    if (target.state != SR_SET)
        return sr_reply_state(ctx, target.state);
    size_t total = 0;
    seenset_write_bytes(target.value->set, NULL, &total);
    uint64_t first;
    if (sr_number(argv[2], 0, total, &first) != 0)
        return sr_redis.reply_error(
            ctx, "ERR the offset is past the end of the set's file");
    return reply_part(ctx, target.value->set, first, total);
}
