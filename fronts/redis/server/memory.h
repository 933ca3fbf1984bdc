/*
 * memory.h - the sets' memory is the server's, so MEMORY USAGE, INFO memory and
 * maxmemory count it.
 *
 * A server ends when its allocator fails, and the kernel may end a server that
 * takes more memory than there is. So memory is asked for in the way that may
 * be refused, and for a large block the machine is asked for room first. A key
 * for a billion items, or a payload that claims to be one, is then an error.
 */
#ifndef SEENSET_REDIS_MEMORY_H
#define SEENSET_REDIS_MEMORY_H

#include <stdbool.h>

#include "seenset/base.h"
#include "server/api.h"

/* For every set of the module. What it returns is zeroed (SEENSET_FLAG_ZEROED).
 */
extern const seenset_allocator sr_allocator;

/* The bytes that all sets take now. */
uint64_t sr_memory_used_bytes(void);

/*
 * Whether a client may take size_bytes more: used memory and they are within
 * maxmemory. What comes from a master or from a file is not a client's, and
 * always may, as this server has to have the same keys.
 */
bool sr_memory_may_take(RedisModuleCtx *ctx, uint64_t size_bytes);

/* The types' defrag: a value's own block goes where the server wants it, and
 * what it points to stays. Returns 0, done. */
int sr_memory_move(RedisModuleDefragCtx *ctx, RedisModuleString *key,
                   void **value);

#endif
