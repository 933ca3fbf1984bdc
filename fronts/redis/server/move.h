/*
 * move.h - active defragmentation: a server gives small blocks another place,
 * so that it can give whole pages back to the system.
 *
 * Who owns a block hands it to sr_move and stores what that returns: the same
 * address, or the new one, and then nothing may point to the old one. Blocks
 * from SR_MOVE_BYTES on are not handed to the server: its allocator, jemalloc,
 * keeps blocks of up to 14 KiB together in pages, and gives larger ones pages
 * of their own, which have no holes.
 *
 * A server may ask for a part of the work at a time. So loops end when
 * sr_move_is_over says so, and remember where they were.
 */
#ifndef SEENSET_REDIS_SERVER_MOVE_H
#define SEENSET_REDIS_SERVER_MOVE_H

#include <stdbool.h>

#include "seenset/seenset.h"
#include "server/api.h"

enum {
    SR_MOVE_BYTES = 16 << 10
};

typedef struct sr_mover {
    RedisModuleDefragCtx *ctx;
    uint32_t tried; /* blocks since the server was asked for the time */
    bool is_first;  /* not: it goes on where it was */
} sr_mover;

/* What a type's defrag is called with, and what that returns: whether there is
 * more to do, for which the server calls it again. */
sr_mover sr_move_begin(RedisModuleDefragCtx *ctx);
int sr_move_end(const sr_mover *mover, bool is_done);

/* Is the server's time over? */
bool sr_move_is_over(sr_mover *mover);

/* Where the block, of try_alloc and so many bytes, is from now on. NULL is
 * NULL. */
void *sr_move(sr_mover *mover, void *block, uint64_t size_bytes);

/* The same of what sr_allocator returned, for a boundary of 8 bytes. */
void *sr_move_owned(sr_mover *mover, void *block, uint64_t size_bytes);

/* As sr_move; a function of the kind ss_memory_move. */
void *sr_move_plain(void *mover, void *block, size_t size_bytes);

/* All blocks of a set; NULL: there is none. */
void sr_move_set(sr_mover *mover, seenset **set);

#endif
