/*
 * links.h - where the pending items of a polite queue are, by their numbers.
 *
 *     number   at           next
 *     40       0                        done, or not an item
 *     41       position     47          in its host's chain: 47 comes after it
 *     42       position     host 3      not in a chain yet, or handed out
 *     47       position     END         the last of the chain
 *
 * An item is found by its number in one step, and changed in one step, however
 * many are pending. Numbers only grow, so they are in blocks of 4096, and a
 * block goes when all its items are done: 16 bytes for each item in a block
 * that has one that is pending.
 */
#ifndef SS_FRONTIER_LINKS_H
#define SS_FRONTIER_LINKS_H

#include "base/memory.h"

/* Of the last in a chain. Numbers of items are lower. */
#define SS_LINK_END (UINT64_C(1) << 60)

/* An item that is not in a chain has this bit, and its owner. */
#define SS_LINK_OWNED (UINT64_C(1) << 63)

/* And this one if it was handed out. */
#define SS_LINK_OUT (UINT64_C(1) << 62)

typedef struct ss_link {
    uint64_t at; /* of the item's record; 0: there is none */
    uint64_t next;
} ss_link;

typedef struct ss_link_block ss_link_block;

typedef struct ss_links {
    ss_link_block **blocks; /* or NULL where all items are done */
    size_t count, room;
    uint64_t first_block; /* the number of blocks[0] */
    uint64_t block_total; /* that there are */
    uint64_t oldest;      /* no item before it */
} ss_links;

void ss_links_free(ss_links *links, const ss_memory *memory);

/* Makes room for an item, which is newer than all. False: no memory. */
bool ss_links_reserve(ss_links *links, const ss_memory *memory, uint64_t item);

/* Adds it. */
void ss_links_add(ss_links *links, uint64_t item, ss_link link);

/* The link of an item that is there, or NULL. */
ss_link *ss_links_find(const ss_links *links, uint64_t item);

/* Removes an item, which is there. */
void ss_links_remove(ss_links *links, const ss_memory *memory, uint64_t item);

/* The first item that is there and not before `from`; `end` if there is none
 * before that. */
uint64_t ss_links_next(const ss_links *links, uint64_t from, uint64_t end);

/* The first item not before `from` whose record is not before `at`; `end` if
 * there is none. Records are in the order of numbers. */
uint64_t ss_links_from(const ss_links *links, uint64_t from, uint64_t end,
                       uint64_t at);

/* The first of all. It remembers it, and goes on from there. */
uint64_t ss_links_oldest(ss_links *links, uint64_t end);

uint64_t ss_links_bytes(const ss_links *links);

#endif
