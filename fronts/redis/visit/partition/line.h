/*
 * line.h - the pending items of one host, and what else is known of it.
 *
 * Most hosts have few items: theirs are bytes in one block with the rest of the
 * line. When they are more than a block's 32 KiB they move into a list of
 * packed blocks (items.h), until that is empty. So a line may move, and whoever
 * has it has it by a pointer that follows.
 *
 * Before the pending ones come those that are due again: leases that ended, or
 * were given back and waited for their delay. They are a ring, whose last one
 * the line has: its next is the first.
 */
#ifndef SEENSET_REDIS_VISIT_PARTITION_LINE_H
#define SEENSET_REDIS_VISIT_PARTITION_LINE_H

#include "visit/partition/items.h"
#include "visit/partition/lease.h"

/* What a client has set for a host. */
typedef struct sr_own {
    uint64_t block_until_ms;   /* 0: it is not blocked */
    uint64_t unblocked_ms;     /* when it would be ready without */
    uint64_t delay_ms, budget; /* SR_USUAL: that of all */
    uint32_t name_len;
    char name[];
} sr_own;

#define SR_USUAL UINT64_MAX

typedef struct sr_line {
    sr_lease *last_due; /* NULL: none is */
    sr_items *packed;   /* NULL: the items are in bytes */
    sr_own *own;        /* or NULL */
    uint32_t taken;     /* URLs of the host that were new, in all */
    uint32_t done, failed, refused;
    uint32_t waiting; /* given back, and their delay runs */
    uint32_t at, len, room, items;
    uint8_t bytes[];
} sr_line;

/* An empty line, or NULL: no memory. */
sr_line *sr_line_new(void);
void sr_line_free(sr_line *line);

/* The items that are pending, without those that are due again. */
uint64_t sr_line_count(const sr_line *line);

/* The memory that it takes. */
uint64_t sr_line_bytes(const sr_line *line);

/* Makes room for so many bytes of items, at most what one item takes. The line
 * may move. Returns 0 or SEENSET_ENOMEM. */
int sr_line_reserve(sr_line **line, size_t bytes);

/* Adds an item, for which there is room. */
void sr_line_push(sr_line *line, const sr_item *item);

/* Finds the first item, which is valid until the next call. Returns 1, 0 (there
 * is none) or SEENSET_ENOMEM. */
int sr_line_first(sr_line *line, sr_item *item);

/* Removes the item that sr_line_first found. */
void sr_line_drop(sr_line *line);

/* As sr_items_each. */
int sr_line_each(const sr_line *line, sr_items_visitor *visit, void *context);

/* ---- what is due again, by time, and of equal times by number ---- */

void sr_line_add_due(sr_line *line, sr_lease *lease);
sr_lease *sr_line_first_due(const sr_line *line);
void sr_line_remove_due(sr_line *line, sr_lease *lease);

#endif
