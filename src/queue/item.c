/*
 * item.c - the caller's item: the URL and the data of a record, in memory that
 * the item owns or in that which the caller has given.
 */
#include "queue/handle.h"

#include <string.h>

/* The item remembers whose memory it is: it may outlive the queue. */
static void free_memory(const seenset_queue_item *item)
{
    const ss_memory memory = {.allocator = item->allocator};
    ss_memory_free(&memory, item->memory, item->memory_bytes, 1);
}

void seenset_queue_item_free(seenset_queue_item *item)
{
    if (item == NULL)
        return;
    free_memory(item);
    *item = (seenset_queue_item){0};
}

static bool reserve(seenset_queue_item *item, const ss_memory *memory,
                    size_t needed)
{
    if (needed <= item->memory_bytes)
        return true;
    void *block = ss_memory_alloc(memory, needed, 1);
    if (block == NULL)
        return false;
    free_memory(item);
    item->memory = block;
    item->memory_bytes = needed;
    item->allocator = memory->allocator;
    return true;
}

/* Of URL and data, each with a NUL after it. */
static size_t bytes_of(const ss_push *push)
{
    return push->url_len + push->data_len + 2;
}

/* Copies URL and data to `url`, where there is room for them. */
static void copy_to(seenset_queue_item *item, char *url, const ss_push *push)
{
    char *data = url + push->url_len + 1;
    memcpy(url, push->url, push->url_len);
    url[push->url_len] = '\0';
    memcpy(data, push->data, push->data_len);
    data[push->data_len] = '\0';
    item->url = url;
    item->url_len = push->url_len;
    item->data = data;
    item->data_len = push->data_len;
    item->priority = push->lane;
}

int ss_item_fill(seenset_queue_item *item, const ss_memory *memory,
                 const ss_record *record)
{
    ss_push push = ss_push_of(record);
    if (!reserve(item, memory, bytes_of(&push)))
        return SEENSET_ENOMEM;
    copy_to(item, item->memory, &push);
    return SEENSET_OK;
}

int ss_item_fill_bytes(seenset_queue_item *item, const ss_memory *memory,
                       const void *bytes, size_t len)
{
    const ss_push text = {
        .url = bytes, .url_len = len, .data = (const uint8_t *)""};
    if (!reserve(item, memory, bytes_of(&text)))
        return SEENSET_ENOMEM;
    copy_to(item, item->memory, &text);
    return SEENSET_OK;
}

bool ss_item_fill_room(seenset_queue_item *item, ss_item_room *to,
                       const ss_record *record)
{
    ss_push push = ss_push_of(record);
    size_t needed = bytes_of(&push);
    if (needed > to->bytes)
        return false;
    copy_to(item, to->next, &push);
    to->next += needed;
    to->bytes -= needed;
    return true;
}
