/*
 * items.h - the items that are pending: first in, first out.
 *
 *     head           blocks                    tail
 *     | | | | |  <-  [packed] [packed] ...  <-  | | | |
 *     read from                                 written to
 *
 * Items are added to the tail. What is 32 KiB of it becomes a packed block. The
 * first block is unpacked into the head when the head is empty. So a push and a
 * pop touch no more than 32 KiB each, and all the rest is packed.
 */
#ifndef SEENSET_REDIS_VISIT_PARTITION_ITEMS_H
#define SEENSET_REDIS_VISIT_PARTITION_ITEMS_H

#include "visit/partition/block.h"

/* Bytes of items that are not packed. */
typedef struct sr_raw {
    uint8_t *bytes;
    size_t at, len, room; /* the first `at` bytes have been read */
    uint64_t items;       /* of the rest */
} sr_raw;

typedef struct sr_items {
    sr_raw head, tail;
    sr_block *blocks; /* block_count from `first` on */
    size_t first, block_count, room;
    uint64_t block_items, block_bytes;
} sr_items;

uint64_t sr_items_count(const sr_items *items);

/* The memory that they take. */
uint64_t sr_items_bytes(const sr_items *items);

/* Makes room for so many bytes of items. Returns 0 or SEENSET_ENOMEM. */
int sr_items_reserve(sr_items *items, size_t bytes);

/* Adds an item, for which there is room. */
void sr_items_push(sr_items *items, const sr_item *item);

/* Packs what is enough for a block. Without memory for that, the items stay in
 * the tail until the next time. */
void sr_items_seal(sr_items *items);

/* Finds the first item, which is valid until the next call. Returns 1, 0 (there
 * is none) or SEENSET_ENOMEM. */
int sr_items_first(sr_items *items, sr_item *item);

/* Removes the item that sr_items_first found. */
void sr_items_drop(sr_items *items);

/* Hands over the bytes of all items in their order, some whole items each time,
 * until a call returns other than 0. Returns that, 0 or SEENSET_ENOMEM. */
typedef int sr_items_visitor(void *context, const uint8_t *raw, size_t len);
int sr_items_each(const sr_items *items, sr_items_visitor *visit,
                  void *context);

/* Adds a block after the others. Returns 0 or SEENSET_ENOMEM; on error the
 * block is still the caller's. */
int sr_items_append(sr_items *items, const sr_block *block);

void sr_items_free(sr_items *items);

#endif
