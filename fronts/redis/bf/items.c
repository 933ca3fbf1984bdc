/* items.c - BF.ADD, BF.MADD, BF.EXISTS, BF.MEXISTS and BF.CARD */
#include "bf/filter.h"
#include "bf/ops.h"
#include "commands.h"
#include "key/reply.h"
#include "server/arguments.h"

/* The key to add to; a missing one is made. Returns 0, or -1 after it replied
 * an error. */
static int find_or_make(RedisModuleCtx *ctx, RedisModuleString *name,
                        sr_target *target, bool *is_made)
{
    *target = sr_find(ctx, name, SR_READ | SR_WRITE);
    *is_made = target->state == SR_MISSING;
    if (bf_is_filter(target))
        return 0;
    if (*is_made) {
        const bf_filter filter = bf_defaults();
        return bf_make_by_default(target, &filter);
    }
    sr_reply_state(ctx, target->state);
    return -1;
}

int bf_add(RedisModuleCtx *ctx, RedisModuleString **argv, int argc)
{
    if (argc != 3)
        return sr_redis.wrong_arity(ctx);
    sr_target target;
    bool is_made;
    if (find_or_make(ctx, argv[1], &target, &is_made) != 0)
        return SR_OK;
    seenset_key key = sr_key(argv[2]);
    int answer = bf_add_key(target.value, &key);
    if (answer >= 0)
        sr_redis.reply_bool(ctx, answer);
    else
        bf_reply_refused(ctx, answer);
    if (is_made || sr_may_have_changed(&target, answer == 1))
        sr_changed(&target, "bf.add");
    return SR_OK;
}

int bf_madd(RedisModuleCtx *ctx, RedisModuleString **argv, int argc)
{
    if (argc < 3)
        return sr_redis.wrong_arity(ctx);
    sr_target target;
    bool is_made;
    if (find_or_make(ctx, argv[1], &target, &is_made) != 0)
        return SR_OK;
    return bf_add_items(&target, argv + 2, (size_t)argc - 2, is_made,
                        "bf.madd");
}

/* A key that is not there, and one of another type, has no items. */
static bool has_no_items(const sr_target *target)
{
    return target->state == SR_MISSING || target->state == SR_OTHER_TYPE ||
           target->state == SR_CUCKOO;
}

int bf_exists(RedisModuleCtx *ctx, RedisModuleString **argv, int argc)
{
    if (argc != 3)
        return sr_redis.wrong_arity(ctx);
    sr_target target = sr_find(ctx, argv[1], SR_READ);
    if (has_no_items(&target))
        return sr_redis.reply_bool(ctx, 0);
    if (target.state == SR_LOADING)
        return sr_reply_state(ctx, target.state);
    seenset_key key = sr_key(argv[2]);
    int answer = bf_has_key(target.value, &key);
    return answer >= 0 ? sr_redis.reply_bool(ctx, answer)
                       : sr_reply_error(ctx, answer);
}

int bf_mexists(RedisModuleCtx *ctx, RedisModuleString **argv, int argc)
{
    if (argc < 3)
        return sr_redis.wrong_arity(ctx);
    size_t count = (size_t)argc - 2;
    sr_target target = sr_find(ctx, argv[1], SR_READ);
    if (has_no_items(&target))
        return sr_reply_no(ctx, count);
    if (target.state == SR_LOADING)
        return sr_reply_state(ctx, target.state);
    seenset_key *keys = sr_keys(ctx, argv + 2, count);
    uint8_t *answers = sr_redis.pool_alloc(ctx, count);
    int error = bf_has_keys(target.value, keys, count, answers);
    return error == 0 ? sr_reply_answers(ctx, answers, count)
                      : sr_reply_error(ctx, error);
}

int bf_card(RedisModuleCtx *ctx, RedisModuleString **argv, int argc)
{
    if (argc != 2)
        return sr_redis.wrong_arity(ctx);
    sr_target target = sr_find(ctx, argv[1], SR_READ);
    if (target.state == SR_MISSING)
        return sr_redis.reply_number(ctx, 0);
    if (!bf_is_filter(&target))
        return sr_reply_state(ctx, target.state);
    return sr_redis.reply_number(ctx, (long long)bf_items(target.value));
}
