/* info.c - SEEN.INFO: what a set is, how full, and how often wrong */
#include <math.h>
#include <stdio.h>

#include "commands.h"
#include "figures/figures.h"
#include "key/reply.h"

static void reply_flag(RedisModuleCtx *ctx, const char *name, bool value)
{
    sr_field_number(ctx, name, value);
}

/* A reply's integers are signed. */
static void reply_seed(RedisModuleCtx *ctx, const char *name, uint64_t seed)
{
    char text[24];
    snprintf(text, sizeof text, "%llu", (unsigned long long)seed);
    sr_field_text(ctx, name, text);
}

static void reply_seeds(RedisModuleCtx *ctx, const char *name,
                        const seenset_info *info)
{
    char text[11 * SEENSET_MAX_HASH_COUNT + 1] = "";
    size_t length = 0;
    for (uint32_t i = 0; i < info->seed_count; i++)
        length +=
            (size_t)snprintf(text + length, sizeof text - length, "%s%lu",
                             i == 0 ? "" : " ", (unsigned long)info->seeds[i]);
    sr_field_text(ctx, name, text);
}

static void reply_wrong(RedisModuleCtx *ctx, const seenset_estimate *from)
{
    sr_field_double(ctx, "expected-false-positives",
                    from->is_wrong_at_least ? INFINITY : from->wrong_items);
    sr_field_double(ctx, "least-false-positives", from->wrong_items);
}

/* The rows of figures.h, of a struct `from`; those that have a name here. */
#define REPLY(kind, member, name, python, redis, meaning)                      \
    if (redis[0] != '\0')                                                      \
        REPLY_##kind(redis, from->member);
#define REPLY_U32(name, value) sr_field_number(ctx, name, value)
#define REPLY_U64(name, value) sr_field_number(ctx, name, value)
#define REPLY_REAL(name, value) sr_field_double(ctx, name, value)
#define REPLY_FLAG(name, value) reply_flag(ctx, name, value)
#define REPLY_LAYOUT(name, value)                                              \
    sr_field_text(ctx, name, seenset_layout_name(value))
#define REPLY_ON_FULL(name, value)                                             \
    sr_field_text(ctx, name, seenset_on_full_name(value))
#define REPLY_SCHEME(name, value)                                              \
    sr_field_text(ctx, name, seenset_scheme_name(value))
#define REPLY_SLIDING(name, value)                                             \
    reply_flag(ctx, name, ((value)&SEENSET_FLAG_SLIDING) != 0)
#define REPLY_SHARED(name, value)                                              \
    reply_flag(ctx, name, ((value)&SEENSET_FLAG_SHARED) != 0)
#define REPLY_SEED(name, value) reply_seed(ctx, name, value)
#define REPLY_SEEDS(name, value) reply_seeds(ctx, name, from)
#define REPLY_WRONG(name, value) (void)(name) /* reply_wrong */

#define ONE(kind, member, name, python, redis, meaning) +(sizeof redis > 1)

enum {
    OWN_FIELDS = 3, /* of the key, and the two of reply_wrong */
    FIELDS = OWN_FIELDS FIGURES_INFO(ONE) FIGURES_FILL(ONE)
        FIGURES_ESTIMATE_ONLY(ONE)
};

static void reply_set(RedisModuleCtx *ctx, const sr_value *value,
                      const seenset_info *from)
{
    sr_field_number(ctx, "bytes", sr_value_bytes(value));
    FIGURES_INFO(REPLY)
}

static void reply_estimate(RedisModuleCtx *ctx, const seenset_estimate *from)
{
    FIGURES_FILL(REPLY)
    FIGURES_ESTIMATE_ONLY(REPLY)
    reply_wrong(ctx, from);
}

int seen_info(RedisModuleCtx *ctx, RedisModuleString **argv, int argc)
{
    if (argc != 2)
        return sr_redis.wrong_arity(ctx);
    sr_target target = sr_find(ctx, argv[1], SR_READ);
    if (target.state != SR_SET)
        return sr_reply_state(ctx, target.state);
    seenset_info info;
    seenset_estimate estimate;
    int error = seenset_get_info(target.value->set, &info, sizeof info);
    if (error == 0)
        error =
            seenset_get_estimate(target.value->set, &estimate, sizeof estimate);
    if (error != 0)
        return sr_reply_error(ctx, error);
    sr_redis.reply_map(ctx, FIELDS);
    reply_set(ctx, target.value, &info);
    reply_estimate(ctx, &estimate);
    return SR_OK;
}
