/* memory.c - see memory.h */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "server/memory.h"

#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>

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

/* Whether the system would give so much memory now. */
static bool is_to_be_had(size_t size_bytes)
{
    void *probe = mmap(NULL, size_bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return probe != MAP_FAILED && munmap(probe, size_bytes) == 0;
}

/* Zeroed, or NULL. A large block is asked for as such: its pages come from the
 * system, which has zeroed them, and none is touched. Servers before TryCalloc
 * end when they cannot have it, so the system is asked first. */
static void *take_zeroed(size_t size_bytes)
{
    if (sr_redis.try_calloc != NULL)
        return sr_redis.try_calloc(1, size_bytes);
    if (size_bytes >= LARGE_BYTES)
        return is_to_be_had(size_bytes) ? sr_redis.calloc(1, size_bytes) : NULL;
    void *block = sr_redis.try_alloc(size_bytes);
    if (block != NULL)
        memset(block, 0, size_bytes);
    return block;
}

/* The first multiple of the boundary that leaves room for an address. */
static char *align(char *block, size_t alignment_bytes)
{
    uintptr_t first = (uintptr_t)block + sizeof(void *);
    uintptr_t over = first & (alignment_bytes - 1);
    return block + sizeof(void *) + (over == 0 ? 0 : alignment_bytes - over);
}

/* Used memory is more than what is resident as long as pages of large blocks
 * were not touched. They will be, so there has to be room for both.
 *
 * A server's blocks begin at multiples of 16; a set's rows of bits begin at a
 * cache line. So the block is larger, and its own address is kept before the
 * part that the set has. */
static void *allocate(void *context, size_t size_bytes, size_t alignment_bytes)
{
    (void)context;
    size_t more = sizeof(void *) + alignment_bytes - 1;
    if (size_bytes > SIZE_MAX - more ||
        !fits(size_bytes, "total_system_memory", "used_memory_rss") ||
        !fits(size_bytes, "total_system_memory", "used_memory"))
        return NULL;
    char *block = take_zeroed(size_bytes + more);
    if (block == NULL)
        return NULL;
    char *memory = align(block, alignment_bytes);
    memcpy(memory - sizeof block, &block, sizeof block);
    atomic_fetch_add(&used_bytes, size_bytes);
    return memory;
}

void *sr_memory_block(const void *memory)
{
    void *block;
    memcpy(&block, (const char *)memory - sizeof block, sizeof block);
    return block;
}

static void release(void *context, void *memory, size_t size_bytes)
{
    (void)context;
    sr_redis.free(sr_memory_block(memory));
    atomic_fetch_sub(&used_bytes, size_bytes);
}

const seenset_allocator sr_allocator = {allocate, release, NULL};

/* Another block may be on another side of a boundary. */
void *sr_memory_moved(const void *memory, const void *block, void *moved,
                      size_t size_bytes, size_t alignment_bytes)
{
    size_t before = (size_t)((uintptr_t)memory - (uintptr_t)block);
    char *from = (char *)moved + before, *to = align(moved, alignment_bytes);
    if (to != from)
        memmove(to, from, size_bytes);
    memcpy(to - sizeof moved, &moved, sizeof moved);
    return to;
}
