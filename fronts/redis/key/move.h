/*
 * move.h - the blocks of a value are given another place (server/move.h).
 *
 * A set has few blocks, so all of it is done at once. A set that grew in place
 * has a block of 124 KiB for each 124 KiB, which are not moved: of 10 GB they
 * are passed over in a millisecond.
 */
#ifndef SEENSET_REDIS_KEY_MOVE_H
#define SEENSET_REDIS_KEY_MOVE_H

#include "key/value.h"
#include "server/move.h"

/* The type's defrag. Returns 0: done. */
int sr_value_move(RedisModuleDefragCtx *ctx, RedisModuleString *key,
                  void **value);

/* What is being loaded. */
void sr_incoming_move(sr_mover *mover, sr_incoming *incoming);

#endif
