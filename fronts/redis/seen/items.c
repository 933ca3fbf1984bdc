/* items.c - SEEN.ADD, SEEN.HAS, SEEN.REMOVE and SEEN.COUNT */
#include "commands.h"
#include "key/reply.h"
#include "server/arguments.h"

/* Replies for each key: 1 new, 0 seen, or why it was refused. Returns whether
 * one was new. */
static bool reply_added(RedisModuleCtx *ctx, const uint8_t *answers,
                        size_t count, int error)
{
    bool has_new = false;
    sr_redis.reply_array(ctx, (long)count);
    for (size_t i = 0; i < count; i++) {
        has_new |= answers[i] == SEENSET_ANSWER_NEW;
        if (answers[i] == SEENSET_ANSWER_REFUSED)
            sr_reply_error(ctx, error);
        else
            sr_redis.reply_bool(ctx, answers[i] == SEENSET_ANSWER_NEW);
    }
    return has_new;
}

static int make_default(sr_target *target)
{
    seenset_options options = {.capacity_items = SR_DEFAULT_CAPACITY,
                               .fp_rate = 0.01};
    return sr_make(target, &options, 2);
}

int seen_add(RedisModuleCtx *ctx, RedisModuleString **argv, int argc)
{
    if (argc < 3)
        return sr_redis.wrong_arity(ctx);
    size_t count = (size_t)argc - 2;
    sr_target target = sr_find(ctx, argv[1], SR_READ | SR_WRITE);
    bool is_made = target.state == SR_MISSING;
    if (!is_made && target.state != SR_SET)
        return sr_reply_state(ctx, target.state);
    int error = is_made ? make_default(&target) : 0;
    if (error != 0)
        return sr_reply_error(ctx, error);
    seenset_key *keys = sr_keys(ctx, argv + 2, count);
    uint8_t *answers = sr_redis.pool_alloc(ctx, count);
    error = seenset_add_many(target.value->set, keys, count, answers);
    if (error == SEENSET_EUNSUPPORTED || error == SEENSET_EREADONLY)
        return sr_reply_error(ctx, error);
    bool has_new = reply_added(ctx, answers, count, error);
    if (is_made || sr_may_have_changed(&target, has_new))
        sr_changed(&target, "seen.add");
    return SR_OK;
}

int seen_has(RedisModuleCtx *ctx, RedisModuleString **argv, int argc)
{
    if (argc < 3)
        return sr_redis.wrong_arity(ctx);
    size_t count = (size_t)argc - 2;
    sr_target target = sr_find(ctx, argv[1], SR_READ);
    if (target.state == SR_MISSING)
        return sr_reply_no(ctx, count);
    if (target.state != SR_SET)
        return sr_reply_state(ctx, target.state);
    seenset_key *keys = sr_keys(ctx, argv + 2, count);
    uint8_t *answers = sr_redis.pool_alloc(ctx, count);
    int error = seenset_has_many(target.value->set, keys, count, answers);
    return error == 0 ? sr_reply_answers(ctx, answers, count)
                      : sr_reply_error(ctx, error);
}

/* Whether keys can be taken out of the set and counted in it: asked before any
 * is, so that a command is refused as a whole. */
static int can_count(const seenset *set)
{
    uint64_t count;
    return seenset_count(set, "", 0, &count);
}

int seen_remove(RedisModuleCtx *ctx, RedisModuleString **argv, int argc)
{
    if (argc < 3)
        return sr_redis.wrong_arity(ctx);
    size_t count = (size_t)argc - 2;
    sr_target target = sr_find(ctx, argv[1], SR_READ | SR_WRITE);
    if (target.state == SR_MISSING)
        return sr_reply_no(ctx, count);
    if (target.state != SR_SET)
        return sr_reply_state(ctx, target.state);
    int error = can_count(target.value->set);
    if (error != 0)
        return sr_reply_error(ctx, error);
    bool is_changed = false;
    sr_redis.reply_array(ctx, (long)count);
    for (size_t i = 0; i < count; i++) {
        seenset_key key = sr_key(argv[2 + i]);
        int answer = seenset_remove(target.value->set, key.data, key.len);
        is_changed |= answer == 1;
        sr_redis.reply_bool(ctx, answer == 1);
    }
    if (is_changed)
        sr_changed(&target, "seen.remove");
    return SR_OK;
}

int seen_count(RedisModuleCtx *ctx, RedisModuleString **argv, int argc)
{
    if (argc < 3)
        return sr_redis.wrong_arity(ctx);
    sr_target target = sr_find(ctx, argv[1], SR_READ);
    if (target.state != SR_SET && target.state != SR_MISSING)
        return sr_reply_state(ctx, target.state);
    const seenset *set = target.state == SR_SET ? target.value->set : NULL;
    int error = set == NULL ? 0 : can_count(set);
    if (error != 0)
        return sr_reply_error(ctx, error);
    sr_redis.reply_array(ctx, argc - 2);
    for (int i = 2; i < argc; i++) {
        uint64_t copies = 0;
        seenset_key key = sr_key(argv[i]);
        if (set != NULL)
            seenset_count(set, key.data, key.len, &copies);
        sr_redis.reply_number(ctx, (long long)copies);
    }
    return SR_OK;
}
