/*
 * links.h - where the items of a polite queue are that wait, by their numbers.
 *
 *     number   at           next
 *     40       -                        it does not wait
 *     41       position     47          in its host's chain: 47 comes after it
 *     42       position     host 3      not in a chain yet, or the last of one:
 *                                       host, lane, bytes of its record
 *     44       position     host 3, out handed out before this queue was
 * opened, or in a file until it is due
 *
 * Links are on pages of scratch (scratch.h), 256 on each: 16 bytes for each
 * item on a page that has one that waits, of which a bounded part is in memory.
 * An item that is taken out of its chain is only counted: its page is not
 * looked at, and goes with the last of its items.
 *
 * Most calls find their page in memory. Pushing is done on the newest page, and
 * on that of the host's item before, which is as old as the host is rare. Hosts
 * take turns, so the items that are handed out are near each other, too, where
 * hosts are of a size.
 *
 * Memory beside the pages: 0.3 bits for each item, and what they need there.
 */
#ifndef SS_FRONTIER_LINKS_H
#define SS_FRONTIER_LINKS_H

#include "frontier/blocks.h"
#include "frontier/scratch.h"

/* There is no such item. Numbers of items are lower. */
#define SS_LINK_END (UINT64_C(1) << 60)

/* An item that is not in a chain has this bit, and its owner. */
#define SS_LINK_OWNED (UINT64_C(1) << 63)

/* And this one if it was handed out before. */
#define SS_LINK_OUT (UINT64_C(1) << 62)

typedef struct ss_link {
    uint64_t at; /* of the item's record */
    uint64_t next;
} ss_link;

typedef struct ss_links {
    ss_blocks blocks;
    ss_scratch scratch;
    uint64_t newest; /* an item on the page that gets more, and stays */
    bool has_newest;
} ss_links;

void ss_links_init(ss_links *links, const ss_memory *memory,
                   const ss_scratch_file *file);
void ss_links_free(ss_links *links, const ss_memory *memory);

/* Makes room for an item. Mostly it is newer than all that are there. Errors
 * here and below are those of scratch. */
int ss_links_reserve(ss_links *links, const ss_memory *memory, uint64_t item);

/* Adds it. */
void ss_links_add(ss_links *links, uint64_t item, ss_link link);

/* Is anything left of its page? Not if none of the items there waits. */
bool ss_links_has_page(const ss_links *links, uint64_t item);

/* Reads the link of an item that waits. Returns 0 or an error. */
int ss_links_read(ss_links *links, uint64_t item, ss_link *out);

/* Writes it again, and changes what comes after it. Return 0 or an error. */
int ss_links_write(ss_links *links, uint64_t item, ss_link link);
int ss_links_set_next(ss_links *links, uint64_t item, uint64_t next);

/* An item does not wait any more. */
void ss_links_remove(ss_links *links, const ss_memory *memory, uint64_t item);

uint64_t ss_links_bytes(const ss_links *links);

#endif
