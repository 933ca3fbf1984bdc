/* memory.c - see memory.h */
#include "server/memory.h"

#include <stdatomic.h>
#include <string.h>

enum {
    LARGE_BYTES = 16 << 20 /* a block for which there is first asked for room */
};

/* A set may be freed in the server's thread for that. */
static _Atomic uint64_t used_bytes;

uint64_t sr_memory_used_bytes(void)
{
    return atomic_load(&used_bytes);
}

/* A number of the section "memory" of INFO; 0 if the server lacks it. */
static uint64_t server_number(const char *field)
{
    if (sr_redis.get_server_info == NULL ||
        sr_redis.server_info_number == NULL ||
        sr_redis.free_server_info == NULL)
        return 0;
    RedisModuleServerInfoData *info = sr_redis.get_server_info(NULL, "memory");
    if (info == NULL)
        return 0;
    int error = 0;
    uint64_t number = sr_redis.server_info_number(info, field, &error);
    sr_redis.free_server_info(NULL, info);
    return error == SR_OK ? number : 0;
}

static bool fits(uint64_t size_bytes, const char *limit, const char *used)
{
    if (size_bytes < LARGE_BYTES)
        return true;
    uint64_t most = server_number(limit);
    if (most == 0) /* no limit, or none that the server tells */
        return true;
    uint64_t taken = server_number(used);
    return taken < most && size_bytes <= most - taken;
}

bool sr_memory_may_take(RedisModuleCtx *ctx, uint64_t size_bytes)
{
    int flags = sr_redis.get_context_flags(ctx);
    if ((flags & (SR_CONTEXT_REPLICATED | SR_CONTEXT_LOADING)) != 0)
        return true;
    return fits(size_bytes, "maxmemory", "used_memory");
}

/* A server's blocks begin at multiples of 16; a set's rows of bits begin at a
 * cache line. So the block is larger, and its own address is kept before the
 * part that the set has. */
static void *allocate(void *context, size_t size_bytes, size_t alignment_bytes)
{
    (void)context;
    size_t more = sizeof(void *) + alignment_bytes - 1;
    if (size_bytes > SIZE_MAX - more ||
        !fits(size_bytes, "total_system_memory", "used_memory_rss"))
        return NULL;
    char *block = sr_redis.try_alloc(size_bytes + more);
    if (block == NULL)
        return NULL;
    uintptr_t first = (uintptr_t)block + sizeof(void *);
    uintptr_t over = first & (alignment_bytes - 1);
    char *memory =
        block + sizeof(void *) + (over == 0 ? 0 : alignment_bytes - over);
    memcpy(memory - sizeof block, &block, sizeof block);
    atomic_fetch_add(&used_bytes, size_bytes);
    return memory;
}

static void release(void *context, void *memory, size_t size_bytes)
{
    (void)context;
    char *block;
    memcpy(&block, (char *)memory - sizeof block, sizeof block);
    sr_redis.free(block);
    atomic_fetch_sub(&used_bytes, size_bytes);
}

const seenset_allocator sr_allocator = {allocate, release, NULL};

int sr_memory_move(RedisModuleDefragCtx *ctx, RedisModuleString *key,
                   void **value)
{
    (void)key;
    void *moved = sr_redis.defrag_alloc == NULL
                      ? NULL
                      : sr_redis.defrag_alloc(ctx, *value);
    if (moved != NULL)
        *value = moved;
    return 0; /* done */
}
