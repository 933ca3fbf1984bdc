/* items.c - see items.h */
#include "visit/partition/items.h"

#include <string.h>

#include "seenset/error.h"
#include "server/api.h"

enum {
    STEP_BYTES = 1 << 13 /* by which the tail's room grows */
};

uint64_t sr_items_count(const sr_items *items)
{
    return items->head.items + items->block_items + items->tail.items;
}

uint64_t sr_items_bytes(const sr_items *items)
{
    return items->head.room + items->tail.room + items->block_bytes +
           items->room * sizeof *items->blocks;
}

static void free_raw(sr_raw *raw)
{
    if (raw->bytes != NULL)
        sr_redis.free(raw->bytes);
    *raw = (sr_raw){0};
}

/* Moves what was not read to a block of `room` bytes. */
static int resize(sr_raw *raw, size_t room)
{
    uint8_t *bytes = sr_redis.try_alloc(room);
    if (bytes == NULL)
        return SEENSET_ENOMEM;
    size_t left = raw->len - raw->at;
    if (left > 0)
        memcpy(bytes, raw->bytes + raw->at, left);
    uint64_t count = raw->items;
    free_raw(raw);
    *raw = (sr_raw){.bytes = bytes, .len = left, .room = room, .items = count};
    return 0;
}

int sr_items_reserve(sr_items *items, size_t bytes)
{
    sr_raw *tail = &items->tail;
    if (bytes <= tail->room - tail->len)
        return 0;
    if (bytes > SIZE_MAX / 2 - tail->len)
        return SEENSET_ENOMEM;
    size_t needed = tail->len + bytes;
    size_t step = tail->room < STEP_BYTES ? tail->room : STEP_BYTES;
    size_t room = tail->room + step;
    return resize(tail, room > needed ? room : needed);
}

void sr_items_push(sr_items *items, const sr_item *item)
{
    sr_raw *tail = &items->tail;
    tail->len += sr_item_write(tail->bytes + tail->len, item);
    tail->items++;
}

/* Room for one block more in the list, which is moved to its begin first. */
static int make_room(sr_items *items)
{
    if (items->first + items->block_count < items->room)
        return 0;
    size_t bytes = items->block_count * sizeof *items->blocks;
    if (items->first > items->room / 2) {
        memmove(items->blocks, items->blocks + items->first, bytes);
        items->first = 0;
        return 0;
    }
    size_t room = items->block_count + items->block_count / 2 + 4;
    sr_block *blocks = sr_redis.try_alloc(room * sizeof *blocks);
    if (blocks == NULL)
        return SEENSET_ENOMEM;
    if (bytes > 0)
        memcpy(blocks, items->blocks + items->first, bytes);
    if (items->blocks != NULL)
        sr_redis.free(items->blocks);
    items->blocks = blocks;
    items->first = 0;
    items->room = room;
    return 0;
}

int sr_items_append(sr_items *items, const sr_block *block)
{
    if (make_room(items) != 0)
        return SEENSET_ENOMEM;
    items->blocks[items->first + items->block_count++] = *block;
    items->block_items += block->items;
    items->block_bytes += block->len;
    return 0;
}

/* Where the first block of the tail ends, and its items; 0: it is too short. */
static size_t block_end(const sr_raw *tail, uint64_t *count)
{
    sr_item item;
    size_t at = tail->at;
    *count = 0;
    while (at - tail->at < SR_BLOCK_BYTES) {
        size_t len = sr_item_read(tail->bytes + at, tail->len - at, &item);
        if (len == 0)
            return 0;
        at += len;
        ++*count;
    }
    return at;
}

/* Packs the first block of the tail. Returns whether there was one. */
static bool seal_one(sr_items *items)
{
    sr_raw *tail = &items->tail;
    uint64_t count;
    size_t end =
        tail->len - tail->at < SR_BLOCK_BYTES ? 0 : block_end(tail, &count);
    sr_block block;
    if (end == 0 || sr_block_pack(&block, tail->bytes + tail->at,
                                  end - tail->at, count) != 0)
        return false;
    if (sr_items_append(items, &block) != 0) {
        sr_block_free(&block);
        return false;
    }
    tail->at = end;
    tail->items -= count;
    return true;
}

void sr_items_seal(sr_items *items)
{
    sr_raw *tail = &items->tail;
    while (seal_one(items)) {
    }
    size_t left = tail->len - tail->at;
    if (tail->at == 0 || resize(tail, left + STEP_BYTES) == 0)
        return;
    if (left > 0)
        memmove(tail->bytes, tail->bytes + tail->at, left);
    tail->at = 0;
    tail->len = left;
}

/* Unpacks the first block into the head, which is empty. */
static int open_block(sr_items *items)
{
    sr_block *block = &items->blocks[items->first];
    sr_raw head = {.len = (size_t)block->raw_len,
                   .room = (size_t)block->raw_len,
                   .items = block->items};
    head.bytes = sr_redis.try_alloc(head.room);
    if (head.bytes == NULL)
        return SEENSET_ENOMEM;
    int error = sr_block_unpack(block, head.bytes);
    if (error != 0) {
        sr_redis.free(head.bytes);
        return error;
    }
    items->head = head;
    items->block_items -= block->items;
    items->block_bytes -= block->len;
    items->first++;
    items->block_count--;
    sr_block_free(block);
    return 0;
}

int sr_items_first(sr_items *items, sr_item *item)
{
    if (items->head.items == 0) {
        free_raw(&items->head);
        if (items->block_count > 0) {
            int error = open_block(items);
            if (error != 0)
                return error;
        } else {
            items->head = items->tail;
            items->tail = (sr_raw){0};
        }
    }
    sr_raw *head = &items->head;
    return head->items > 0 &&
           sr_item_read(head->bytes + head->at, head->len - head->at, item) > 0;
}

void sr_items_drop(sr_items *items)
{
    sr_raw *head = &items->head;
    sr_item item;
    head->at +=
        sr_item_read(head->bytes + head->at, head->len - head->at, &item);
    if (--head->items == 0)
        free_raw(head);
}

static int visit_raw(const sr_raw *raw, sr_items_visitor *visit, void *context)
{
    return raw->items == 0
               ? 0
               : visit(context, raw->bytes + raw->at, raw->len - raw->at);
}

static int visit_block(const sr_block *block, sr_items_visitor *visit,
                       void *context)
{
    uint8_t *raw = sr_redis.try_alloc((size_t)block->raw_len);
    if (raw == NULL)
        return SEENSET_ENOMEM;
    int stop = sr_block_unpack(block, raw);
    if (stop == 0)
        stop = visit(context, raw, (size_t)block->raw_len);
    sr_redis.free(raw);
    return stop;
}

int sr_items_each(const sr_items *items, sr_items_visitor *visit, void *context)
{
    int stop = visit_raw(&items->head, visit, context);
    for (size_t i = 0; stop == 0 && i < items->block_count; i++)
        stop = visit_block(&items->blocks[items->first + i], visit, context);
    return stop == 0 ? visit_raw(&items->tail, visit, context) : stop;
}

void sr_items_free(sr_items *items)
{
    free_raw(&items->head);
    free_raw(&items->tail);
    for (size_t i = 0; i < items->block_count; i++)
        sr_block_free(&items->blocks[items->first + i]);
    if (items->blocks != NULL)
        sr_redis.free(items->blocks);
    *items = (sr_items){0};
}
