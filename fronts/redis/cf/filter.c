/* filter.c - see filter.h */
#include "cf/filter.h"

#include "key/reply.h"
#include "server/memory.h"
#include "server/settings.h"

uint32_t cf_rounded_expansion(uint32_t expansion)
{
    uint32_t rounded = expansion == 0 ? 0 : 1;
    while (rounded < expansion)
        rounded *= 2;
    return rounded;
}

/* A filter has two buckets at least. */
sr_cuckoo_options cf_defaults(void)
{
    uint32_t size = sr_settings_get(SR_CF_INITIAL_SIZE);
    uint32_t bucket = sr_settings_get(SR_CF_BUCKET_SIZE);
    return (sr_cuckoo_options){
        .capacity = size > 2 * bucket ? size : 2 * bucket,
        .bucket_size = bucket,
        .max_iterations = sr_settings_get(SR_CF_MAX_ITERATIONS),
        .expansion =
            cf_rounded_expansion(sr_settings_get(SR_CF_EXPANSION_FACTOR))};
}

static int make(sr_target *target, const sr_cuckoo_options *options)
{
    if (!sr_memory_may_take(target->ctx, sr_cuckoo_planned_bytes(options)))
        return SEENSET_ENOMEM;
    sr_value *value = sr_value_new();
    if (value == NULL)
        return SEENSET_ENOMEM;
    int error = sr_cuckoo_new(&value->cuckoo, options);
    if (error != 0) {
        sr_value_free(value);
        return error;
    }
    sr_set_value(target->ctx, target->name, sr_type(), value);
    target->value = value;
    target->state = SR_CUCKOO;
    return 0;
}

int cf_make(sr_target *target, const sr_cuckoo_options *options)
{
    return sr_reply_not_created(target->ctx, make(target, options));
}

int cf_make_by_default(sr_target *target, const sr_cuckoo_options *options)
{
    if (cf_make(target, options) != 0)
        return -1;
    sr_redis.replicate(target->ctx, "CF.RESERVE", "slclclcl", target->name,
                       (long long)options->capacity, "BUCKETSIZE",
                       (long long)options->bucket_size, "MAXITERATIONS",
                       (long long)options->max_iterations, "EXPANSION",
                       (long long)options->expansion);
    return 0;
}

int cf_add_key(RedisModuleCtx *ctx, sr_cuckoo *cuckoo, const seenset_key *key)
{
    int flags = sr_redis.get_context_flags(ctx);
    bool is_own = (flags & (SR_CONTEXT_REPLICATED | SR_CONTEXT_LOADING)) == 0;
    return sr_cuckoo_add(cuckoo, key,
                         is_own ? sr_settings_get(SR_CF_MAX_EXPANSIONS)
                                : SR_CUCKOO_MAX_PARTS);
}

bool cf_has_none(const sr_target *target)
{
    return target->state != SR_CUCKOO && target->state != SR_LOADING;
}

int cf_reply_state(RedisModuleCtx *ctx, sr_state state)
{
    bool is_other = state == SR_SET || state == SR_CHAIN;
    return sr_reply_state(ctx, is_other ? SR_OTHER_TYPE : state);
}

int cf_find_or_make(RedisModuleCtx *ctx, RedisModuleString *name,
                    sr_target *target, bool *is_made)
{
    *target = sr_find(ctx, name, SR_READ | SR_WRITE);
    *is_made = target->state == SR_MISSING;
    if (*is_made) {
        const sr_cuckoo_options options = cf_defaults();
        return cf_make_by_default(target, &options);
    }
    if (target->state == SR_CUCKOO)
        return 0;
    cf_reply_state(ctx, target->state);
    return -1;
}

int cf_reply_refused(RedisModuleCtx *ctx, int error)
{
    if (error == SEENSET_EFULL)
        return sr_redis.reply_error(ctx, "Filter is full");
    if (error == SEENSET_ETOOBIG || error == SEENSET_ERATE)
        return sr_redis.reply_error(ctx, "Maximum expansions reached");
    if (error == SEENSET_ENOMEM)
        return sr_redis.reply_error(ctx, "ERR Insufficient memory");
    return sr_reply_error_of(ctx, "ERR problem inserting into filter", error);
}

int cf_number(const RedisModuleString *argument, long long *number)
{
    return sr_redis.to_long_long(argument, number) == SR_OK ? 0 : -1;
}
