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
    sr_set_value(target->ctx, target->name, sr_type(), value);
    target->value = value;
    target->state = SR_LOADING;
    return 0;
}

void sr_load_drop(sr_target *target)
{
    sr_incoming_drop(&target->value->incoming);
    const sr_value *value = target->value;
    if (value->set == NULL && value->chain == NULL && value->cuckoo == NULL)
        sr_delete(target->ctx, target->name);
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

/* ---- chunks of dumps ---- */

int sr_load_head(sr_target *target, const sr_chunk *head, uint64_t body_bytes,
                 const sr_chunk_way *way)
{
    bool is_new = target->value == NULL;
    int error = sr_load_begin(target);
    if (error == 0)
        error = sr_incoming_add(&target->value->incoming, 0,
                                head->len + body_bytes, head->bytes, head->len);
    if (error != 0) {
        if (is_new && target->value != NULL)
            sr_delete(target->ctx, target->name);
        return sr_reply_error(target->ctx, error);
    }
    sr_changed(target, way->event);
    return sr_redis.reply_simple(target->ctx, "OK");
}

/* The length of the header that has come; 0: none has. */
static size_t head_of(const sr_incoming *incoming, const sr_chunk_way *way)
{
    uint64_t body = 0;
    if (incoming->bytes == NULL)
        return 0;
    return way->head(incoming->bytes, (size_t)incoming->done_bytes, &body);
}

int sr_load_body(sr_target *target, const sr_chunk *part,
                 const sr_chunk_way *way)
{
    sr_incoming *incoming = &target->value->incoming;
    size_t head = head_of(incoming, way);
    if (head == 0 || part->iterator == 0 || part->len > part->iterator - 1)
        return sr_redis.reply_error(target->ctx, way->misplaced);
    uint64_t offset = head + (part->iterator - 1 - part->len);
    int error = sr_incoming_add(incoming, offset, incoming->total_bytes,
                                part->bytes, part->len);
    if (error == SEENSET_ENOMEM)
        return sr_reply_error(target->ctx, error);
    if (error != 0)
        return sr_redis.reply_error(target->ctx, way->disordered);
    if (incoming->done_bytes == incoming->total_bytes) {
        const sr_loading nothing_said = {0};
        return sr_load_finish(target, &nothing_said, way->event);
    }
    sr_changed(target, way->event);
    return sr_redis.reply_simple(target->ctx, "OK");
}
