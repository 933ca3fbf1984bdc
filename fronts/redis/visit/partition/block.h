/*
 * block.h - many items as one block, packed by zstd.
 *
 * URLs of one site are much alike, so 32 KiB of them take a third or less when
 * they are packed. A block that does not get smaller is kept as it is.
 */
#ifndef SEENSET_REDIS_VISIT_PARTITION_BLOCK_H
#define SEENSET_REDIS_VISIT_PARTITION_BLOCK_H

#include "visit/partition/item.h"

enum {
    SR_BLOCK_BYTES = 1 << 15, /* it ends with the item that reaches this */
    SR_BLOCK_MOST_BYTES =
        SR_BLOCK_BYTES + 2 * SR_ITEM_MOST_BYTES + SR_ITEM_HEAD_BYTES
};

typedef struct sr_block {
    uint8_t *bytes;
    uint64_t len, raw_len; /* equal: it is not packed */
    uint64_t items;
} sr_block;

/* Packs raw_len bytes, which are whole items. Returns 0 or SEENSET_ENOMEM. */
int sr_block_pack(sr_block *out, const uint8_t *raw, size_t raw_len,
                  uint64_t items);

/* Stores the raw_len bytes at raw. Returns 0, SEENSET_ENOMEM or
 * SEENSET_ECORRUPT (only of a block that came from outside). */
int sr_block_unpack(const sr_block *block, uint8_t *raw);

void sr_block_free(sr_block *block);

/* How many items len bytes are; -1: not whole items. */
int64_t sr_block_count(const uint8_t *raw, size_t len);

#endif
