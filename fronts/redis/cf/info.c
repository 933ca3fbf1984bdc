/* info.c - CF.INFO: a filter in RedisBloom's terms. A sub-filter is a set */
#include "cf/filter.h"
#include "commands.h"
#include "key/reply.h"

int cf_info(RedisModuleCtx *ctx, RedisModuleString **argv, int argc)
{
    if (argc != 2)
        return sr_redis.wrong_arity(ctx);
    sr_target target = sr_find(ctx, argv[1], SR_READ);
    if (target.state != SR_CUCKOO)
        return cf_reply_state(ctx, target.state);
    const sr_cuckoo *cuckoo = target.value->cuckoo;
    sr_redis.reply_map(ctx, 8);
    sr_field_number(ctx, "Size", sr_value_bytes(target.value));
    sr_field_number(ctx, "Number of buckets", cuckoo->buckets);
    sr_field_number(ctx, "Number of filters", cuckoo->count);
    sr_field_number(ctx, "Number of items inserted", cuckoo->inserted);
    sr_field_number(ctx, "Number of items deleted", cuckoo->deleted);
    sr_field_number(ctx, "Bucket size", cuckoo->bucket_size);
    sr_field_number(ctx, "Expansion rate", cuckoo->expansion);
    sr_field_number(ctx, "Max iterations", cuckoo->max_iterations);
    return SR_OK;
}
