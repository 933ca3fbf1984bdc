/* line.c - see line.h */
#include "visit/partition/line.h"

#include <string.h>

#include "seenset/error.h"
#include "server/api.h"

sr_line *sr_line_new(void)
{
    sr_line *line = sr_redis.try_alloc(sizeof *line);
    if (line != NULL)
        *line = (sr_line){0};
    return line;
}

static void free_packed(sr_line *line)
{
    if (line->packed == NULL)
        return;
    sr_items_free(line->packed);
    sr_redis.free(line->packed);
    line->packed = NULL;
}

void sr_line_free(sr_line *line)
{
    free_packed(line);
    if (line->own != NULL)
        sr_redis.free(line->own);
    sr_redis.free(line);
}

uint64_t sr_line_count(const sr_line *line)
{
    return line->packed != NULL ? sr_items_count(line->packed) : line->items;
}

uint64_t sr_line_bytes(const sr_line *line)
{
    uint64_t bytes = sizeof *line + line->room;
    if (line->packed != NULL)
        bytes += sizeof *line->packed + sr_items_bytes(line->packed);
    if (line->own != NULL)
        bytes += sizeof *line->own + line->own->name_len;
    return bytes;
}

/* The same line in a block with other room, without what was read. */
static int resize(sr_line **line, size_t room)
{
    sr_line *from = *line;
    sr_line *to = sr_redis.try_alloc(sizeof *to + room);
    if (to == NULL)
        return SEENSET_ENOMEM;
    uint32_t left = from->len - from->at;
    *to = *from;
    to->at = 0;
    to->len = left;
    to->room = (uint32_t)room;
    if (left > 0)
        memcpy(to->bytes, from->bytes + from->at, left);
    sr_redis.free(from);
    *line = to;
    return 0;
}

static void push_packed(sr_items *packed, const sr_item *item)
{
    sr_items_push(packed, item);
    sr_items_seal(packed);
}

/* Moves the items into packed blocks, with room for one of so many bytes. */
static int pack(sr_line **line, size_t bytes)
{
    sr_items *packed = sr_redis.try_alloc(sizeof *packed);
    if (packed == NULL)
        return SEENSET_ENOMEM;
    *packed = (sr_items){0};
    sr_line *from = *line;
    if (sr_items_reserve(packed, from->len - from->at + bytes) != 0) {
        sr_redis.free(packed);
        return SEENSET_ENOMEM;
    }
    sr_item item;
    while (from->at < from->len) {
        from->at += (uint32_t)sr_item_read(from->bytes + from->at,
                                           from->len - from->at, &item);
        sr_items_push(packed, &item);
    }
    from->packed = packed;
    from->items = from->at = from->len = 0;
    (void)resize(line, 0); /* or else it stays as it is */
    return 0;
}

int sr_line_reserve(sr_line **line, size_t bytes)
{
    sr_line *it = *line;
    if (it->packed != NULL)
        return sr_items_reserve(it->packed, bytes);
    if (bytes <= it->room - it->len)
        return 0;
    size_t needed = it->len - it->at + bytes;
    if (needed > SR_BLOCK_BYTES)
        return pack(line, bytes);
    size_t more = it->room + it->room / 4;
    return resize(line, needed > more ? needed : more);
}

void sr_line_push(sr_line *line, const sr_item *item)
{
    if (line->packed != NULL) {
        push_packed(line->packed, item);
        return;
    }
    line->len += (uint32_t)sr_item_write(line->bytes + line->len, item);
    line->items++;
}

int sr_line_first(sr_line *line, sr_item *item)
{
    if (line->packed != NULL)
        return sr_items_first(line->packed, item);
    return line->items > 0 &&
           sr_item_read(line->bytes + line->at, line->len - line->at, item) > 0;
}

void sr_line_drop(sr_line *line)
{
    sr_item item;
    if (line->packed != NULL) {
        sr_items_drop(line->packed);
        if (sr_items_count(line->packed) == 0)
            free_packed(line);
        return;
    }
    line->at += (uint32_t)sr_item_read(line->bytes + line->at,
                                       line->len - line->at, &item);
    if (--line->items == 0)
        line->at = line->len = 0;
}

int sr_line_each(const sr_line *line, sr_items_visitor *visit, void *context)
{
    if (line->packed != NULL)
        return sr_items_each(line->packed, visit, context);
    return line->items == 0
               ? 0
               : visit(context, line->bytes + line->at, line->len - line->at);
}

/* ---- the ring of what is due again ---- */

static bool is_before(const sr_lease *a, const sr_lease *b)
{
    return a->due_ms != b->due_ms ? a->due_ms < b->due_ms
                                  : a->number < b->number;
}

sr_lease *sr_line_first_due(const sr_line *line)
{
    return line->last_due == NULL ? NULL : line->last_due->next;
}

/* Nearly always it is the last. */
void sr_line_add_due(sr_line *line, sr_lease *lease)
{
    sr_lease *last = line->last_due, *before = last;
    if (last == NULL) {
        line->last_due = lease->next = lease;
        return;
    }
    if (!is_before(lease, last)) {
        line->last_due = lease;
    } else {
        while (!is_before(lease, before->next))
            before = before->next;
    }
    lease->next = before->next;
    before->next = lease;
}

void sr_line_remove_due(sr_line *line, sr_lease *lease)
{
    sr_lease *before = line->last_due;
    while (before->next != lease)
        before = before->next;
    before->next = lease->next;
    if (line->last_due == lease)
        line->last_due = before == lease ? NULL : before;
}
