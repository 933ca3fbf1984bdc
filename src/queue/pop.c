/*
 * pop.c - handing items out.
 *
 * An item whose lease or delay has ended goes first. Otherwise the reader
 * continues in the log. It passes records that are not pushes, and items that
 * were acked before a restart.
 */
#define _POSIX_C_SOURCE 200809L /* PATH_MAX */
#include "queue/handle.h"

#include <string.h>

/* ---- the caller's item ---- */

/* The item remembers whose memory it is: it may outlive the queue. */
static void free_memory(const seenset_queue_item *item)
{
    const ss_memory memory = {item->allocator};
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

/* Copies URL and data of a PUSH record, each with a NUL after it. */
static int fill_item(seenset_queue_item *item, const ss_memory *memory,
                     const ss_record *record)
{
    ss_push push = ss_push_of(record);
    if (!reserve(item, memory, push.url_len + push.data_len + 2))
        return SEENSET_ENOMEM;
    char *url = item->memory, *data = url + push.url_len + 1;
    memcpy(url, push.url, push.url_len);
    url[push.url_len] = '\0';
    memcpy(data, push.data, push.data_len);
    data[push.data_len] = '\0';
    item->url = url;
    item->url_len = push.url_len;
    item->data = data;
    item->data_len = push.data_len;
    return SEENSET_OK;
}

/* ---- pop ---- */

/* Gives the entry a new lease. */
static void hand_out(ss_items *items, seenset_queue_item *item,
                     ss_leased_item *entry, uint64_t now_ns)
{
    entry->deliveries++;
    ss_leases_set(&items->leases, entry, SS_LEASE_HELD,
                  now_ns + items->lease_ns);
    item->lease = ss_leases_id(entry);
    item->number = entry->item;
    item->deliveries = entry->deliveries;
}

/* Hands out an item again, whose lease or delay has ended. */
static int pop_again(seenset_queue *queue, seenset_queue_item *item,
                     ss_leased_item *entry, uint64_t now_ns)
{
    ss_record record;
    ss_log_reader *reader = &queue->items.rereads;
    ss_log_reader_seek(reader, entry->position);
    int error =
        ss_log_reader_next(reader, ss_append_readable(queue), &record, NULL);
    if (error < 0)
        return error;
    if (error == 0 || !ss_record_is_push(record.type) ||
        record.item != entry->item)
        return SEENSET_EDAMAGED;
    error = fill_item(item, &queue->memory, &record);
    if (error != SEENSET_OK)
        return error;
    hand_out(&queue->items, item, entry, now_ns);
    return 1;
}

/* Is it the record that follows, of no item that recovery did not count? */
static bool is_in_order(const ss_items *items, const ss_record *record,
                        uint64_t next_item)
{
    bool is_push = ss_record_is_push(record->type);
    return ss_record_follows(record, items->read_item) &&
           record->item + is_push <= next_item;
}

/* Finds the next push that is not acked: 1, 0 (there is none) or an error. */
static int read_next(ss_items *items, uint64_t limit, uint64_t next_item,
                     ss_record *record, uint64_t *at)
{
    int result;
    while ((result = ss_log_reader_next(&items->reader, limit, record, at)) ==
           1) {
        bool is_push = ss_record_is_push(record->type);
        if (record->item < items->read_item)
            continue;
        if (!is_in_order(items, record, next_item)) {
            ss_log_reader_seek(&items->reader, *at);
            return SEENSET_EDAMAGED;
        }
        if (is_push &&
            ss_ranges_skip(&items->done, record->item) == record->item)
            return 1;
        if (is_push || record->type == SS_RECORD_FILLER)
            items->read_item = record->item + is_push;
    }
    return result;
}

/* The same. Writes the block first if only that has more. */
static int read_or_write(seenset_queue *queue, ss_record *record, uint64_t *at)
{
    const ss_log_end *log = &queue->log;
    int result = read_next(&queue->items, ss_append_readable(queue),
                           log->next_item, record, at);
    if (result != 0 || ss_queue_is_each(queue) || log->written == log->tail)
        return result;
    int error = ss_append_write(queue);
    if (error != SEENSET_OK)
        return error;
    return read_next(&queue->items, ss_append_readable(queue), log->next_item,
                     record, at);
}

static int pop_next(seenset_queue *queue, seenset_queue_item *item,
                    uint64_t now_ns)
{
    ss_record record;
    uint64_t at;
    ss_items *items = &queue->items;
    int result = read_or_write(queue, &record, &at);
    if (result != 1)
        return result;
    ss_leased_item *entry = NULL;
    if (fill_item(item, &queue->memory, &record) == SEENSET_OK)
        entry = ss_leases_add(&items->leases, &queue->memory, record.item, at);
    if (entry == NULL) {
        ss_log_reader_seek(&items->reader, at);
        return SEENSET_ENOMEM;
    }
    items->read_item = record.item + 1;
    if (items->done.count > 0 && items->done.at[0].end <= items->read_item)
        ss_ranges_trim(&items->done, items->read_item);
    hand_out(items, item, entry, now_ns);
    return 1;
}

static int pop_locked(seenset_queue *queue, seenset_queue_item *item)
{
    uint64_t now_ns = ss_queue_now(queue);
    int error = ss_queue_check(queue);
    if (error != SEENSET_OK)
        return error;
    ss_leased_item *due = ss_leases_due(&queue->items.leases, now_ns);
    int result = due != NULL ? pop_again(queue, item, due, now_ns)
                             : pop_next(queue, item, now_ns);
    if (result == 1)
        queue->snapshots.is_dirty = true;
    return result;
}

int seenset_queue_pop(seenset_queue *queue, seenset_queue_item *item)
{
    if (queue == NULL || item == NULL)
        return SEENSET_EINVAL;
    pthread_mutex_lock(&queue->mutex);
    int result = pop_locked(queue, item);
    pthread_mutex_unlock(&queue->mutex);
    return result;
}
