/* type.c - the type of values, as the server knows it */
#include "key/move.h"
#include "key/persist.h"
#include "key/value.h"

static RedisModuleType *type;

RedisModuleType *sr_type(void)
{
    return type;
}

static size_t memory_usage(const void *value)
{
    return sr_value_bytes(value);
}

static void free_value(void *value)
{
    sr_value_free(value);
}

/* The server frees in a thread of its own what takes over 64 efforts: with
 * these, a key of over 4 MiB. */
static size_t free_effort(RedisModuleString *key, const void *value)
{
    (void)key;
    return 1 + sr_value_bytes(value) / 65536;
}

static void *copy_value(RedisModuleString *from, RedisModuleString *to,
                        const void *value)
{
    (void)from;
    (void)to;
    return sr_value_copy(value);
}

int sr_type_create(RedisModuleCtx *ctx)
{
    const sr_type_methods methods = {.version = SR_TYPE_METHOD_VERSION,
                                     .rdb_load = sr_rdb_load,
                                     .rdb_save = sr_rdb_save,
                                     .aof_rewrite = sr_aof_rewrite,
                                     .mem_usage = memory_usage,
                                     .digest = sr_digest,
                                     .free = free_value,
                                     .free_effort = free_effort,
                                     .copy = copy_value,
                                     .defrag = sr_value_move};
    type = sr_redis.create_data_type(ctx, SR_TYPE_NAME, SR_ENCODING_VERSION,
                                     &methods);
    return type == NULL ? -1 : 0;
}
