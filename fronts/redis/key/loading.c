/* loading.c - see loading.h */
#include "key/loading.h"

#include <stdio.h>
#include <string.h>

#include "key/reply.h"

int sr_load_begin(sr_target *target)
{
    if (target->value != NULL)
        return 0;
    sr_value *value = sr_value_new();
    if (value == NULL)
        return SEENSET_ENOMEM;
    sr_redis.set_module_value(target->key, sr_type(), value);
    target->value = value;
    target->state = SR_LOADING;
    return 0;
}

void sr_load_drop(sr_target *target)
{
    sr_incoming_drop(&target->value->incoming);
    const sr_value *value = target->value;
    if (value->set == NULL && value->chain == NULL && value->cuckoo == NULL)
        sr_redis.delete_key(target->key);
}

/* What BF.INFO reports: as it was said, as the dump says, or as the set is. */
static uint64_t expansion_of(const sr_loaded *loaded, const sr_loading *loading)
{
    if (loading->has_expansion)
        return loading->expansion;
    if (loaded->set == NULL)
        return 0; /* a chain and a list of sets have their own */
    return loaded->has_expansion ? loaded->expansion
                                 : sr_value_growth(loaded->set);
}

static void install(sr_value *value, const sr_loaded *loaded,
                    const sr_loading *loading)
{
    seenset_free(value->set);
    sr_chain_free(value->chain);
    sr_cuckoo_free(value->cuckoo);
    sr_incoming_drop(&value->incoming);
    value->set = loaded->set;
    value->chain = loaded->chain;
    value->cuckoo = loaded->cuckoo;
    value->expansion = expansion_of(loaded, loading);
    value->is_keyed = loading->has_secret && loaded->set != NULL;
    memcpy(value->secret, loading->secret, sizeof value->secret);
}

int sr_load_finish(sr_target *target, const sr_loading *loading,
                   const char *event)
{
    RedisModuleCtx *ctx = target->ctx;
    seenset_file_report report = {0};
    sr_loaded loaded;
    int error = sr_incoming_open(&target->value->incoming,
                                 loading->has_secret ? loading->secret : NULL,
                                 &loaded, &report);
    if (error == 0) {
        install(target->value, &loaded, loading);
        sr_changed(target, event);
        return sr_redis.reply_simple(ctx, "OK");
    }
    sr_load_drop(target);
    sr_redis.replicate(ctx, "SEEN.LOAD", "sc", target->name, "ABORT");
    sr_signal(target, event);
    char text[320];
    snprintf(text, sizeof text,
             "ERR the file was refused: %s (%s at byte %llu)",
             seenset_strerror(error), report.reason,
             (unsigned long long)report.offset);
    return sr_redis.reply_error(ctx, text);
}
