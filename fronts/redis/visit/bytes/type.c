/* type.c - the type of partitions, as the server knows it; see key/type.c */
#include "visit/bytes/bytes.h"
#include "visit/bytes/persist.h"
#include "visit/move/move.h"

static RedisModuleType *type;

RedisModuleType *sr_visit_type(void)
{
    return type;
}

static size_t memory_usage(const void *value)
{
    return (size_t)sr_visit_bytes(value);
}

static void free_value(void *value)
{
    sr_visit_free(value);
}

/* Over 64 are freed in a thread of the server's: each block and each lease is a
 * block of memory. */
static size_t free_effort(RedisModuleString *key, const void *value)
{
    (void)key;
    const sr_visit *visit = value;
    const sr_sites *sites = visit->sites;
    return 1 + visit->items.block_count + (size_t)visit->leases.count +
           (sites == NULL ? 0 : sites->turns.all.count + sites->block_count) +
           (size_t)(sr_visit_bytes(visit) / 65536);
}

static void *copy_value(RedisModuleString *from, RedisModuleString *to,
                        const void *value)
{
    (void)from;
    sr_visit *copy = sr_visit_copy(value);
    if (copy != NULL)
        sr_known_name(&copy->known, copy, to);
    return copy;
}

int sr_visit_type_create(RedisModuleCtx *ctx)
{
    const sr_type_methods methods = {.version = SR_TYPE_METHOD_VERSION,
                                     .rdb_load = sr_visit_rdb_load,
                                     .rdb_save = sr_visit_rdb_save,
                                     .aof_rewrite = sr_visit_aof_rewrite,
                                     .mem_usage = memory_usage,
                                     .digest = sr_visit_digest,
                                     .free = free_value,
                                     .free_effort = free_effort,
                                     .copy = copy_value,
                                     .defrag = sr_visit_move};
    type = sr_redis.create_data_type(ctx, SR_VISIT_TYPE_NAME,
                                     SR_VISIT_ENCODING_VERSION, &methods);
    return type == NULL ? -1 : 0;
}
