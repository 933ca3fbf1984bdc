/*
 * queue_pop.c - handing items out, and what becomes of them.
 *
 * An item whose time came again goes first; else the reader goes on in the
 * log, over whatever is no push and over items acked before a restart.
 */
#define _POSIX_C_SOURCE 200809L /* PATH_MAX */
#include "queue/handle.h"

#include <stdlib.h>
#include <string.h>

#include "base/bits.h"

enum {
    CHUNK_LEASES = 256 /* of ack_many in one record */
};

/* ---- pop ---- */

void seenset_queue_item_free(seenset_queue_item *item)
{
    if (item == NULL)
        return;
    free(item->memory);
    *item = (seenset_queue_item){0};
}

/* Copies a PUSH record out, each part with a NUL behind it. */
static int fill_item(seenset_queue_item *item, const ss_record *record)
{
    ss_push push = ss_push_of(record);
    size_t needed = push.url_len + push.data_len + 2;
    if (item->memory_bytes < needed) {
        void *memory = realloc(item->memory, needed);
        if (memory == NULL)
            return SEENSET_ENOMEM;
        item->memory = memory;
        item->memory_bytes = needed;
    }
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

static void hand_out(seenset_queue *queue, seenset_queue_item *item,
                     ss_leased_item *entry, uint64_t now_ns)
{
    entry->deliveries++;
    ss_leases_set(&queue->leases, entry, SS_LEASE_HELD,
                  now_ns + queue->lease_ns);
    item->lease = ss_leases_id(entry);
    item->number = entry->item;
    item->deliveries = entry->deliveries;
    queue->is_dirty = true;
}

static int pop_again(seenset_queue *queue, seenset_queue_item *item,
                     ss_leased_item *entry, uint64_t now_ns)
{
    ss_record record;
    ss_log_reader_seek(&queue->again, entry->position);
    int error = ss_log_reader_next(&queue->again, ss_append_readable(queue),
                                   &record, NULL);
    if (error < 0)
        return error;
    if (error == 0 || record.type != SS_RECORD_PUSH ||
        record.item != entry->item)
        return SEENSET_EDAMAGED;
    error = fill_item(item, &record);
    if (error != SEENSET_OK)
        return error;
    hand_out(queue, item, entry, now_ns);
    return 1;
}

/* Numbers end with the items that recovery counted. */
static bool is_in_order(const seenset_queue *queue, const ss_record *record)
{
    bool is_push = record->type == SS_RECORD_PUSH;
    return ss_record_follows(record, queue->read_item) &&
           record->item + is_push <= queue->next_item;
}

/* The next push that is not done; 1, 0 or an error. */
static int read_next(seenset_queue *queue, ss_record *record, uint64_t *at)
{
    int result;
    while ((result = ss_log_reader_next(
                &queue->reader, ss_append_readable(queue), record, at)) == 1) {
        if (record->item < queue->read_item)
            continue;
        if (!is_in_order(queue, record)) {
            ss_log_reader_seek(&queue->reader, *at);
            return SEENSET_EDAMAGED;
        }
        if (record->type == SS_RECORD_PUSH &&
            ss_ranges_skip(&queue->done, record->item) == record->item)
            return 1;
        if (record->type == SS_RECORD_PUSH || record->type == SS_RECORD_HOLE)
            queue->read_item = record->item + (record->type == SS_RECORD_PUSH);
    }
    return result;
}

static int pop_next(seenset_queue *queue, seenset_queue_item *item,
                    uint64_t now_ns)
{
    ss_record record;
    uint64_t at;
    int result = read_next(queue, &record, &at);
    if (result == 0 && queue->durability != SEENSET_QUEUE_DURABILITY_EACH &&
        queue->written < queue->tail) {
        result = ss_append_write(queue); /* the rest is in memory still */
        if (result == SEENSET_OK)
            result = read_next(queue, &record, &at);
    }
    if (result != 1)
        return result;
    ss_leased_item *entry = NULL;
    int error = fill_item(item, &record);
    if (error == SEENSET_OK)
        entry = ss_leases_add(&queue->leases, &queue->memory, record.item, at);
    if (entry == NULL) {
        ss_log_reader_seek(&queue->reader, at);
        return SEENSET_ENOMEM;
    }
    queue->read_item = record.item + 1;
    if (queue->done.count > 0 && queue->done.at[0].end <= queue->read_item)
        ss_ranges_trim(&queue->done, queue->read_item);
    hand_out(queue, item, entry, now_ns);
    return 1;
}

int seenset_queue_pop(seenset_queue *queue, seenset_queue_item *item)
{
    if (queue == NULL || item == NULL)
        return SEENSET_EINVAL;
    pthread_mutex_lock(&queue->mutex);
    uint64_t now_ns = ss_queue_now(queue);
    ss_leased_item *due = ss_leases_due(&queue->leases, now_ns);
    int result;
    if (queue->poison != 0)
        result = SEENSET_EPOISONED;
    else if (due != NULL)
        result = pop_again(queue, item, due, now_ns);
    else
        result = pop_next(queue, item, now_ns);
    pthread_mutex_unlock(&queue->mutex);
    return result;
}

/* ---- ack ---- */

static void put_range(uint8_t *payload, size_t *count, uint64_t item)
{
    if (*count > 0) {
        uint8_t *last = payload + (*count - 1) * SS_ACK_RANGE_BYTES;
        uint64_t length = ss_bits_load(last + 8, 4);
        if (ss_bits_load(last, 8) + length == item) {
            ss_bits_store(last + 8, 4, length + 1);
            return;
        }
    }
    ss_bits_store(payload + *count * SS_ACK_RANGE_BYTES, 8, item);
    ss_bits_store(payload + *count * SS_ACK_RANGE_BYTES + 8, 4, 1);
    *count += 1;
}

/*
 * Appends one record for the leases that are known and marks their items. In
 * *end, what the answer has to wait for.
 */
static int append_acks(seenset_queue *queue, const uint64_t *leases,
                       size_t count, uint64_t *end)
{
    size_t range_count = 0;
    int error = ss_append_reserve(queue, SS_RECORD_HEADER_BYTES +
                                             count * SS_ACK_RANGE_BYTES);
    if (error != SEENSET_OK)
        return error;
    uint8_t *payload = ss_append_payload(queue);
    for (size_t i = 0; i < count; i++) {
        ss_leased_item *entry = ss_leases_find(&queue->leases, leases[i]);
        if (entry == NULL) {
            error = SEENSET_ELEASE;
            continue;
        }
        put_range(payload, &range_count, entry->item);
        ss_leases_begin_ack(&queue->leases, entry, UINT64_MAX);
    }
    if (range_count == 0)
        return error;
    ss_append_append(queue, SS_RECORD_ACK, range_count * SS_ACK_RANGE_BYTES);
    *end = queue->tail;
    for (size_t i = 0; i < count; i++) {
        ss_leased_item *entry =
            ss_leases_by_item(&queue->leases, leases[i] >> 8);
        if (entry != NULL && entry->ack_end == UINT64_MAX)
            entry->ack_end = queue->tail;
    }
    return error;
}

/* Items of these leases whose ack record ends at or before `end` are done. */
static void finish_acks(seenset_queue *queue, const uint64_t *leases,
                        size_t count, uint64_t end)
{
    for (size_t i = 0; i < count; i++) {
        ss_leased_item *entry =
            ss_leases_by_item(&queue->leases, leases[i] >> 8);
        if (entry != NULL && entry->state == SS_LEASE_ACKING &&
            entry->ack_end <= end && ss_leases_id(entry) == leases[i]) {
            ss_leases_remove(&queue->leases, entry);
            queue->unacked_items--;
        }
    }
}

static bool is_harmless(int error)
{
    return error == SEENSET_OK || error == SEENSET_ELEASE;
}

static int ack_locked(seenset_queue *queue, const uint64_t *leases,
                      size_t lease_count)
{
    uint64_t end = 0, take_backs = queue->take_backs;
    int result = SEENSET_OK, error = SEENSET_OK;
    for (size_t at = 0; at < lease_count && is_harmless(error);
         at += CHUNK_LEASES) {
        size_t count = lease_count - at;
        if (count > CHUNK_LEASES)
            count = CHUNK_LEASES;
        error = append_acks(queue, leases + at, count, &end);
        if (error != SEENSET_OK)
            result = error;
    }
    if (queue->durability != SEENSET_QUEUE_DURABILITY_EACH) {
        finish_acks(queue, leases, lease_count, queue->tail);
        return result;
    }
    /* an error, of this call or another, may have taken back what was to be
     * waited for */
    if (is_harmless(error))
        error = ss_append_kept(queue, take_backs);
    if (error == SEENSET_OK)
        error = ss_append_wait(queue, end);
    finish_acks(queue, leases, lease_count, queue->durable);
    return error == SEENSET_OK ? result : error;
}

int seenset_queue_ack_many(seenset_queue *queue, const uint64_t *leases,
                           size_t lease_count)
{
    if (queue == NULL || (leases == NULL && lease_count > 0))
        return SEENSET_EINVAL;
    pthread_mutex_lock(&queue->mutex);
    int error = queue->poison != 0 ? SEENSET_EPOISONED
                                   : ack_locked(queue, leases, lease_count);
    ss_checkpoint_if_due(queue);
    pthread_mutex_unlock(&queue->mutex);
    return error;
}

int seenset_queue_ack(seenset_queue *queue, uint64_t lease)
{
    return seenset_queue_ack_many(queue, &lease, 1);
}

/* ---- nack, extend ---- */

static int move_due(seenset_queue *queue, uint64_t lease, double seconds,
                    ss_lease_state state)
{
    if (queue == NULL || !(seconds >= 0 && seconds <= 1e9))
        return SEENSET_EINVAL;
    pthread_mutex_lock(&queue->mutex);
    ss_leased_item *entry = ss_leases_find(&queue->leases, lease);
    if (entry != NULL) {
        ss_leases_set(&queue->leases, entry, state,
                      ss_queue_now(queue) + (uint64_t)(seconds * 1e9));
        queue->is_dirty = true;
    }
    pthread_mutex_unlock(&queue->mutex);
    return entry == NULL ? SEENSET_ELEASE : SEENSET_OK;
}

int seenset_queue_nack(seenset_queue *queue, uint64_t lease,
                       double delay_seconds)
{
    return move_due(queue, lease, delay_seconds, SS_LEASE_WAITING);
}

int seenset_queue_extend(seenset_queue *queue, uint64_t lease, double seconds)
{
    return move_due(queue, lease, seconds, SS_LEASE_HELD);
}
