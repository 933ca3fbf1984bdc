/* filter.c - see filter.h */
#include "bf/filter.h"

#include "bf/ops.h"
#include "key/reply.h"
#include "server/arguments.h"
#include "server/settings.h"

bf_filter bf_defaults(void)
{
    return (bf_filter){.rate = sr_settings_rate(),
                       .capacity = sr_settings_get(SR_BF_INITIAL_SIZE),
                       .expansion = sr_settings_get(SR_BF_EXPANSION_FACTOR)};
}

int bf_make(sr_target *target, const bf_filter *filter)
{
    seenset_options options = {.capacity_items = filter->capacity,
                               .fp_rate = filter->rate,
                               .on_full = filter->expansion == 0
                                              ? SEENSET_ON_FULL_REFUSE
                                              : SEENSET_ON_FULL_GROW};
    return sr_reply_not_created(target->ctx,
                                sr_make(target, &options, filter->expansion));
}

int bf_make_by_default(sr_target *target, const bf_filter *filter)
{
    if (bf_make(target, filter) != 0)
        return -1;
    char rate[SR_NUMBER_BYTES];
    sr_number_print(filter->rate, rate);
    sr_redis.replicate(target->ctx, "BF.RESERVE", "sclcl", target->name, rate,
                       (long long)filter->capacity, "EXPANSION",
                       (long long)filter->expansion);
    return 0;
}

int bf_reply_refused(RedisModuleCtx *ctx, int error)
{
    if (error == SEENSET_EFULL)
        return sr_redis.reply_error(ctx, "ERR non scaling filter is full");
    if (error == SEENSET_ENOMEM)
        return sr_redis.reply_error(ctx, "ERR Insufficient memory");
    return sr_reply_error_of(ctx, "ERR problem inserting into filter", error);
}

/* Replies up to the first item that was refused, and with the error for that.
 * Returns whether an item was new. */
static bool reply_added(RedisModuleCtx *ctx, const uint8_t *answers,
                        size_t count, int error)
{
    bool has_new = false;
    size_t replied = 0;
    while (replied < count && answers[replied] != SEENSET_ANSWER_REFUSED)
        has_new |= answers[replied++] == SEENSET_ANSWER_NEW;
    sr_redis.reply_array(ctx, (long)(replied + (replied < count ? 1 : 0)));
    for (size_t i = 0; i < replied; i++)
        sr_redis.reply_bool(ctx, answers[i] == SEENSET_ANSWER_NEW);
    if (replied < count)
        bf_reply_refused(ctx, error);
    for (size_t i = replied; i < count; i++)
        has_new |= answers[i] == SEENSET_ANSWER_NEW;
    return has_new;
}

/* Errors that add nothing and answer for no item. */
static bool is_refused_whole(int error)
{
    return error == SEENSET_EINVAL || error == SEENSET_EREADONLY ||
           error == SEENSET_EUNSUPPORTED;
}

int bf_add_items(sr_target *target, RedisModuleString **items, size_t count,
                 bool is_made, const char *event)
{
    RedisModuleCtx *ctx = target->ctx;
    seenset_key *keys = sr_keys(ctx, items, count);
    uint8_t *answers = sr_redis.pool_alloc(ctx, count);
    int error = bf_add_keys(target->value, keys, count, answers);
    if (is_refused_whole(error))
        return bf_reply_refused(ctx, error);
    bool has_new = reply_added(ctx, answers, count, error);
    if (is_made || sr_may_have_changed(target, has_new))
        sr_changed(target, event);
    return SR_OK;
}
