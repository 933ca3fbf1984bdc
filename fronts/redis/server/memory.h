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

/* The server's own block that has what sr_allocator returned. */
void *sr_memory_block(const void *memory);

/* The server copied the block that had it to another place, `moved`. Where it
 * is from now on; for the size and the boundary that sr_allocator got. */
void *sr_memory_moved(const void *memory, const void *block, void *moved,
                      size_t size_bytes, size_t alignment_bytes);

#endif
