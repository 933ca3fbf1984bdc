/*
 * known.h - the partitions of this server and their names, for INFO.
 *
 * A server asks for INFO without a way to its keys. So each partition that has
 * a key is on a list, with the name of that key: from when it is loaded, copied
 * or first asked for, until it is freed, which may be in a thread of the
 * server's. A key that was renamed is known by its old name until a command
 * asks for it.
 */
#ifndef SEENSET_REDIS_VISIT_PARTITION_KNOWN_H
#define SEENSET_REDIS_VISIT_PARTITION_KNOWN_H

#include "server/api.h"

/* What a partition has of it; NULL: it has no key yet. */
typedef struct sr_known sr_known;

/* The partition, whose *known it is, is that of this key. Without memory it
 * stays unknown. */
void sr_known_name(sr_known **known, const void *partition,
                   const RedisModuleString *name);

/* The partition is now at another address, and so may be the block of its name
 * (base/memory.h): the move and its context. *known NULL: does nothing. */
typedef void *sr_known_mover(void *context, void *block, size_t size_bytes);
void sr_known_move(sr_known **known, const void *partition,
                   sr_known_mover *move, void *context);

/* It is about to be freed. */
void sr_known_drop(sr_known **known);

/* Calls it for each, with its key's name. None is freed until the end. */
typedef void sr_known_look(void *context, const void *partition,
                           const char *name, size_t len);
void sr_known_each(sr_known_look *look, void *context);

#endif
