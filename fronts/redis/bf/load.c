/*
 * load.c - BF.LOAD: a filter of valkey-bloom.
 *
 *     BF.LOAD key data
 *
 * The data is what valkey-bloom writes to a log of commands that it rewrites
 * (key/foreign/valkey_bloom.h). The filter keeps that form, so it answers as
 * there, to the last bit. The key must be missing; data that is damaged makes
 * none.
 */
#include "commands.h"
#include "key/foreign/valkey_bloom.h"
#include "key/reply.h"

static int reply_not_loaded(RedisModuleCtx *ctx, int error)
{
    if (error == SEENSET_EUNSUPPORTED)
        return sr_redis.reply_error(
            ctx, "ERR the data is of a newer version of valkey-bloom than this "
                 "module reads, which is 1");
    if (error == SEENSET_ECORRUPT)
        return sr_redis.reply_error(
            ctx, "ERR the data is not a filter of valkey-bloom, or it is "
                 "damaged: please take it from that server again");
    return sr_reply_not_created(ctx, error);
}

int bf_load(RedisModuleCtx *ctx, RedisModuleString **argv, int argc)
{
    if (argc != 3)
        return sr_redis.wrong_arity(ctx);
    sr_target target = sr_find(ctx, argv[1], SR_READ | SR_WRITE);
    if (target.state == SR_OTHER_TYPE || target.state == SR_CUCKOO)
        return sr_reply_state(ctx, target.state);
    if (target.state != SR_MISSING)
        return sr_redis.reply_error(
            ctx, "BUSYKEY the key has a filter: delete it before BF.LOAD");
    size_t len;
    const char *bytes = sr_redis.string(argv[2], &len);
    sr_chain *chain = NULL;
    int error = sr_valkey_open(&chain, (const uint8_t *)bytes, len);
    if (error == 0)
        error = sr_make_chain(&target, chain);
    if (error != 0) {
        reply_not_loaded(ctx, error);
        return SR_OK;
    }
    sr_changed(&target, "bf.load");
    return sr_redis.reply_simple(ctx, "OK");
}
