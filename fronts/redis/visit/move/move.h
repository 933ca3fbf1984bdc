/*
 * move.h - the blocks of a partition are given another place (server/move.h),
 * so that the holes which acknowledged leases and popped blocks leave can be
 * given back.
 *
 * A partition may have millions of blocks, so a server that has other things to
 * do gets it in parts, and runs commands between them. Where it was is kept in
 * the partition (sr_moving): a part, and the number of a block there. Blocks
 * that came, went or changed their numbers between two parts may be left out,
 * or looked at twice: the server comes back for as long as there are holes.
 *
 *     own       the partition, its name, its set, lists
 *     blocks    of pending URLs
 *     leases    but for those that are due again
 *     hosts     each: its line, its blocks, its leases that are due again
 *     turns     the table of hosts; all of the heaps at once
 */
#ifndef SEENSET_REDIS_VISIT_MOVE_MOVE_H
#define SEENSET_REDIS_VISIT_MOVE_MOVE_H

#include "server/move.h"
#include "visit/partition/visit.h"

/* The type's defrag. */
int sr_visit_move(RedisModuleDefragCtx *ctx, RedisModuleString *key,
                  void **value);

/* Each goes on at moving->at, and returns whether it came to the end. */
bool sr_move_leases(sr_mover *mover, sr_leases *leases, sr_moving *moving);
bool sr_move_hosts(sr_mover *mover, sr_visit *visit);
bool sr_move_turns(sr_mover *mover, sr_sites *sites, sr_moving *moving);

/* What pending items have at most once, and their blocks from *at on. */
void sr_move_items(sr_mover *mover, sr_items *items);
bool sr_move_blocks(sr_mover *mover, sr_items *items, uint64_t *at);

#endif
