/* reply.c - see reply.h */
#include "key/reply.h"

#include <stdio.h>
#include <string.h>

int sr_reply_state(RedisModuleCtx *ctx, sr_state state)
{
    if (state == SR_OTHER_TYPE || state == SR_CUCKOO)
        return sr_redis.reply_error(ctx, SR_WRONG_TYPE);
    if (state == SR_LOADING)
        return sr_redis.reply_error(
            ctx, "ERR the set of this key is not loaded whole yet: see "
                 "SEEN.LOAD");
    if (state == SR_CHAIN)
        return sr_redis.reply_error(
            ctx,
            "ERR the key is a filter in RedisBloom's or valkey-bloom's form, "
            "which only BF.* commands take");
    return sr_redis.reply_error(ctx, "ERR not found");
}

int sr_reply_error_of(RedisModuleCtx *ctx, const char *what, int error)
{
    char text[256];
    snprintf(text, sizeof text, "%s: %s", what, seenset_strerror(error));
    return sr_redis.reply_error(ctx, text);
}

int sr_reply_error(RedisModuleCtx *ctx, int error)
{
    char text[256];
    snprintf(text, sizeof text, "ERR %s", seenset_strerror(error));
    return sr_redis.reply_error(ctx, text);
}

int sr_reply_not_created(RedisModuleCtx *ctx, int error)
{
    if (error == SEENSET_ENOMEM)
        sr_redis.reply_error(ctx, "ERR Insufficient memory to create filter");
    else if (error != 0)
        sr_reply_error_of(ctx, "ERR could not create filter", error);
    return error == 0 ? 0 : -1;
}

int sr_reply_refused(RedisModuleCtx *ctx, const sr_incoming *incoming,
                     int error)
{
    char text[160];
    if (error == SEENSET_ENOMEM)
        return sr_reply_error(ctx, error);
    if (error == SEENSET_EMISMATCH)
        snprintf(text, sizeof text, "ERR the next chunk is at offset %llu",
                 (unsigned long long)incoming->done_bytes);
    else
        snprintf(text, sizeof text,
                 "ERR the chunk is empty, past the total, or its total is "
                 "another one than before");
    return sr_redis.reply_error(ctx, text);
}

int sr_reply_answers(RedisModuleCtx *ctx, const uint8_t *answers, size_t count)
{
    sr_redis.reply_array(ctx, (long)count);
    for (size_t i = 0; i < count; i++)
        sr_redis.reply_bool(ctx, answers[i] == 1);
    return SR_OK;
}

int sr_reply_no(RedisModuleCtx *ctx, size_t count)
{
    sr_redis.reply_array(ctx, (long)count);
    for (size_t i = 0; i < count; i++)
        sr_redis.reply_bool(ctx, 0);
    return SR_OK;
}

static void field(RedisModuleCtx *ctx, const char *name)
{
    sr_redis.reply_simple(ctx, name);
}

void sr_field_number(RedisModuleCtx *ctx, const char *name, uint64_t number)
{
    field(ctx, name);
    sr_redis.reply_number(ctx, (long long)number);
}

void sr_field_double(RedisModuleCtx *ctx, const char *name, double number)
{
    field(ctx, name);
    sr_redis.reply_double(ctx, number);
}

void sr_field_text(RedisModuleCtx *ctx, const char *name, const char *text)
{
    field(ctx, name);
    sr_redis.reply_bytes(ctx, text, strlen(text));
}
