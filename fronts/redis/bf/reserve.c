/* reserve.c - BF.RESERVE: a filter with options */
#include "bf/filter.h"
#include "bf/options.h"
#include "bf/ops.h"
#include "commands.h"
#include "key/reply.h"
#include "server/arguments.h"

/* EXPANSION n and NONSCALING, in any order. Other words are passed over, as
 * RedisBloom does. */
static const char *read_growth(RedisModuleString **argv, int argc,
                               bf_filter *filter)
{
    bool is_fixed = sr_find_word(argv, 4, argc, "NONSCALING") < argc;
    int at = sr_find_word(argv, 4, argc, "EXPANSION");
    if (at == argc) {
        filter->expansion = is_fixed ? 0 : filter->expansion;
        return NULL;
    }
    if (at + 1 == argc)
        return "ERR no expansion";
    if (is_fixed)
        return "Nonscaling filters cannot expand";
    return bf_read_expansion(argv[at + 1], &filter->expansion);
}

int bf_reserve(RedisModuleCtx *ctx, RedisModuleString **argv, int argc)
{
    if (argc < 4 || argc > 7)
        return sr_redis.wrong_arity(ctx);
    bf_filter filter = bf_defaults();
    const char *error = bf_read_rate(argv[2], &filter.rate);
    if (error == NULL)
        error = bf_read_capacity(argv[3], &filter.capacity);
    if (error == NULL)
        error = read_growth(argv, argc, &filter);
    if (error != NULL)
        return sr_redis.reply_error(ctx, error);
    sr_target target = sr_find(ctx, argv[1], SR_READ | SR_WRITE);
    if (target.state == SR_OTHER_TYPE || target.state == SR_CUCKOO)
        return sr_reply_state(ctx, target.state);
    if (target.state != SR_MISSING)
        return sr_redis.reply_error(ctx, "ERR item exists");
    if (bf_make(&target, &filter) != 0)
        return SR_OK;
    sr_changed(&target, "bf.reserve");
    return sr_redis.reply_simple(ctx, "OK");
}
