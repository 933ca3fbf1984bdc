/* overlap.c - SEEN.OVERLAP: what two sets have in common */
#include "commands.h"
#include "figures/figures.h"
#include "key/reply.h"

#define ONE(...) +1
#define REPLY(kind, member, name, python, redis, meaning)                      \
    sr_field_double(ctx, redis, overlap->member);

static void reply_overlap(RedisModuleCtx *ctx, const seenset_overlap *overlap)
{
    sr_redis.reply_map(ctx, 0 FIGURES_OVERLAP(ONE));
    FIGURES_OVERLAP(REPLY)
}

int seen_overlap(RedisModuleCtx *ctx, RedisModuleString **argv, int argc)
{
    if (argc != 3)
        return sr_redis.wrong_arity(ctx);
    sr_target first = sr_find(ctx, argv[1], SR_READ);
    if (first.state != SR_SET)
        return sr_reply_state(ctx, first.state);
    sr_target second = sr_find(ctx, argv[2], SR_READ);
    if (second.state != SR_SET)
        return sr_reply_state(ctx, second.state);
    seenset_overlap overlap;
    int error = seenset_get_overlap(first.value->set, second.value->set,
                                    &overlap, sizeof overlap);
    if (error != 0)
        return sr_reply_error(ctx, error);
    reply_overlap(ctx, &overlap);
    return SR_OK;
}
