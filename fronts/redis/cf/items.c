/* items.c - CF.ADD, CF.ADDNX, CF.EXISTS, CF.MEXISTS, CF.COUNT and CF.DEL */
#include "cf/filter.h"
#include "commands.h"
#include "key/reply.h"
#include "server/arguments.h"

static int add(RedisModuleCtx *ctx, RedisModuleString **argv, int argc,
               bool is_new_only, const char *event)
{
    if (argc != 3)
        return sr_redis.wrong_arity(ctx);
    sr_target target;
    bool is_made;
    if (cf_find_or_make(ctx, argv[1], &target, &is_made) != 0)
        return SR_OK;
    seenset_key key = sr_key(argv[2]);
    bool is_seen = is_new_only && sr_cuckoo_has(target.value->cuckoo, &key);
    int answer = is_seen ? 0 : cf_add_key(ctx, target.value->cuckoo, &key);
    if (answer >= 0)
        sr_redis.reply_bool(ctx, answer);
    else
        cf_reply_refused(ctx, answer);
    if (is_made || answer == 1)
        sr_changed(&target, event);
    return SR_OK;
}

int cf_add(RedisModuleCtx *ctx, RedisModuleString **argv, int argc)
{
    return add(ctx, argv, argc, false, "cf.add");
}

int cf_addnx(RedisModuleCtx *ctx, RedisModuleString **argv, int argc)
{
    return add(ctx, argv, argc, true, "cf.addnx");
}

int cf_exists(RedisModuleCtx *ctx, RedisModuleString **argv, int argc)
{
    if (argc != 3)
        return sr_redis.wrong_arity(ctx);
    sr_target target = sr_find(ctx, argv[1], SR_READ);
    if (cf_has_none(&target))
        return sr_redis.reply_bool(ctx, 0);
    if (target.state == SR_LOADING)
        return cf_reply_state(ctx, target.state);
    seenset_key key = sr_key(argv[2]);
    return sr_redis.reply_bool(ctx, sr_cuckoo_has(target.value->cuckoo, &key));
}

int cf_mexists(RedisModuleCtx *ctx, RedisModuleString **argv, int argc)
{
    if (argc < 3)
        return sr_redis.wrong_arity(ctx);
    sr_target target = sr_find(ctx, argv[1], SR_READ);
    if (cf_has_none(&target))
        return sr_reply_no(ctx, (size_t)argc - 2);
    if (target.state == SR_LOADING)
        return cf_reply_state(ctx, target.state);
    sr_redis.reply_array(ctx, argc - 2);
    for (int i = 2; i < argc; i++) {
        seenset_key key = sr_key(argv[i]);
        sr_redis.reply_bool(ctx, sr_cuckoo_has(target.value->cuckoo, &key));
    }
    return SR_OK;
}

int cf_count(RedisModuleCtx *ctx, RedisModuleString **argv, int argc)
{
    if (argc != 3)
        return sr_redis.wrong_arity(ctx);
    sr_target target = sr_find(ctx, argv[1], SR_READ);
    if (cf_has_none(&target))
        return sr_redis.reply_number(ctx, 0);
    if (target.state == SR_LOADING)
        return cf_reply_state(ctx, target.state);
    seenset_key key = sr_key(argv[2]);
    uint64_t count = sr_cuckoo_count(target.value->cuckoo, &key);
    return sr_redis.reply_number(ctx, (long long)count);
}

int cf_del(RedisModuleCtx *ctx, RedisModuleString **argv, int argc)
{
    if (argc != 3)
        return sr_redis.wrong_arity(ctx);
    sr_target target = sr_find(ctx, argv[1], SR_READ | SR_WRITE);
    if (cf_has_none(&target))
        return sr_redis.reply_error(ctx, "Not found");
    if (target.state == SR_LOADING)
        return cf_reply_state(ctx, target.state);
    seenset_key key = sr_key(argv[2]);
    int answer = sr_cuckoo_remove(target.value->cuckoo, &key);
    sr_redis.reply_bool(ctx, answer);
    if (answer == 1)
        sr_changed(&target, "cf.del");
    return SR_OK;
}
