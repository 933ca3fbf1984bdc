/* target.c - see target.h */
#include "key/target.h"

#include <string.h>

#include "server/memory.h"

void *sr_find_value(RedisModuleCtx *ctx, RedisModuleString *name, int mode,
                    RedisModuleType *type, sr_state *state)
{
    *state = SR_MISSING;
    RedisModuleKey *key = sr_redis.open_key(ctx, name, mode);
    if (key == NULL)
        return NULL;
    void *value = NULL;
    if (sr_redis.module_type(key) == type)
        value = sr_redis.module_value(key);
    else if (sr_redis.key_type(key) != SR_KEY_EMPTY)
        *state = SR_OTHER_TYPE;
    sr_redis.close_key(key);
    return value;
}

void sr_set_value(RedisModuleCtx *ctx, RedisModuleString *name,
                  RedisModuleType *type, void *value)
{
    RedisModuleKey *key = sr_redis.open_key(ctx, name, SR_READ | SR_WRITE);
    sr_redis.set_module_value(key, type, value);
    sr_redis.close_key(key);
}

void sr_delete(RedisModuleCtx *ctx, RedisModuleString *name)
{
    RedisModuleKey *key = sr_redis.open_key(ctx, name, SR_READ | SR_WRITE);
    sr_redis.delete_key(key);
    sr_redis.close_key(key);
}

sr_target sr_find(RedisModuleCtx *ctx, RedisModuleString *name, int mode)
{
    sr_target target = {.ctx = ctx, .name = name};
    target.value = sr_find_value(ctx, name, mode, sr_type(), &target.state);
    if (target.value == NULL)
        return target;
    if (target.value->chain != NULL)
        target.state = SR_CHAIN;
    else if (target.value->cuckoo != NULL)
        target.state = SR_CUCKOO;
    else
        target.state = target.value->set == NULL ? SR_LOADING : SR_SET;
    return target;
}

uint64_t sr_planned_bytes(const seenset_options *options)
{
    seenset_plan plan = {.layout = options->layout,
                         .capacity_items = options->capacity_items,
                         .fp_rate = options->fp_rate};
    uint64_t cell_bits = options->counter_bits == 0 ? 1 : options->counter_bits;
    return seenset_plan_solve(&plan) != 0 ? 0 : plan.size_bits / 8 * cell_bits;
}

static void keep_secret(sr_value *value, const uint8_t *secret)
{
    if (secret == NULL)
        return;
    value->is_keyed = 1;
    memcpy(value->secret, secret, sizeof value->secret);
}

int sr_make(sr_target *target, const seenset_options *options,
            uint64_t expansion)
{
    if (!sr_memory_may_take(target->ctx, sr_planned_bytes(options)))
        return SEENSET_ENOMEM;
    sr_value *value = sr_value_new();
    if (value == NULL)
        return SEENSET_ENOMEM;
    seenset_options own = *options;
    own.allocator = &sr_allocator;
    own.flags |= SEENSET_FLAG_ZEROED;
    int error = seenset_new(&value->set, &own);
    if (error != 0) {
        sr_value_free(value);
        return error;
    }
    value->expansion = expansion;
    keep_secret(value, options->secret);
    sr_set_value(target->ctx, target->name, sr_type(), value);
    target->value = value;
    target->state = SR_SET;
    return 0;
}

int sr_make_chain(sr_target *target, sr_chain *chain)
{
    sr_value *value = sr_value_new();
    if (value == NULL) {
        sr_chain_free(chain);
        return SEENSET_ENOMEM;
    }
    value->chain = chain;
    sr_set_value(target->ctx, target->name, sr_type(), value);
    target->value = value;
    target->state = SR_CHAIN;
    return 0;
}

void sr_signal(const sr_target *target, const char *event)
{
    sr_redis.signal_modified_key(target->ctx, target->name);
    if (sr_redis.notify_keyspace_event != NULL)
        sr_redis.notify_keyspace_event(target->ctx, SR_NOTIFY_MODULE, event,
                                       target->name);
}

void sr_changed(const sr_target *target, const char *event)
{
    sr_redis.replicate_verbatim(target->ctx);
    sr_signal(target, event);
}

bool sr_may_have_changed(const sr_target *target, bool has_new)
{
    seenset_info info;
    if (target->state == SR_CHAIN)
        return has_new;
    return has_new ||
           seenset_get_info(target->value->set, &info, sizeof info) != 0 ||
           info.on_full == SEENSET_ON_FULL_ROTATE || info.counter_bits != 0 ||
           info.fingerprint_bits != 0;
}
