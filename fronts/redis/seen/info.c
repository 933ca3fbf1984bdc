/* info.c - SEEN.INFO: what a set is, how full, and how often wrong */
#include <math.h>

#include "commands.h"
#include "key/reply.h"

enum {
    SET_FIELDS = 13,
    ESTIMATE_FIELDS = 7
};

static void reply_set(RedisModuleCtx *ctx, const sr_value *value,
                      const seenset_info *info)
{
    sr_field_text(ctx, "layout", seenset_layout_name(info->layout));
    sr_field_text(ctx, "on-full", seenset_on_full_name(info->on_full));
    sr_field_number(ctx, "capacity", info->capacity_items);
    sr_field_double(ctx, "rate", info->fp_rate);
    sr_field_double(ctx, "made-rate", info->made_fp_rate);
    sr_field_number(ctx, "tables", info->table_count);
    sr_field_number(ctx, "bytes", sr_value_bytes(value));
    sr_field_number(ctx, "keyed", (uint64_t)info->is_keyed);
    sr_field_number(ctx, "counter-bits", info->counter_bits);
    sr_field_number(ctx, "fingerprint-bits", info->fingerprint_bits);
    sr_field_number(ctx, "window-seconds", info->window_seconds);
    sr_field_number(ctx, "window-tables", info->window_generations);
    sr_field_number(ctx, "sliding", (info->flags & SEENSET_FLAG_SLIDING) != 0);
}

static void reply_estimate(RedisModuleCtx *ctx,
                           const seenset_estimate *estimate)
{
    sr_field_number(ctx, "added", estimate->added_items);
    sr_field_double(ctx, "estimated-keys", estimate->estimated_items);
    sr_field_double(ctx, "fill", estimate->fill);
    sr_field_double(ctx, "rate-now", estimate->current_fp_rate);
    sr_field_double(ctx, "rate-now-error", estimate->fp_rate_error);
    sr_field_double(ctx, "expected-false-positives",
                    estimate->is_wrong_at_least ? INFINITY
                                                : estimate->wrong_items);
    sr_field_double(ctx, "least-false-positives", estimate->wrong_items);
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
    sr_redis.reply_map(ctx, SET_FIELDS + ESTIMATE_FIELDS);
    reply_set(ctx, target.value, &info);
    reply_estimate(ctx, &estimate);
    return SR_OK;
}
